import { DAY_MS } from "../../../contract/durations.ts";
import { BAD_LEAD_REPORT_DAYS } from "../../../contract/bad-leads.ts";
import { DomainError } from "../../platform/errors.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

/**
 * Requires that a purchase may be reported as a bad lead.
 * @param wasFreeClaim whether the lead was claimed with a free claim, which counts as bought
 * @throws DomainError bad_lead_not_bought, bad_lead_too_late
 */
export function requireReportable(
  purchase: Pick<PurchaseRow, "mode" | "purchasedAt">,
  wasFreeClaim: boolean,
  now: number,
): void {
  const isBought = purchase.mode === "stripe" || purchase.mode === "direct" || wasFreeClaim;
  if (!isBought) throw new DomainError("bad_lead_not_bought", "You can only report leads you bought.");
  if (now - purchase.purchasedAt > BAD_LEAD_REPORT_DAYS * DAY_MS) {
    throw new DomainError(
      "bad_lead_too_late",
      `You can only report a lead within ${BAD_LEAD_REPORT_DAYS} days of buying it.`,
    );
  }
}
