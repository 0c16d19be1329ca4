import * as z from "zod/mini";

import { leadSummarySchema } from "./leads.ts";

/** Why a lead left the market. */
export const GONE_REASONS = ["sold", "withdrawn", "expired"] as const;

/** The newest leads a snapshot holds; the rest is paged through GET /api/leads. */
export const SNAPSHOT_LEADS = 200;

/** One change on a region's market, in the order in which it happened. */
export const marketChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listed"), seq: z.number(), lead: leadSummarySchema }),
  /** Somebody is paying for it, until then at the latest (epoch milliseconds). */
  z.object({ kind: z.literal("held"), seq: z.number(), leadId: z.string(), until: z.number() }),
  /** For sale again; with the lead, for those who had already counted it out. */
  z.object({ kind: z.literal("returned"), seq: z.number(), lead: leadSummarySchema }),
  z.object({
    kind: z.literal("gone"),
    seq: z.number(),
    leadId: z.string(),
    reason: z.enum(GONE_REASONS),
  }),
]);
export type MarketChange = z.infer<typeof marketChangeSchema>;

/**
 * What an exchange sends to a browser. `epoch` and `seq` name a place in the region's history, `at` is when
 * it was reached: a browser that reconnects with `?since=epoch:seq:at` gets what it missed, or a snapshot.
 * `serverNow` is epoch milliseconds; clocks in browsers are not trusted.
 */
export const exchangeMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    epoch: z.string(),
    seq: z.number(),
    at: z.optional(z.number()),
    serverNow: z.number(),
    leads: z.array(leadSummarySchema),
    total: z.number(),
    /** Where GET /api/leads goes on when there are more leads than the snapshot holds. */
    cursor: z.nullable(z.string()),
  }),
  z.object({
    type: z.literal("changes"),
    epoch: z.string(),
    seq: z.number(),
    at: z.optional(z.number()),
    serverNow: z.number(),
    changes: z.array(marketChangeSchema),
  }),
]);
export type ExchangeMessage = z.infer<typeof exchangeMessageSchema>;

/** What a BusinessRoom sends to the windows of one business. */
export const businessMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), serverNow: z.number() }),
  z.object({
    type: z.literal("purchase_changed"),
    purchaseId: z.string(),
    byUserId: z.string(),
    serverNow: z.number(),
  }),
  /** A payment came when its lead was gone, and went back to the card. `amount` is decimal text. */
  z.object({
    type: z.literal("payment_refunded"),
    leadId: z.string(),
    amount: z.string(),
    serverNow: z.number(),
  }),
]);
export type BusinessMessage = z.infer<typeof businessMessageSchema>;

/** Close codes of our sockets (4000-4999 are free for applications, RFC 6455). */
export const CLOSE = {
  /** Rights ended: do not reconnect, ask the server who you are. */
  signedOut: 4401,
  /** An hour is over, or too many windows: reconnect. */
  renew: 4408,
  /** A browser has nothing to say on this socket. */
  unexpectedMessage: 4400,
} as const;

/** Sent by the browser to keep the socket alive; answered without waking the object. */
export const PING = "ping";
export const PONG = "pong";
