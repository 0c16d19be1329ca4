import type { LeadSummary } from "../../contract/leads.ts";
import { RESCUE_PRICE_CENTS, textToCents } from "../../contract/money.ts";

/** Says why a passed-on lead costs less. */
export const PASSED_ON_NOTE =
  "Another provider bought it first. The customer says no one called, so it costs less.";

/** Returns whether a price is that of a passed-on lead. No other lead has this price. */
export const isPassedOnPrice = (price: string) => textToCents(price) === RESCUE_PRICE_CENTS;

/** Returns who has bought a lead, for the terms beside the pay button. */
export const soldTo = ({ price }: Pick<LeadSummary, "price">) =>
  isPassedOnPrice(price) ? PASSED_ON_NOTE : "Sold to one provider only.";
