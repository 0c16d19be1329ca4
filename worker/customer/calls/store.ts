/** Moves call clocks on: the sweep's steps, and the customer's responses to "Did they call?". */

import { and, asc, eq, isNotNull, isNull, lte } from "drizzle-orm";

import type { CallAnswer } from "../../../contract/call-clock.ts";
import { findLead } from "../../leads/queries.ts";
import { findCurrentLead } from "../../leads/request-link-store.ts";
import { notifyRoom } from "../../live/room.ts";
import { enqueue, raiseAttention } from "../../outbox/commands.ts";
import { type GatewayAnswer, readCallReply } from "../../pipeline/answers/rules.ts";
import { findAnsweredText, recordCustomerUpdate } from "../../pipeline/answers/store.ts";
import { openCase, recheckCase } from "../../pipeline/guarantee/case-commands.ts";
import { rescheduleInvitation } from "../../pipeline/reviews/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { FactsChanged, guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { leads } from "../../platform/db/leads.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { asRead, nextUpdatedAt } from "../../platform/db/sql.ts";
import { log } from "../../platform/log.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { confirmCustomer } from "../changes/commands.ts";
import { startRescue } from "../rescue/store.ts";
import { callAnswered, callReminder, didTheyCall } from "./messages.ts";
import { advance, applyAnswer, type ClockAct, type ClockChange, RETRY_MS } from "./rules.ts";

/** Returns the statement that writes a change of a clock. */
function writeClock(db: Db, { purchase }: ClockRow, { clock, dueAt }: ClockChange, now: number) {
  return db
    .update(leadPurchases)
    .set({ callClock: clock, clockDueAt: dueAt, updatedAt: nextUpdatedAt(now) })
    .where(eq(leadPurchases.id, purchase.id));
}

/** Returns the statements that enqueue a step's messages. */
function enqueueActs(db: Db, { purchase }: ClockRow, acts: readonly ClockAct[], now: number) {
  const { id: purchaseId, leadId, clockEndsAt: endsAt } = purchase;
  const about = { purchaseId, leadId };
  return acts.flatMap((act) => {
    if (act === "remind") return [enqueue(db, callReminder, { ...about, endsAt }, now)];
    if (act === "warn") return [enqueue(db, callAnswered, { ...about, kind: "last_call", at: now }, now)];
    const isAgain = act === "ask_again";
    return act === "ask" || isAgain ? [enqueue(db, didTheyCall, { ...about, isAgain }, now)] : [];
  });
}

/** Passes the request on. */
async function rescue(context: Context, { purchase }: ClockRow, now: number): Promise<void> {
  await startRescue(context, purchase, now);
  await context.db.update(leadPurchases).set({ clockDueAt: null }).where(eq(leadPurchases.id, purchase.id));
}

type ClockStep = ReturnType<typeof advance>;

/** Ends a clock whose customer waits for a provider that only an admin can find. */
const endWithAdmin = ({ purchase }: ClockRow, acts: ClockAct[], now: number): ClockStep => ({
  clock: { ...purchase.callClock, state: "over", rescuedAt: now },
  dueAt: null,
  acts,
});

/** Returns the next step of a clock that is due. A request is passed on once. After that an admin finds a provider. */
function nextStep(row: ClockRow, now: number): ClockStep {
  const { purchase, isLive, isRefunded, isRescue } = row;
  if (isRefunded) return endWithAdmin(row, ["ask_admin"], now);
  if (!isLive) return { clock: { ...purchase.callClock, state: "over" }, dueAt: null, acts: [] };
  const step = advance(purchase, now);
  if (!isRescue || !step.acts.includes("rescue")) return step;
  return endWithAdmin(row, [...step.acts.filter((act) => act !== "rescue"), "ask_admin"], now);
}

/** Raises attention for a step. Must run before the step is written, so that a failure repeats it. */
async function alertAdmins(
  { db }: Context,
  { purchase, isRefunded, isConfirmed }: ClockRow,
  acts: ClockAct[],
  now: number,
) {
  const { id, leadId } = purchase;
  if (acts.includes("review") && isConfirmed) {
    const detail = `The customer has said twice that no call came, but purchase ${id} has a logged call or text.`;
    await raiseAttention(db, "call_log_review", leadId, detail, now);
  }
  if (acts.includes("ask_admin")) {
    const cause = isRefunded ? "The purchase was refunded." : "The second provider did not call either.";
    const detail = `${cause} Please find the customer another provider.`;
    await raiseAttention(db, "rescue_needed", leadId, detail, now);
  }
}

/**
 * Takes the next step of a clock that is due.
 * @returns false if the purchase changed since it was read
 * @throws Error if D1 or an exchange is unavailable. The clock stays due.
 */
async function takeStep(context: Context, row: ClockRow, now: number): Promise<boolean> {
  const { db } = context;
  const { id, buyerId } = row.purchase;
  const { acts, ...change } = nextStep(row, now);
  await alertAdmins(context, row, acts, now);
  try {
    await guardedBatch(db, asRead(row.purchase), [
      writeClock(db, row, change, now),
      ...enqueueActs(db, row, acts, now),
    ]);
  } catch (error) {
    if (error instanceof FactsChanged) return false;
    throw error;
  }
  if (acts.includes("rescue")) await rescue(context, row, now);
  await notifyRoom(context, { businessId: buyerId, userId: "system" }, id);
  return true;
}

/** Moves a clock whose step failed behind the others. */
async function postpone(db: Db, { purchase: { id, clockDueAt } }: ClockRow, now: number): Promise<void> {
  await db
    .update(leadPurchases)
    .set({ clockDueAt: now + RETRY_MS })
    .where(and(eq(leadPurchases.id, id), eq(leadPurchases.clockDueAt, clockDueAt!)));
}

/** Maximum clocks per run. The next run takes the others. */
const SWEEP_BATCH = 50;

/**
 * Takes the next step of every clock that is due. Safe to repeat.
 * @returns the number of clocks that moved on, and of those that failed
 */
export async function sweepCallClocks(
  context: Context,
  now: number,
): Promise<{ moved: number; failed: number }> {
  const counts = { moved: 0, failed: 0 };
  for (const row of await listDueClocks(context.db, now, SWEEP_BATCH)) {
    try {
      if (await takeStep(context, row, now)) counts.moved += 1;
    } catch (error) {
      counts.failed += 1;
      log("warn", "call_clock_delayed", { purchaseId: row.purchase.id, error });
      await postpone(context.db, row, now);
    }
  }
  return counts;
}

/** A purchase whose clock a response has changed. */
type Answered = { leadId: string; businessId: string; purchaseId: string };

/**
 * Stores the customer's response to "Did they call?" and shows it to the buyer. A repeated response and a clock that is
 * over change nothing.
 * @returns the purchase that changed; null if none did
 */
export function answerCall(
  { db }: Context,
  leadId: string,
  answer: CallAnswer,
  now: number,
): Promise<Answered | null> {
  return retryIfChanged(async () => {
    const row = await findClock(db, leadId);
    const change = row && applyAnswer(row.purchase, answer, now);
    if (!change) return null;
    const { id: purchaseId, buyerId: businessId, callClock } = row.purchase;
    const ofPurchase = eq(leadPurchases.id, purchaseId);
    if (answer === "never_asked") {
      const detail = `The customer says they never asked for a quote. See purchase ${purchaseId}.`;
      await raiseAttention(db, "never_asked", leadId, detail, now);
    }
    const [update] = recordCustomerUpdate(db, { leadId, kind: answer }, now);
    await guardedBatch(db, asRead(row.purchase), [
      update,
      writeClock(db, row, change, now),
      // A confirmed call needs no alert.
      ...(answer === "called"
        ? []
        : [enqueue(db, callAnswered, { purchaseId, leadId, kind: answer, at: now }, now)]),
      // Decides under the guarantee, or takes back a decision that rests on an earlier response.
      answer === "never_asked"
        ? openCase(db, { of: ofPurchase, rule: "never_asked", dueAt: now }, now)
        : recheckCase(db, ofPurchase, now),
      // The customer takes back that they never asked.
      ...(callClock?.answer === "never_asked" ? [rescheduleInvitation(db, purchaseId, now)] : []),
    ]);
    return { leadId, businessId, purchaseId };
  });
}

/**
 * Confirms the customer's number. Takes a reply that says yes or no to "Has your provider called you yet?" as the
 * customer's response. An unclear reply is answered with the link to the page, once for each purchase: the reply may be
 * an automatic one.
 * @returns the purchase that changed; null if the reply is unclear, or changes nothing
 */
export async function answerCallByText(context: Context, answer: GatewayAnswer, now: number) {
  const { db } = context;
  const text = await findAnsweredText(db, answer, now);
  // If the phone number was corrected since, a different person received the text message.
  const lead = text && (await findLead(db, text.leadId));
  if (lead?.phoneKey !== answer.from) return null;
  await confirmCustomer(context, await findCurrentLead(db, lead), "sms", now);
  if (text?.template !== "did_they_call") return null;
  const response = readCallReply(answer.words);
  if (response) return answerCall(context, lead.id, response, now);
  const { purchaseId = "", isAgain = false } = text.payload;
  const question = { leadId: lead.id, purchaseId, isAgain, isUnclear: true };
  await enqueue(db, didTheyCall, question, now, { when: isNull(leads.customerEmail) });
  return null;
}

/**
 * Shows a customer's response to the buyer's windows and phones, and passes the request on if it is time. If that
 * fails, the sweep does it within a minute.
 */
export async function announceAnswer(
  context: Context,
  { leadId, businessId, purchaseId }: Answered,
  now: number,
): Promise<void> {
  try {
    await notifyRoom(context, { businessId, userId: "system" }, purchaseId);
    await context.DELIVER?.(null);
    const row = await findClock(context.db, leadId);
    const dueAt = row?.purchase.clockDueAt ?? null;
    if (row && dueAt !== null && dueAt <= now) await takeStep(context, row, now);
  } catch (error) {
    log("warn", "call_answer_not_announced", { purchaseId, error });
  }
}

// Reads purchases with a call clock.

/** A purchase with a call clock. */
type ClockRow = {
  purchase: PurchaseRow & { clockEndsAt: number };
  /** Whether the buyer still has the lead and the customer still exists. */
  isLive: boolean;
  /** The buyer has their money back, and the customer still exists. */
  isRefunded: boolean;
  /** The lead was passed on once already. */
  isRescue: boolean;
  /** Only the answers of a confirmed customer count against the buyer. */
  isConfirmed: boolean;
};

type Selected = {
  purchase: PurchaseRow;
  erasedAt: number | null;
  rescuedFromId: string | null;
  confirmedBy: string | null;
};

const SELECTED = {
  purchase: leadPurchases,
  erasedAt: leads.erasedAt,
  rescuedFromId: leads.rescuedFromId,
  confirmedBy: leads.confirmedBy,
};

function toClockRow({ purchase, erasedAt, rescuedFromId, confirmedBy }: Selected): ClockRow[] {
  const { clockEndsAt, paymentStatus, removedAt } = purchase;
  if (clockEndsAt === null) return [];
  const isThere = removedAt === null && erasedAt === null;
  const isRefunded = isThere && paymentStatus === "refunded";
  const isRescue = rescuedFromId !== null;
  return [
    {
      purchase: { ...purchase, clockEndsAt },
      isLive: isThere && !isRefunded,
      isRefunded,
      isRescue,
      isConfirmed: confirmedBy !== null,
    },
  ];
}

/** Returns clocks that are due, oldest first. */
async function listDueClocks(db: Db, now: number, limit: number): Promise<ClockRow[]> {
  const rows = await db
    .select(SELECTED)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    // Repeats the condition of the partial index, or SQLite does not use it.
    .where(and(isNotNull(leadPurchases.clockDueAt), lte(leadPurchases.clockDueAt, now)))
    .orderBy(asc(leadPurchases.clockDueAt))
    .limit(limit);
  return rows.flatMap(toClockRow);
}

/** Returns the clock of a lead's sale; null if the lead is not sold or has no clock. */
async function findClock(db: Db, leadId: string): Promise<ClockRow | null> {
  const rows = await db
    .select(SELECTED)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(and(eq(leadPurchases.leadId, leadId), isNull(leadPurchases.removedAt)));
  return rows.flatMap(toClockRow).find(({ isLive }) => isLive) ?? null;
}
