import * as z from "zod/mini";
import { catch as orElse } from "zod/mini";

import { leadSummarySchema } from "./leads.ts";

export const GONE_REASONS = ["sold", "withdrawn", "expired"] as const;

/** Maximum leads in a snapshot, newest first. GET /api/leads pages through the rest. */
export const SNAPSHOT_LEADS = 200;

/** One change on a region's market, in order. */
export const marketChangeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listed"), seq: z.number(), lead: leadSummarySchema }),
  /** A buyer holds the lead until this time at the latest (epoch milliseconds). */
  z.object({ kind: z.literal("held"), seq: z.number(), leadId: z.string(), until: z.number() }),
  /** For sale again. It includes the lead, because a browser may have removed it. */
  z.object({ kind: z.literal("returned"), seq: z.number(), lead: leadSummarySchema }),
  /** The customer changed the request. The lead stays where it is in the list. */
  z.object({ kind: z.literal("revised"), seq: z.number(), lead: leadSummarySchema }),
  z.object({
    kind: z.literal("gone"),
    seq: z.number(),
    leadId: z.string(),
    /** An unknown reason does not matter: the lead is gone. */
    reason: orElse(z.enum(GONE_REASONS), "withdrawn"),
  }),
]);
export type MarketChange = z.infer<typeof marketChangeSchema>;

/**
 * A change as a browser reads it. An unknown change, or one with an unreadable lead, keeps its place in the history.
 * The browser skips it but counts it, so it does not look like a gap.
 */
const readChangeSchema = z.union([
  marketChangeSchema,
  z.pipe(
    z.object({ seq: z.number() }),
    z.transform(({ seq }) => ({ kind: "unknown" as const, seq })),
  ),
]);
export type ReadChange = z.infer<typeof readChangeSchema>;

const positionFields = {
  epoch: z.string(),
  seq: z.number(),
  serverNow: z.number(),
  /**
   * Windows spread their reconnects over this period if all connections drop at once. It grows with the number of
   * windows.
   */
  comeBackWithinMs: z.optional(z.number()),
};

/** Sent first, and whenever a browser's cursor is no longer in the history. */
const snapshotSchema = z.pipe(
  z.object({
    type: z.literal("snapshot"),
    ...positionFields,
    leads: z.array(z.unknown()),
    total: z.number(),
    /** Cursor for GET /api/leads when there are more leads than the snapshot holds. */
    cursor: z.nullable(z.string()),
  }),
  // Skip a lead that cannot be read, and do not count it.
  z.transform((snapshot) => {
    const leads = snapshot.leads.flatMap((lead) => leadSummarySchema.safeParse(lead).data ?? []);
    return { ...snapshot, leads, total: snapshot.total - (snapshot.leads.length - leads.length) };
  }),
);

/**
 * A message from an exchange to a browser. `epoch` and `seq` are a cursor in the region's history. A browser
 * that reconnects with `?since=epoch:seq` gets the changes it missed, or a snapshot. `serverNow` is epoch milliseconds,
 * because browsers' clocks are not reliable.
 */
export type ExchangeMessage =
  | z.infer<typeof snapshotSchema>
  | (Omit<z.infer<typeof changesSchema>, "changes"> & { changes: MarketChange[] });

const changesSchema = z.object({
  type: z.literal("changes"),
  ...positionFields,
  changes: z.array(readChangeSchema),
});

/** A message type of a later release, which this release ignores. */
const unknownSchema = z.pipe(
  z.object({ type: z.string(), serverNow: orElse(z.nullable(z.number()), null) }),
  z.transform(({ serverNow }) => ({ type: "unknown" as const, serverNow })),
);
type UnknownMessage = z.infer<typeof unknownSchema>;

/** A message from an exchange as a browser reads it. */
export type ReadExchangeMessage =
  | z.infer<typeof snapshotSchema>
  | z.infer<typeof changesSchema>
  | UnknownMessage;

/**
 * Parses a frame by its type.
 * @returns null when it is not a message, or a known type that cannot be read
 */
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
 * Parses a frame from an exchange's socket, including frames of other releases. Drops unknown fields, fills in missing
 * ones, skips unreadable leads and only counts unknown changes.
 * @returns null when it is unreadable; then the browser needs a snapshot
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
  /** The customer replied to a text message. */
  isAnswer: orElse(z.optional(z.boolean()), undefined),
  serverNow: z.number(),
});
/** A payment arrived after the lead was gone, and we refunded it to the card. `amount` is decimal text. */
const paymentRefundedSchema = z.object({
  type: z.literal("payment_refunded"),
  leadId: z.string(),
  amount: z.string(),
  serverNow: z.number(),
});

/** An offer of a rescued lead to this business began or ended. */
const offersChangedSchema = z.object({ type: z.literal("offers_changed"), serverNow: z.number() });

/** A message from a BusinessRoom to the windows of one business. */
export type BusinessMessage = z.infer<
  | typeof helloSchema
  | typeof purchaseChangedSchema
  | typeof paymentRefundedSchema
  | typeof offersChangedSchema
>;

/**
 * Parses a frame from a business's socket. A message type of a later release becomes `unknown`.
 * @returns null when it is unreadable
 */
export function readBusinessMessage(text: string): BusinessMessage | UnknownMessage | null {
  return readMessage<BusinessMessage>(text, {
    hello: helloSchema,
    purchase_changed: purchaseChangedSchema,
    payment_refunded: paymentRefundedSchema,
    offers_changed: offersChangedSchema,
  });
}

/** Close codes of our sockets (4000-4999 are free for applications, RFC 6455). */
export const CLOSE = {
  /** The session's rights ended. Do not reconnect; check the session with the server. */
  signedOut: 4401,
  /** The connection is an hour old, or the user has too many windows. Reconnect. */
  renew: 4408,
  /** The browser sent something other than a ping. */
  unexpectedMessage: 4400,
} as const;

/** The browser sends pings to keep the socket alive. The runtime answers without waking the object. */
export const PING = "ping";
export const PONG = "pong";
