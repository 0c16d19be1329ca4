import { DAY_MS } from "../../../contract/durations.ts";
import { DUD_REPORT_DAYS } from "../../../contract/duds.ts";
import { DomainError } from "../../platform/errors.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

/**
 * Requires that a purchase may be reported as a dud.
 * @param wasFreeClaim whether the lead was claimed with a free claim, which counts as bought
 * @throws DomainError dud_not_bought, dud_too_late
 */
export function requireReportable(
  purchase: Pick<PurchaseRow, "mode" | "purchasedAt">,
  wasFreeClaim: boolean,
  now: number,
): void {
  const isBought = purchase.mode === "stripe" || purchase.mode === "direct" || wasFreeClaim;
  if (!isBought) throw new DomainError("dud_not_bought", "You can only report leads you bought.");
  if (now - purchase.purchasedAt > DUD_REPORT_DAYS * DAY_MS) {
    throw new DomainError(
      "dud_too_late",
      `You can only report a lead within ${DUD_REPORT_DAYS} days of buying it.`,
    );
  }
}
