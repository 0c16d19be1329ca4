import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { Health, PartHealth } from "../../../contract/health.ts";
import type { Region } from "../../../contract/regions.ts";

/** A paused region. `isByAdmin`: whether an admin paused it, rather than a restore or an operator's command. */
export type Pause = { region: Region; since: number; isByAdmin: boolean };

/** Results of the checks. Null means that there was no response in time. Times are epoch ms. */
export type CheckResults = {
  version: Health["version"];
  database: {
    ms: number;
    pendingSince: number | null;
    messageDueSince: number | null;
    pauses: Pause[];
  } | null;
  exchanges: { region: Region; response: { ms: number; outboxSince: number | null } | null }[];
  /** Regions where D1 offers a lead that the exchange does not know. */
  forgotten: Region[];
};

/** The outbox retries for some minutes on its own. After this long a person should check. */
export const MAX_OUTBOX_AGE_MS = 10 * MINUTE_MS;

/** Maximum age of a pending lead. The sweep that lists pending leads runs every minute. */
export const MAX_PENDING_MS = 5 * MINUTE_MS;

/** Maximum age of a due message: the sweep runs every minute, and messages stay in the queue for two at most. */
const MAX_MESSAGE_AGE_MS = 10 * MINUTE_MS;

/** Maximum pause by an operator's command. A restore takes minutes, so a longer pause is a fault. */
export const MAX_COMMAND_PAUSE_MS = HOUR_MS;

const since = (time: number | null, now: number) => (time === null ? 0 : Math.max(0, now - time));

export function healthOf(checked: CheckResults, now: number): Health {
  const isD1Known = checked.database !== null;
  const ifKnown = <Value>(value: Value) => (isD1Known ? value : null);
  const stateOf = (isOk: boolean): PartHealth => (isD1Known ? isOk : "unknown");
  const responses = checked.exchanges.flatMap(({ response }) => response ?? []);
  const unreachable = checked.exchanges
    .filter(({ response }) => response === null)
    .map(({ region }) => region);
  const oldestOutbox = Math.max(0, ...responses.map(({ outboxSince }) => since(outboxSince, now)));
  const oldestPending = since(checked.database?.pendingSince ?? null, now);
  const pauses = checked.database?.pauses ?? [];
  const oldestMessage = since(checked.database?.messageDueSince ?? null, now);
  const parts = {
    database: { ok: checked.database !== null, ms: checked.database?.ms ?? 0 },
    exchanges: {
      ok: unreachable.length === 0,
      unreachable,
      slowestMs: Math.max(0, ...responses.map(({ ms }) => ms)),
    },
    market: { ok: stateOf(checked.forgotten.length === 0), forgotten: checked.forgotten },
    // The exchanges know how old their entries are, but not whether D1 takes them.
    outbox: {
      ok: oldestOutbox <= MAX_OUTBOX_AGE_MS && stateOf(true),
      oldestMs: responses.length > 0 ? oldestOutbox : null,
    },
    pending: { ok: stateOf(oldestPending <= MAX_PENDING_MS), oldestMs: ifKnown(oldestPending) },
    pauses: {
      ok: stateOf(
        pauses.every((pause) => pause.isByAdmin || since(pause.since, now) <= MAX_COMMAND_PAUSE_MS),
      ),
      regions: pauses.map((pause) => ({ region: pause.region, forMs: since(pause.since, now) })),
    },
    messages: { ok: stateOf(oldestMessage <= MAX_MESSAGE_AGE_MS), oldestMs: ifKnown(oldestMessage) },
  };
  return { ok: Object.values(parts).every(({ ok }) => ok === true), version: checked.version, ...parts };
}
