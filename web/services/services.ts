import type { PageServiceId } from "../../contract/catalogue.ts";
import { gardenCleanup } from "./garden-cleanup.ts";
import { greenWasteRemoval } from "./green-waste-removal.ts";
import { hedgeTrimming } from "./hedge-trimming.ts";
import { lawnMowing } from "./lawn-mowing.ts";
import { pressureWashing } from "./pressure-washing.ts";
import type { Service } from "./service.ts";
import { yardCleanup } from "./yard-cleanup.ts";

const SERVICES_BY_ID: Readonly<Record<PageServiceId, Service>> = {
  lawn_mowing: lawnMowing,
  garden_cleanup: gardenCleanup,
  yard_cleanup: yardCleanup,
  green_waste_removal: greenWasteRemoval,
  pressure_washing: pressureWashing,
  hedge_trimming: hedgeTrimming,
};

/** The services with a page, in the order of the header, the footer and the menu. */
export const SERVICE_LIST: readonly Service[] = Object.values(SERVICES_BY_ID);

/** Returns a service. */
export const serviceOf = (id: PageServiceId): Service => SERVICES_BY_ID[id];

/** Examples are rounded to this many dollars. */
const PRICE_ROUNDING_DOLLARS = 5;

/**
 * Returns example jobs and their prices, smallest first, in whole dollars.
 * @param from the price of the first example: the service's from-price, or a suburb's
 */
export function priceExamples(
  { jobs, fromDollars }: Service,
  from = fromDollars,
): { job: string; dollars: number }[] {
  return jobs.map(([job, times]) => ({
    job,
    dollars:
      times === 1 ? from : Math.round((from * times) / PRICE_ROUNDING_DOLLARS) * PRICE_ROUNDING_DOLLARS,
  }));
}
