/** Who may be asked for a review, and whose review is refused. No I/O. */
import type { CallClock } from "../../../contract/call-clock.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { emailKey, otherPhoneKey, phoneKey } from "../../leads/quarantine/contact-keys.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

type AskedPurchase = Pick<PurchaseRow, "removedAt" | "paymentStatus"> & { callClock: CallClock | null };

/**
 * Returns whether we invite the customer of a purchase to review the buyer. False after a removal, a refund or a
 * deletion of the customer's details, if the customer never asked for a quote, or if the request was passed on because
 * the buyer did not call.
 * @param isExcluded the customer called off the job, or the buyer got a free claim by a rule other than `no_answer`
 */
export function canInviteReview(
  { removedAt, paymentStatus, callClock }: AskedPurchase,
  { erasedAt }: Pick<LeadRow, "erasedAt">,
  isExcluded: boolean,
): boolean {
  const isSold = removedAt === null && paymentStatus !== "refunded";
  const isGenuineSale = callClock?.answer !== "never_asked" && callClock?.rescuedAt === undefined;
  return isSold && isGenuineSale && erasedAt === null && !isExcluded;
}

/** A person's contact details. */
type Contact = { phone: string | null; email: string | null };

/** Returns whether a customer has the phone number or email address of one of these people. */
export function isSamePerson(customer: Contact, people: readonly Contact[]): boolean {
  const keysOf = ({ phone, email }: Contact) =>
    [phoneKey(phone ?? ""), otherPhoneKey(phone ?? ""), emailKey(email)].filter(Boolean);
  const own = new Set(keysOf(customer));
  return people.some((person) => keysOf(person).some((key) => own.has(key)));
}
