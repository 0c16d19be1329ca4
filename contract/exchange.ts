import * as z from "zod/mini";
import { catch as orElse } from "zod/mini";

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
    /** Whatever the reason, it is gone. */
    reason: orElse(z.enum(GONE_REASONS), "withdrawn"),
  }),
]);
export type MarketChange = z.infer<typeof marketChangeSchema>;

/**
 * A change as a browser reads it. One that this release cannot understand, or whose lead it cannot, is still
 * a place in the history: skipped and counted, so that nobody believes to have missed something.
 */
const readChangeSchema = z.union([
  marketChangeSchema,
  z.pipe(
    z.object({ seq: z.number() }),
    z.transform(({ seq }) => ({ kind: "unknown" as const, seq })),
  ),
]);
export type ReadChange = z.infer<typeof readChangeSchema>;

const place = {
  epoch: z.string(),
  seq: z.number(),
  at: z.optional(z.number()),
  serverNow: z.number(),
  /** Over how long windows should come back, should they all be cut off at once: the more there are, the longer. */
  comeBackWithinMs: z.optional(z.number()),
};

/** Sent first, and whenever a browser's place is not in the history any more. */
const snapshotSchema = z.pipe(
  z.object({
    type: z.literal("snapshot"),
    ...place,
    leads: z.array(z.unknown()),
    total: z.number(),
    /** Where GET /api/leads goes on when there are more leads than the snapshot holds. */
    cursor: z.nullable(z.string()),
  }),
  // A lead that cannot be read costs none of the others, and is not counted.
  z.transform((snapshot) => {
    const leads = snapshot.leads.flatMap((lead) => leadSummarySchema.safeParse(lead).data ?? []);
    return { ...snapshot, leads, total: snapshot.total - (snapshot.leads.length - leads.length) };
  }),
);

/**
 * What an exchange sends to a browser. `epoch` and `seq` name a place in the region's history, `at` is when
 * it was reached: a browser that reconnects with `?since=epoch:seq:at` gets what it missed, or a snapshot.
 * `serverNow` is epoch milliseconds; clocks in browsers are not trusted.
 */
export type ExchangeMessage =
  | z.infer<typeof snapshotSchema>
  | (Omit<z.infer<typeof changesSchema>, "changes"> & { changes: MarketChange[] });

const changesSchema = z.object({
  type: z.literal("changes"),
  ...place,
  changes: z.array(readChangeSchema),
});

/** A kind of message that a later release may send; there is nothing to do about it. */
const unknownSchema = z.pipe(
  z.object({ type: z.string(), serverNow: orElse(z.nullable(z.number()), null) }),
  z.transform(({ serverNow }) => ({ type: "unknown" as const, serverNow })),
);
type UnknownMessage = z.infer<typeof unknownSchema>;

/** A message of an exchange as a browser reads it. */
export type ReadExchangeMessage =
  | z.infer<typeof snapshotSchema>
  | z.infer<typeof changesSchema>
  | UnknownMessage;

/** Reads a frame by its type. @returns null when it is no message, or one of ours that cannot be read */
function readMessage<Message>(
  text: string,
  schemas: Readonly<Record<string, z.ZodMiniType<Message>>>,
): Message | UnknownMessage | null {
  try {
    const message: unknown = JSON.parse(text);
    const unknown = unknownSchema.safeParse(message).data ?? null;
    const { type } = z.object({ type: z.string() }).parse(message);
    return Object.hasOwn(schemas, type) ? (schemas[type]!.safeParse(message).data ?? null) : unknown;
  } catch {
    return null;
  }
}

/**
 * Reads a frame of an exchange's socket, also of another release than this one: unknown fields are left out,
 * missing ones filled in, unreadable leads skipped, unknown changes only counted.
 * @returns null when it cannot be read at all; then only a snapshot helps
 */
export function readExchangeMessage(text: string): ReadExchangeMessage | null {
  return readMessage<z.infer<typeof snapshotSchema> | z.infer<typeof changesSchema>>(text, {
    snapshot: snapshotSchema,
    changes: changesSchema,
  });
}

const helloSchema = z.object({ type: z.literal("hello"), serverNow: z.number() });
const purchaseChangedSchema = z.object({
  type: z.literal("purchase_changed"),
  purchaseId: z.string(),
  byUserId: z.string(),
  /** The customer wrote back to a text message. */
  isAnswer: orElse(z.optional(z.boolean()), undefined),
  serverNow: z.number(),
});
/** A payment came when its lead was gone, and went back to the card. `amount` is decimal text. */
const paymentRefundedSchema = z.object({
  type: z.literal("payment_refunded"),
  leadId: z.string(),
  amount: z.string(),
  serverNow: z.number(),
});

/** What a BusinessRoom sends to the windows of one business. */
export type BusinessMessage = z.infer<
  typeof helloSchema | typeof purchaseChangedSchema | typeof paymentRefundedSchema
>;

/**
 * Reads a frame of a business's socket; what a later release may say besides is `unknown`.
 * @returns null when it cannot be read at all
 */
export function readBusinessMessage(text: string): BusinessMessage | UnknownMessage | null {
  return readMessage<BusinessMessage>(text, {
    hello: helloSchema,
    purchase_changed: purchaseChangedSchema,
    payment_refunded: paymentRefundedSchema,
  });
}

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
