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

/** The six services with a price and their own page, in the order of the services page. */
export const PAGE_SERVICES = [
  "lawn_mowing",
  "garden_cleanup",
  "pressure_washing",
  "yard_cleanup",
  "green_waste_removal",
  "hedge_trimming",
] as const satisfies readonly ServiceId[];
export type PageServiceId = (typeof PAGE_SERVICES)[number];

/**
 * The prices and durations of the services page, and the lower prices on the home page's cards. Both are as specified.
 * Separate from the names, which the forms' scripts load.
 */
export const SERVICE_PRICES = {
  lawn_mowing: { fromDollars: 50, duration: "30-60 minutes" },
  garden_cleanup: { fromDollars: 80, duration: "1-3 hours" },
  pressure_washing: { fromDollars: 120, duration: "1-2 hours" },
  yard_cleanup: { fromDollars: 100, duration: "2-4 hours" },
  green_waste_removal: { fromDollars: 90, duration: "1-2 hours" },
  hedge_trimming: { fromDollars: 80, duration: "1-2 hours" },
} as const satisfies Record<PageServiceId, { fromDollars: number; duration: string }>;
export const HOME_FROM_DOLLARS = { lawn_mowing: 30, hedge_trimming: 45, garden_maintenance: 50 } as const;

/**
 * Example jobs of each service, smallest first, as multiples of its from-price. Only those of mowing are property
 * sizes. They are our examples, not a provider's quotes.
 * The claim `priceExamples` says when they may be shown.
 */
const EXAMPLE_JOBS = {
  lawn_mowing: [
    ["Small lawn, block under 300m²", 1],
    ["Medium lawn, block of 300-600m²", 1.3],
    ["Large lawn, block of 600-1000m²", 1.8],
    ["Extra large lawn, block over 1000m²", 2.6],
  ],
  garden_cleanup: [
    ["One or two beds", 1],
    ["A front garden", 1.75],
    ["Front and back", 3],
    ["A big garden, most of a day", 5],
  ],
  pressure_washing: [
    ["A front path and porch", 1],
    ["A double driveway", 1.5],
    ["Driveway, paths and patio", 2.25],
    ["Driveway, paths, patio and fences", 3.5],
  ],
  yard_cleanup: [
    ["A courtyard", 1],
    ["A small backyard, knee-high grass", 1.8],
    ["A medium backyard with a side passage", 2.8],
    ["A large block, left for a year", 4.5],
  ],
  green_waste_removal: [
    ["A box trailer, about 1m³", 1],
    ["A caged ute, about 2m³", 1.6],
    ["A small truck, about 4m³", 2.8],
    ["Two truck loads, about 8m³", 5],
  ],
  hedge_trimming: [
    ["5m of hedge, up to your shoulder", 1],
    ["10m of hedge, up to your shoulder", 1.6],
    ["20m, both sides of a driveway", 2.75],
    ["20m above head height, off ladders", 4],
  ],
} as const satisfies Record<PageServiceId, readonly (readonly [job: string, times: number])[]>;

/** Examples are rounded to this many dollars. */
const PRICE_ROUNDING_DOLLARS = 5;

/**
 * Returns example jobs and their prices, smallest first, in whole dollars.
 * @param from the price of the first example: the service's from-price, or a suburb's
 */
export function priceExamples(
  id: PageServiceId,
  from: number = SERVICE_PRICES[id].fromDollars,
): { job: string; dollars: number }[] {
  return EXAMPLE_JOBS[id].map(([job, times]) => ({
    job,
    dollars:
      times === 1 ? from : Math.round((from * times) / PRICE_ROUNDING_DOLLARS) * PRICE_ROUNDING_DOLLARS,
  }));
}

/** Vehicle inspections that the booking form offers. They never become leads. */
export const INSPECTIONS = {
  pink_slip_inspection: "Pink Slip Inspection",
  pre_purchase_inspection: "Pre-Purchase Inspection",
  vehicle_safety_check: "Vehicle Safety Check",
} as const;
export type InspectionId = keyof typeof INSPECTIONS;
export const INSPECTION_IDS = Object.keys(INSPECTIONS) as [InspectionId, ...InspectionId[]];
