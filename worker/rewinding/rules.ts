/** What becomes of a lead that an exchange offers again after its storage was taken back. */
import { isOpen, type ListingRecord } from "../exchange/listing.ts";
import type { LeadRow } from "../leads/rules.ts";

/**
 * `close`: D1 knows that it was sold, withdrawn or moved meanwhile. `relist`: D1 offers it here in a younger
 * generation than the exchange remembers. `forget`: its person was erased meanwhile. `keep`: as it is.
 */
export type Fate = "keep" | "close" | "relist" | "forget";

/** What D1 knows of a lead, its exchange's region and its record being what they are after the rewinding. */
export function fateOf(
  region: string,
  { state, generation, isErased }: Pick<ListingRecord, "state" | "generation" | "isErased">,
  lead: Pick<LeadRow, "region" | "generation" | "status" | "listingState" | "erasedAt">,
): Fate {
  if (lead.erasedAt !== null && !isErased) return "forget";
  if (!isOpen(state)) return "keep";
  const isOffered =
    lead.region === region &&
    lead.status === "available" &&
    (lead.listingState === "listed" || lead.listingState === "pending");
  if (!isOffered) return "close";
  return lead.generation > generation ? "relist" : "keep";
}
