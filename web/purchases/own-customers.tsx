import { useQuery } from "@tanstack/react-query";

import { type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

export const OWN_CUSTOMERS_KEY = ["own-customers"] as const;

/** Fetches the leads for sale, by id, whose customers the business already has. */
export async function fetchOwnCustomers(api: ApiClient): Promise<string[]> {
  return unwrap(api.api.leads["own-customers"].$get());
}

function useOwnCustomers(options: { initialData?: string[]; refetchOnMount?: "always" } = {}) {
  return useQuery({
    queryKey: OWN_CUSTOMERS_KEY,
    queryFn: () => fetchOwnCustomers(browserApi()),
    refetchOnReconnect: true,
    ...options,
  });
}

/** Gives the loader's list to all cards, so that a note moves nothing later. @param first null if it failed to load */
export function useFirstOwnCustomers(first: string[] | null): void {
  useOwnCustomers(first ? { initialData: first } : {});
}

/**
 * Says so if the business already has a lead's customer.
 * @param isAboutToPay fetches the list again, because a lead may have arrived since
 */
export function OwnCustomerNote({
  leadId,
  isAboutToPay = false,
}: {
  leadId: string;
  isAboutToPay?: boolean;
}) {
  const { data } = useOwnCustomers(isAboutToPay ? { refetchOnMount: "always" } : {});
  if (!data?.includes(leadId)) return null;
  return <p className="lead__own-customer">You already have this customer.</p>;
}
