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

/** What the three-step quote form offers: whatever is advertised can be asked for there. */
export const QUOTE_FORM_SERVICES = [
  "lawn_mowing",
  "hedge_trimming",
  "garden_maintenance",
  "landscaping",
  "garden_cleanup",
  "yard_cleanup",
  "green_waste_removal",
  "pressure_washing",
] as const satisfies readonly ServiceId[];

/** What the form for a lead of one's own offers. */
export const MANUAL_LEAD_SERVICES = [
  "lawn_mowing",
  "hedge_trimming",
  "garden_cleanup",
  "lawn_care",
] as const satisfies readonly ServiceId[];

/** The name people read, for a service id; the id itself when it is unknown. */
export function serviceName(id: string): string {
  return Object.hasOwn(SERVICES, id) ? SERVICES[id as ServiceId].name : id;
}

/** The six services with a price and a page of their own, in the order of the services page. */
export const PAGE_SERVICES = [
  "lawn_mowing",
  "garden_cleanup",
  "pressure_washing",
  "yard_cleanup",
  "green_waste_removal",
  "hedge_trimming",
] as const satisfies readonly ServiceId[];
export type PageServiceId = (typeof PAGE_SERVICES)[number];

/** Inspections the booking form offers beside our own services; such a booking never becomes a lead. */
export const INSPECTIONS = {
  pink_slip_inspection: "Pink Slip Inspection",
  pre_purchase_inspection: "Pre-Purchase Inspection",
  vehicle_safety_check: "Vehicle Safety Check",
} as const;
export type InspectionId = keyof typeof INSPECTIONS;
export const INSPECTION_IDS = Object.keys(INSPECTIONS) as [InspectionId, ...InspectionId[]];
