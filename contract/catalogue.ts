/**
 * Every service we broker, once. `fromDollars` and `duration` are the services page's figures;
 * `homeFromDollars` is the lower figure the home page's cards show (both are as specified).
 */
export const SERVICES = {
  lawn_mowing: { name: "Lawn mowing", fromDollars: 50, homeFromDollars: 30, duration: "30-60 minutes" },
  garden_cleanup: { name: "Garden cleanup", fromDollars: 80, duration: "1-3 hours" },
  pressure_washing: { name: "Pressure washing", fromDollars: 120, duration: "1-2 hours" },
  yard_cleanup: { name: "Yard cleanup", fromDollars: 100, duration: "2-4 hours" },
  green_waste_removal: { name: "Green waste removal", fromDollars: 90, duration: "1-2 hours" },
  hedge_trimming: {
    name: "Hedge and tree trimming",
    fromDollars: 80,
    homeFromDollars: 45,
    duration: "1-2 hours",
  },
  garden_maintenance: { name: "Garden maintenance", homeFromDollars: 50 },
  landscaping: { name: "Landscaping" },
  lawn_care: { name: "Lawn care" },
} as const satisfies Record<
  string,
  { name: string; fromDollars?: number; homeFromDollars?: number; duration?: string }
>;

export type ServiceId = keyof typeof SERVICES;

export const SERVICE_IDS = Object.keys(SERVICES) as [ServiceId, ...ServiceId[]];

/** What the three-step quote form offers. */
export const QUOTE_FORM_SERVICES = [
  "lawn_mowing",
  "hedge_trimming",
  "garden_maintenance",
  "landscaping",
] as const satisfies readonly ServiceId[];

/** The name people read, for a service id; the id itself when it is unknown. */
export function serviceName(id: string): string {
  return id in SERVICES ? SERVICES[id as ServiceId].name : id;
}
