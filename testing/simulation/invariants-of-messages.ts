/** Each message was sent exactly once or never, once all operations have finished. */
import type { Actors } from "./actors.ts";
import { leadsOf, purchasesOf } from "./facts.ts";
import { ERROR_FAULTS } from "./features.ts";
import { Violation } from "./violation.ts";

type Row = { id: string; key: string; recipient: string; state: string; due: number };

/** The states of a message that its service has accepted. */
const DONE = new Set(["sent", "delivered"]);

export function checkMessages(cast: Actors): void {
  if (!cast.has("messages")) return;
  const rows = cast.world.d1.statements.rows(
    "SELECT id, dedupe_key AS key, recipient, state, due FROM messages WHERE recipient IS NOT NULL",
    [],
  ) as Row[];
  const erased = new Set(leadsOf(cast.world).flatMap((one) => (one.erasedAt === null ? [] : [one.id])));
  for (const row of rows) checkRow(cast, row);
  for (const [recipient, some] of Map.groupBy(rows, (row) => row.recipient))
    checkRecipient(cast, recipient, some, erased.size > 0);
  checkSales(cast, rows, erased);
}

/** A message is over: sent, refused, out of date or no longer wanted. */
function checkRow({ world }: Actors, { id, key, recipient, state, due }: Row): void {
  if (state === "waiting" && due <= world.scheduler.now)
    throw new Violation(`Messages: ${key} was due at ${due} and is still waiting`);
  // Only notifications are useless after some minutes.
  if (state === "expired" && !recipient.startsWith("psh_"))
    throw new Violation(`Messages: ${key} expired before it was sent`);
  const mayFail =
    world.senders.refused.has(recipient) || ERROR_FAULTS.some((name) => world.features.has(name));
  const isUnclear = recipient.startsWith("+") && world.features.has("senders");
  if (state === "failed" && !mayFail && !isUnclear)
    throw new Violation(`Messages: ${key} failed, but no service refused it`);
  if (world.senders.reported.has(id) && state !== "delivered" && !world.senders.stopped.has(recipient))
    throw new Violation(`Messages: ${key} was delivered and is ${state}`);
}

/** A recipient gets each message once. A repeat is possible only if the Worker did not learn of the first. */
function checkRecipient({ world }: Actors, recipient: string, rows: Row[], hasErased: boolean): void {
  // The opt-out may come while a message is sent, and an erasure deletes messages.
  if (world.senders.stopped.has(recipient) || hasErased) return;
  const all = world.senders.accepted.filter((one) => one.recipient === recipient);
  const known = all.filter(({ process }) => process.isAlive && !process.isUnsure);
  const done = rows.filter(({ state }) => DONE.has(state));
  if (known.length > done.length || done.length > all.length)
    throw new Violation(
      `Messages: ${recipient} got ${all.length} messages, ${all.length - known.length} of them with an unknown result, for ${done.map(({ key }) => key).join(", ") || "none"}`,
    );
}

/** The customer of each sold lead has a message about it, unless the sale was undone before it was sent. */
function checkSales(cast: Actors, rows: Row[], erased: ReadonlySet<string>): void {
  const { world } = cast;
  for (const { id, leadId, paymentStatus, removedAt } of purchasesOf(world)) {
    if (erased.has(leadId) || paymentStatus !== "completed" || removedAt !== null) continue;
    const about = rows.find(({ key }) => /^request_taken:(sms:)?/.test(key) && key.endsWith(id));
    if (!about) throw new Violation(`Messages: no message says that ${leadId} was taken`);
    // A dispute that was won had undone the sale for a while.
    const isDropped = about.state === "dropped" && !cast.has("disputes") && !cast.has("pending_refunds");
    if (isDropped && !world.senders.stopped.has(about.recipient))
      throw new Violation(`Messages: ${about.key} was dropped, but the lead is sold`);
  }
}
