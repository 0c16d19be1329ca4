import { containsContact } from "./redaction/redact.ts";

type Business = {
  companyName: string | null;
  firstName: string;
  lastName: string;
  /** As typed when the business bought a lead. */
  buyerCompany?: string | null;
  buyerName?: string;
};

/**
 * Returns a business's name for customers and public pages: the company's, or the owner's if the company's contains
 * contact details. Otherwise a name could send customers to another number or site.
 */
export function publicName({ companyName, buyerCompany, buyerName, firstName, lastName }: Business): string {
  const names = [companyName, buyerCompany, buyerName, `${firstName} ${lastName}`].map((name) =>
    name?.trim(),
  );
  return names.find((name) => name && !containsContact(name)) ?? "A local provider";
}
