/** Decides what happens to each lead after its exchange was rewound. */
import { isOpen, type ListingRecord } from "../../exchange/listing.ts";
import type { LeadRow } from "../../leads/rules.ts";

/**
 * `close`: D1 knows that the lead has since been sold, withdrawn or moved. `relist`: D1 offers the lead here in a
 * newer generation than the exchange has. `forget`: its customer has since been erased. `keep`: leave the record
 * unchanged.
 */
export type Fate = "keep" | "close" | "relist" | "forget";

/** Compares D1's lead with its record in a rewound exchange of this region. */
export function fateOf(
  region: string,
  { state, generation, isErased }: Pick<ListingRecord, "state" | "generation" | "isErased">,
  lead: Pick<LeadRow, "region" | "generation" | "status" | "listingState" | "erasedAt">,
): Fate {
  if (lead.erasedAt !== null && !isErased) return "forget";
  const isOffered =
    lead.region === region &&
    lead.status === "available" &&
    (lead.listingState === "listed" || lead.listingState === "pending");
  if (!isOffered) return isOpen(state) ? "close" : "keep";
  // A sale is final, whatever D1 offers.
  return lead.generation > generation && state !== "sold" ? "relist" : "keep";
}
