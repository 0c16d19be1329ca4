/** Who may be asked for a review, and whose review is refused. No I/O. */
import type { CallClock } from "../../../contract/call-clock.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { emailKey, otherPhoneKey, phoneKey } from "../../leads/quarantine/contact-keys.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

type AskedPurchase = Pick<PurchaseRow, "removedAt" | "paymentStatus"> & { callClock: CallClock | null };

/**
 * Returns whether the customer of a purchase is asked for a review. Not after a removal, a refund or a withdrawal, not
 * if they never asked for a quote, and not about a buyer who did not call.
 * @param isOff the customer called off the job, or the buyer got a credit for the lead by a rule other than `no_answer`
 */
export function canAsk(
  { removedAt, paymentStatus, callClock }: AskedPurchase,
  { erasedAt }: Pick<LeadRow, "erasedAt">,
  isOff: boolean,
): boolean {
  const isSold = removedAt === null && paymentStatus !== "refunded";
  const isDealtWith = callClock?.answer !== "never_asked" && callClock?.rescuedAt === undefined;
  return isSold && isDealtWith && erasedAt === null && !isOff;
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
