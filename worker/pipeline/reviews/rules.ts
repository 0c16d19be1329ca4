/** Recognises a customer who belongs to the business. Their review is refused. No I/O. */
import { phoneKey } from "../../../contract/phone.ts";
import { emailKey, otherPhoneKey } from "../../leads/quarantine/contact-keys.ts";

/** A person's contact details. */
type Contact = { phone: string | null; email: string | null };

/** Returns whether a customer has the phone number or email address of one of these people. */
export function isSamePerson(customer: Contact, people: readonly Contact[]): boolean {
  const keysOf = ({ phone, email }: Contact) =>
    [phoneKey(phone ?? ""), otherPhoneKey(phone ?? ""), emailKey(email)].filter(Boolean);
  const own = new Set(keysOf(customer));
  return people.some((person) => keysOf(person).some((key) => own.has(key)));
}
