/** Every service that we broker, with its display name. */
export const SERVICES = {
  lawn_mowing: "Lawn mowing",
  garden_cleanup: "Garden cleanup",
  pressure_washing: "Pressure washing",
  yard_cleanup: "Yard cleanup",
  green_waste_removal: "Green waste removal",
  hedge_trimming: "Hedge and tree trimming",
  garden_maintenance: "Garden maintenance",
  landscaping: "Landscaping",
  lawn_care: "Lawn care",
} as const;

export type ServiceId = keyof typeof SERVICES;

export const SERVICE_IDS = Object.keys(SERVICES) as [ServiceId, ...ServiceId[]];

/** Services in the three-step quote form. It offers every service we advertise. */
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

/** Services in a provider's form for their own leads. */
export const MANUAL_LEAD_SERVICES = [
  "lawn_mowing",
  "hedge_trimming",
  "garden_cleanup",
  "lawn_care",
] as const satisfies readonly ServiceId[];

/** Returns a service's display name; the id itself when unknown. */
export function serviceName(id: string): string {
  return Object.hasOwn(SERVICES, id) ? SERVICES[id as ServiceId] : id;
}

/** The services with a price and their own page, in the order of the forms. `web/services/services.ts` has that of the pages. */
export const PAGE_SERVICES = [
  "lawn_mowing",
  "garden_cleanup",
  "pressure_washing",
  "yard_cleanup",
  "green_waste_removal",
  "hedge_trimming",
] as const satisfies readonly ServiceId[];
export type PageServiceId = (typeof PAGE_SERVICES)[number];

/** The prices on the home page's cards, as specified. They are lower than those of the services' own pages. */
export const HOME_FROM_DOLLARS = { lawn_mowing: 30, hedge_trimming: 45, garden_maintenance: 50 } as const;

/** Vehicle inspections that the booking form offers. They never become leads. */
export const INSPECTIONS = {
  pink_slip_inspection: "Pink Slip Inspection",
  pre_purchase_inspection: "Pre-Purchase Inspection",
  vehicle_safety_check: "Vehicle Safety Check",
} as const;
export type InspectionId = keyof typeof INSPECTIONS;
export const INSPECTION_IDS = Object.keys(INSPECTIONS) as [InspectionId, ...InspectionId[]];
