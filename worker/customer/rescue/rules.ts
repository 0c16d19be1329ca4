/** Chooses the businesses that get the offer of a rescued lead. */
import { phoneKey } from "../../../contract/phone.ts";
import { emailKey } from "../../leads/quarantine/contact-keys.ts";

/** Contact details by which two accounts may belong to the same people. */
export type Account = { id: string; phone: string | null; email: string | null; abn: string | null };

/** Maximum businesses that get an offer of a rescued lead. */
export const MAX_OFFERS = 5;

const keysOf = ({ phone, email, abn }: Account) => [
  phone && phoneKey(phone),
  emailKey(email),
  abn?.replaceAll(/\D/g, "") || null,
];

/** Returns whether two accounts share a phone number, an email address or an ABN. */
export function isRelated(one: Account, other: Account): boolean {
  const others = keysOf(other);
  return one.id === other.id || keysOf(one).some((key, i) => key && key === others[i]);
}

/**
 * Returns the businesses that get an offer, in the order in which they lost the lead.
 * @param order the runners-up
 * @param eligible the runners-up that can buy the lead
 * @param firstBuyer the first buyer's accounts: its account, and the details on its purchase
 */
export function chooseOffers(
  order: readonly string[],
  eligible: readonly Account[],
  firstBuyer: readonly Account[],
): string[] {
  const strangers = eligible.filter((one) => !firstBuyer.some((buyer) => isRelated(one, buyer)));
  const ids = new Set(strangers.map(({ id }) => id));
  return order.filter((id) => ids.has(id)).slice(0, MAX_OFFERS);
}
