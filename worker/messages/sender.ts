/** The parts that the channels' senders share: results, verdicts and retries. Without I/O. */
import type { MessageState } from "../platform/db/message-types.ts";
import type { messages } from "../platform/db/schema.ts";
import type { DeviceRow } from "../outbox/commands.ts";

export type MessageRow = typeof messages.$inferSelect;

/**
 * A message's result. A waiting one is due again at `due`. `untried`: only checked, which is no attempt. `gone`: the id
 * of its dead device. `instead`: the message that replaces it later.
 */
export type Result = {
  id: string;
  state: MessageState;
  due: number;
  untried?: true;
  gone?: string;
  instead?: DeviceRow;
};

/** Why a message is not sent now: not wanted any more, or to be checked again later, which is no attempt. */
export type NotNow = { isNotNow: true; due: number | null; instead?: DeviceRow };

/** The lead is gone, or the recipient does not want such messages. */
export const UNWANTED: NotNow = { isNotNow: true, due: null };

/** Returns the verdict that a message is checked again. @param due epoch ms */
export const checkAgainAt = (due: number): NotNow => ({ isNotNow: true, due });

export const isNotNow = (found: object): found is NotNow => "isNotNow" in found;

/**
 * What a service did with a message. `gone`: the recipient's device no longer exists. `refused`: the service will never
 * take this message. `busy`: it takes no messages for this many ms. `later`: a retry may succeed after this many ms.
 * Null: the service did not say. `detail` is logged.
 */
export type SendOutcome =
  | { kind: "sent" }
  | { kind: "gone" }
  | { kind: "refused"; detail: object }
  | { kind: "busy" | "later"; afterMs: number | null; detail: object };

/** How one channel sends the messages of a run. */
export type ChannelSender = {
  /** Names the log line of a message that was not taken. */
  name: "push" | "email" | "text";
  /** Messages that are sent in parallel and recorded at once. */
  groupSize: number;
  /** Reads what the messages of a group share. */
  begin?: (group: readonly MessageRow[]) => Promise<void>;
  /** Returns why a message is not sent, from what is known without I/O. */
  check?: (message: MessageRow, now: number) => NotNow | null;
  /** Names the service that takes a message. While it is busy, its other messages wait. */
  serviceOf?: (message: MessageRow) => string;
  /** Builds the content from the current state. Returns the call that sends it. */
  prepare: (message: MessageRow, now: number) => Promise<NotNow | (() => Promise<SendOutcome>)>;
};

const FIRST_RETRY_MS = 15_000;
const SLOWEST_RETRY_MS = 5 * 60_000;

/** Returns the backoff after this many attempts, in ms. Jitter keeps many messages from retrying at once. */
export function retryAfter(attempts: number, random = Math.random()): number {
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, attempts - 1), SLOWEST_RETRY_MS);
  return Math.round(wait * (0.75 + random / 2));
}

const LEAST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** Returns the wait that a Retry-After header asks for, in ms, within limits; null if it is missing or unreadable. */
export function askedWait(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, LEAST_WAIT_MS), LONGEST_WAIT_MS);
}
