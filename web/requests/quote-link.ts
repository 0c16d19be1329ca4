import type { CustomerRequest } from "../../contract/request-links.ts";

/** Returns the link to a quote form with the same services and suburb, and nothing else about the customer. */
export function getQuoteLink({ services, place }: Pick<CustomerRequest, "services" | "place">): string {
  const query = new URLSearchParams(services.map((service) => ["service", service]));
  if (place) query.set("address", place);
  return `/get-quote?${query.toString()}`;
}
