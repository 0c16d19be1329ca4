import type { AdminLead } from "../../contract/admin-leads.ts";
import type { BadgeTone } from "../ui/badge.tsx";

/** Where a lead can stand, in the words of the filter. */
export const STANDINGS = [
  { value: "quarantined", label: "Suspicious" },
  { value: "pending", label: "Waiting to be listed" },
  { value: "available", label: "Available" },
  { value: "sold", label: "Sold" },
  { value: "withdrawn", label: "Withdrawn or dropped" },
  { value: "expired", label: "Expired" },
  { value: "private", label: "Providers' own" },
] as const;

/** Where a lead stands, in a word or two. */
export function standingOf(lead: AdminLead): { words: string; tone: BadgeTone } {
  const { listingState, status } = lead;
  if (listingState === "quarantined") return { words: "Suspicious", tone: "hot" };
  if (listingState === "pending") return { words: "Waiting to be listed", tone: "warm" };
  if (listingState === "private") return { words: "Provider's own", tone: "neutral" };
  if (status === "available") return { words: "Available", tone: "fresh" };
  if (status === "sold") return { words: "Sold", tone: "neutral" };
  return { words: status === "withdrawn" ? "Withdrawn" : "Expired", tone: "neutral" };
}

/** Whether a lead is on the market, or on its way there. */
export function isOnMarket(lead: AdminLead): boolean {
  const { listingState, status } = lead;
  return status === "available" && (listingState === "listed" || listingState === "pending");
}
