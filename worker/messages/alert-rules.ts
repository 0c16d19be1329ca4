/** Which new leads a person wants to hear of, and what counts as a lead's size. */
import { chosenOf } from "../../contract/lead-alerts.ts";
import { PROPERTY_SIZES } from "../../contract/leads.ts";
import { SIMPLE_QUOTE_VALUES } from "../../contract/simple-quotes.ts";

/** What a person chose, as it is stored; who has no row chose nothing. */
export type Choices = {
  regions: readonly string[] | null;
  services: readonly string[] | null;
  urgencies: readonly string[] | null;
  leastSize: string | null;
};

/** What is asked of a lead. `size`: null where nobody knows it. */
export type Asked = {
  region: string;
  serviceType: readonly string[];
  urgency: string;
  size: string | null;
};

/** Of a row of the market, what tells its size. */
export type Sized = { source: string; propertySize: string; grassType: string | null } & {
  [Name in keyof typeof SIMPLE_QUOTE_VALUES]: unknown;
};

/**
 * How big a lead's lawn is, as far as anybody said. The short forms do not ask: they fill in a medium one, and with it
 * everything else that the long form asks for.
 * @returns null where nobody said it, or in a word of another release
 */
export function sizeOf(lead: Sized): string | null {
  const isShortForm =
    lead.source === "quote" &&
    lead.grassType === null &&
    Object.entries(SIMPLE_QUOTE_VALUES).every(([name, value]) => lead[name as keyof Sized] === value);
  return isShortForm || !PROPERTY_SIZES.some((size) => size === lead.propertySize) ? null : lead.propertySize;
}

/** The smallest sizes for which a lawn of this size is big enough; every one where nobody knows its size. */
export function sizesUpTo(size: string | null): readonly string[] {
  const rank = PROPERTY_SIZES.findIndex((one) => one === size);
  return rank < 0 ? PROPERTY_SIZES : PROPERTY_SIZES.slice(0, rank + 1);
}

/** What a business looks for, with its choices of what rings; no services: it does all. */
export type Chooser = {
  watchedRegions: readonly string[];
  services: readonly string[];
  choices: Choices | null;
};

/** The regions of which a person hears: chosen ones that are no longer watched count for nothing. */
export const ringingRegions = ({ watchedRegions, choices }: Chooser) =>
  chosenOf(choices?.regions ?? null, watchedRegions);

/** Whether a lead is one that a person wants to hear of. The statement that lists hearers asks the same in SQL. */
export function isWanted(lead: Asked, chooser: Chooser): boolean {
  const { services, choices } = chooser;
  const isTheirWork = (one: string) =>
    (services.length === 0 || services.includes(one)) && (choices?.services ?? [one]).includes(one);
  return (
    ringingRegions(chooser).includes(lead.region) &&
    lead.serviceType.some(isTheirWork) &&
    (choices?.urgencies ?? [lead.urgency]).includes(lead.urgency) &&
    (!choices?.leastSize || sizesUpTo(lead.size).includes(choices.leastSize))
  );
}
