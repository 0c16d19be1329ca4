import { findNameFault, toBusinessName } from "../../contract/business-names.ts";
import { leadPurchases } from "../platform/db/purchases.ts";
import { users } from "../platform/db/users.ts";
import { containsContact } from "./redaction/redact.ts";

type Business = {
  companyName: string | null;
  firstName: string;
  lastName: string;
  /** As typed when the business bought a lead. */
  buyerCompany?: string | null;
  buyerName?: string;
};

/** The name of an erased provider, in their account and on their purchases. */
export const ERASED_PROVIDER = "Erased provider";

const isShown = (name: string) =>
  name !== "" && name !== ERASED_PROVIDER && !containsContact(name) && !findNameFault(name);

/**
 * Returns a business's name for customers and public pages: the first acceptable one of the company, the company and the
 * name on the purchase, and the owner. A name with contact details could send customers to another number or site, and a
 * reserved name could pretend to be us. An erased provider has no name.
 */
export function publicName({ companyName, buyerCompany, buyerName, firstName, lastName }: Business): string {
  const names = [companyName, buyerCompany, buyerName, `${firstName} ${lastName}`].map((name) =>
    toBusinessName(name ?? ""),
  );
  return names.find(isShown) ?? "A local provider";
}

/** The names of a buyer, for `publicName`. Joins the buyer as `users`. */
export const BUYER_NAMES = {
  companyName: users.companyName,
  firstName: users.firstName,
  lastName: users.lastName,
  buyerCompany: leadPurchases.buyerCompany,
  buyerName: leadPurchases.buyerName,
};
