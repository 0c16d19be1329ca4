/** Shared by the channels' senders: results, verdicts and retries. No I/O. */
import type { MessageState } from "../platform/db/messages.ts";
import type { DeviceRow, MessageRow, Skip } from "../outbox/message.ts";

/**
 * A message's result. A waiting message is due again at `due`. `untried`: checked only, which does not count as an
 * attempt. `deadDeviceId`: its dead device. `replacement`: the message that replaces it later.
 */
export type Result = {
  id: string;
  state: MessageState;
  due: number;
  untried?: true;
  deadDeviceId?: string;
  replacement?: DeviceRow;
};

/**
 * A service's response to a message. `gone`: the recipient's device no longer exists. `refused`: the service will never
 * accept this message. `busy`: it accepts no messages for this many ms. `later`: a retry may succeed after this many
 * ms. Null: the service did not say. `detail` is logged.
 */
export type SendOutcome =
  | { kind: "sent" }
  | { kind: "gone" }
  | { kind: "refused"; detail: object }
  | { kind: "busy" | "later"; afterMs: number | null; detail: object };

/** How one channel sends the messages of a run. */
export type ChannelSender = {
  /** Name in the log line when the service does not accept a message. */
  name: "push" | "email" | "text";
  /** Messages sent in parallel and recorded together. */
  groupSize: number;
  /** Loads the data that a group's messages share. */
  begin?: (group: readonly MessageRow[]) => Promise<void>;
  /** Returns why a message is not sent, without I/O; null if it may be sent. */
  check?: (message: MessageRow, now: number) => Skip | null;
  /** Returns the service for a message. While the service is busy, its other messages wait. */
  serviceOf?: (message: MessageRow) => string;
  /** Builds the content from the current state. Returns a function that sends it. */
  prepare: (message: MessageRow, now: number) => Promise<Skip | (() => Promise<SendOutcome>)>;
};

const FIRST_RETRY_MS = 15_000;
const MAX_RETRY_DELAY_MS = 5 * 60_000;

/** Returns the backoff after this many attempts, in ms. Jitter spreads the retries of many messages. */
export function retryAfter(attempts: number, random = Math.random()): number {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), MAX_RETRY_DELAY_MS);
  return Math.round(wait * (0.75 + random / 2));
}

const MIN_WAIT_MS = 10_000;
const MAX_WAIT_MS = 60 * 60_000;

/** Returns the delay in a Retry-After header, in ms, within limits; null if it is missing or unreadable. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, MIN_WAIT_MS), MAX_WAIT_MS);
}
