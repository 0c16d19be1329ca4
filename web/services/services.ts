import type { PageServiceId } from "../../contract/catalogue.ts";
import { gardenCleanup } from "./garden-cleanup.ts";
import { greenWasteRemoval } from "./green-waste-removal.ts";
import { hedgeTrimming } from "./hedge-trimming.ts";
import { lawnMowing } from "./lawn-mowing.ts";
import { pressureWashing } from "./pressure-washing.ts";
import type { Service } from "./service.ts";
import { yardCleanup } from "./yard-cleanup.ts";

/** The services with a page, in the order of the header, the footer and the menu. */
export const SERVICE_LIST: readonly Service[] = [
  lawnMowing,
  gardenCleanup,
  yardCleanup,
  greenWasteRemoval,
  pressureWashing,
  hedgeTrimming,
];

/** Returns a service. A test checks that each `PageServiceId` has one. */
export const serviceOf = (id: PageServiceId): Service => SERVICE_LIST.find((service) => service.id === id)!;

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
