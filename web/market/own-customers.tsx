import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { type ApiClient, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";

/** Maximum leads in one call to the API. */
const MAX_LEADS_PER_CALL = 100;

const keyOf = (leadId: string) => ["own-customer", leadId] as const;

/** Fetches which of these leads, at most 100, are from customers whom the business already has. */
export async function fetchOwnCustomers(api: ApiClient, leadIds: readonly string[]): Promise<string[]> {
  if (leadIds.length === 0) return [];
  return unwrap(api.api.leads["own-customers"].$get({ query: { ids: leadIds.join(",") } }));
}

let batch: { leadIds: string[]; own: Promise<readonly string[]> } | null = null;

/** Returns whether the business already has a lead's customer. Cards that ask at once share a call. */
async function isOwnCustomer(leadId: string): Promise<boolean> {
  if (!batch || batch.leadIds.length === MAX_LEADS_PER_CALL) {
    const leadIds: string[] = [];
    const own = Promise.resolve().then(() => {
      if (batch?.leadIds === leadIds) batch = null;
      return fetchOwnCustomers(browserApi(), leadIds);
    });
    batch = { leadIds, own };
  }
  batch.leadIds.push(leadId);
  return (await batch.own).includes(leadId);
}

/** `asked`: the leads of the first page. `own`: those from customers whom the business already has. */
export type FirstOwnCustomers = { asked: readonly string[]; own: readonly string[] };

function seed(client: QueryClient, first: FirstOwnCustomers | null): void {
  for (const leadId of first?.asked ?? []) client.setQueryData(keyOf(leadId), first!.own.includes(leadId));
}

/** Seeds the cards with the loader's results, so that a late note does not shift the list. @param first null if they failed to load */
export function useFirstOwnCustomers(first: FirstOwnCustomers | null): void {
  const client = useQueryClient();
  useState(() => seed(client, first));
}

/**
 * Shows a note if the business already has the lead's customer.
 * @param isAboutToPay asks again, because a colleague may have added the customer since
 */
export function OwnCustomerNote({
  leadId,
  isAboutToPay = false,
}: {
  leadId: string;
  isAboutToPay?: boolean;
}) {
  const { data } = useQuery({
    queryKey: keyOf(leadId),
    queryFn: () => isOwnCustomer(leadId),
    ...(isAboutToPay && { refetchOnMount: "always" as const }),
  });
  if (!data) return null;
  return <p className="lead__own-customer">You already have this customer.</p>;
}
