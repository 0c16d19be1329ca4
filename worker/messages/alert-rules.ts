/** Decides which new leads a user gets alerts for, and finds a lead's size. */
import { isStated, type WithStated } from "../../contract/stated-details.ts";
import { resolveChoice } from "../../contract/lead-alerts.ts";
import { PROPERTY_SIZES } from "../../contract/leads.ts";

/** A user's stored choices. A user without a row made no choice. */
export type Choices = {
  regions: readonly string[] | null;
  services: readonly string[] | null;
  urgencies: readonly string[] | null;
  leastSize: string | null;
};

/** Facts of a lead that are matched with choices. `size`: null if unknown. */
export type AlertableLead = {
  region: string;
  serviceType: readonly string[];
  urgency: string;
  size: string | null;
};

/**
 * Returns the size of a lead's lawn.
 * @returns null if the customer did not state it or this release does not know it
 */
export function sizeOf(lead: { propertySize: string } & WithStated): string | null {
  const isKnown = PROPERTY_SIZES.some((size) => size === lead.propertySize);
  return isKnown && isStated(lead, "propertySize") ? lead.propertySize : null;
}

/** Returns the minimum sizes that a lawn of this size meets; all sizes if its size is unknown. */
export function sizesUpTo(size: string | null): readonly string[] {
  const rank = PROPERTY_SIZES.findIndex((one) => one === size);
  return rank < 0 ? PROPERTY_SIZES : PROPERTY_SIZES.slice(0, rank + 1);
}

/** A business's regions and services, with its alert choices. No services means all of them. */
export type AlertChooser = {
  watchedRegions: readonly string[];
  services: readonly string[];
  choices: Choices | null;
};

/** Returns the regions with alerts. Ignores chosen regions that the user no longer watches. */
export const alertRegions = ({ watchedRegions, choices }: AlertChooser) =>
  resolveChoice(choices?.regions ?? null, watchedRegions);

/** Returns whether a user wants an alert for a lead. `wantsConditions` checks the same in SQL. */
export function isWanted(lead: AlertableLead, chooser: AlertChooser): boolean {
  const { services, choices } = chooser;
  const offersServices = (one: string) =>
    (services.length === 0 || services.includes(one)) && (choices?.services ?? [one]).includes(one);
  return (
    alertRegions(chooser).includes(lead.region) &&
    lead.serviceType.some(offersServices) &&
    (choices?.urgencies ?? [lead.urgency]).includes(lead.urgency) &&
    (!choices?.leastSize || sizesUpTo(lead.size).includes(choices.leastSize))
  );
}
