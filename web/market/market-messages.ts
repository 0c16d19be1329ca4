import type { QueryClient } from "@tanstack/react-query";

import { readExchangeMessage } from "../../contract/exchange.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { FrameVerdict } from "../lib/live-socket.ts";
import { withMessage } from "./market.ts";
import { editRegion, regionOf } from "./market-store.ts";

export type AppliedMessage = {
  verdict: FrameVerdict;
  serverNow: number | null;
  /** Period over which the region's windows should reconnect if all of them drop together. */
  comeBackWithinMs: number;
  listed: LeadSummary[];
  /** Whether a lead that the window may know has changed. */
  isRevised?: boolean;
};

/** Applies one frame of a region's socket. */
export function applyMessage(client: QueryClient, slug: string, text: string): AppliedMessage {
  const message = readExchangeMessage(text);
  if (!message) {
    // The message is unreadable, so start over from a snapshot.
    editRegion(client, slug, (region) => ({ ...region, position: null }));
    return { verdict: "reconnect", serverNow: null, comeBackWithinMs: 0, listed: [] };
  }
  if (message.type === "unknown")
    return { verdict: "ok", serverNow: message.serverNow, comeBackWithinMs: 0, listed: [] };
  const { region, gap } = withMessage(regionOf(client, slug), message);
  editRegion(client, slug, () => region);
  const listed =
    message.type === "snapshot"
      ? message.leads
      : message.changes.flatMap((change) => (change.kind === "listed" ? change.lead : []));
  const isRevised = message.type === "changes" && message.changes.some(({ kind }) => kind === "revised");
  const { serverNow, comeBackWithinMs = 0 } = message;
  return { verdict: gap ? "reconnect" : "ok", serverNow, comeBackWithinMs, listed, isRevised };
}
