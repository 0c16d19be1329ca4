import type { AdminLead } from "../../contract/admin-leads.ts";
import type { BadgeTone } from "../ui/badge.tsx";

/** The states of a lead, as the filter names them. */
export const LEAD_STATES = [
  { value: "quarantined", label: "Suspicious" },
  { value: "pending", label: "Waiting to be listed" },
  { value: "available", label: "Available" },
  { value: "sold", label: "Sold" },
  { value: "withdrawn", label: "Withdrawn or dropped" },
  { value: "expired", label: "Expired" },
  { value: "private", label: "Providers' own" },
] as const;

export function describeState(lead: AdminLead): { label: string; tone: BadgeTone } {
  const { listingState, status } = lead;
  if (listingState === "quarantined") return { label: "Suspicious", tone: "hot" };
  if (listingState === "pending") return { label: "Waiting to be listed", tone: "warm" };
  if (listingState === "private") return { label: "Provider's own", tone: "neutral" };
  if (status === "available") return { label: "Available", tone: "fresh" };
  if (status === "sold") return { label: "Sold", tone: "neutral" };
  return { label: status === "withdrawn" ? "Withdrawn" : "Expired", tone: "neutral" };
}

/** Returns whether a lead is on the market, or soon will be. */
export function isForSale(lead: AdminLead): boolean {
  const { listingState, status } = lead;
  return status === "available" && (listingState === "listed" || listingState === "pending");
}
