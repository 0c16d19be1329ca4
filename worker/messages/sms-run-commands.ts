/** Sends the text messages that a run has leased. */
import { and, eq, isNull } from "drizzle-orm";

import { MINUTE_MS } from "../../contract/durations.ts";
import { database } from "../platform/db/client.ts";
import { leads, messages } from "../platform/db/schema.ts";
import { type Env, settings } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { takerOf, wordsOf } from "./email-content-commands.ts";
import { stoppedSince } from "./email-stop-commands.ts";
import { retryAfter } from "./push-rules.ts";
import { textTriedAgainAfter } from "./text-rules.ts";
import { requestTakenText } from "./request-texts.ts";
import type { Result } from "./results.ts";
import { sendText, type SmsSettings } from "./sms-gateway.ts";
import { numberHash } from "./stop-commands.ts";
import { textWaitsUntil } from "./text-rules.ts";

type MessageRow = typeof messages.$inferSelect;

/** The state of one run. `busyForMs`: how long the gateway takes no texts; null while it does. */
export type TextRun = { sms: SmsSettings; busyForMs: number | null };

/** Builds a text at sending time. Returns null if it is no longer needed, or must not go to this recipient. */
async function makeText(env: Env, message: MessageRow, sms: SmsSettings): Promise<string | null> {
  const db = database(env.DB);
  const { recipient, leadId, payload } = message;
  const [[lead], stop, company] = await Promise.all([
    db
      .select()
      .from(leads)
      .where(and(eq(leads.id, leadId ?? ""), isNull(leads.erasedAt))),
    stoppedSince(db, numberHash(recipient ?? "")),
    takerOf(db, payload.purchaseId ?? ""),
  ]);
  // The number may have been corrected since.
  if (!lead || lead.phoneKey !== recipient || stop !== null || company === null) return null;
  const { contactPhone } = settings(env);
  return requestTakenText(wordsOf(lead), company, { contactPhone, takesReplies: sms.takesReplies });
}

export async function sendOneText(env: Env, message: MessageRow, run: TextRun, now: number): Promise<Result> {
  const { id, due, recipient, attempts, template } = message;
  if (message.expiresAt <= now) return { id, due, state: "expired" };
  const morning = textWaitsUntil(now);
  if (morning !== null) return { id, due: morning, state: "waiting", untried: true };
  if (run.busyForMs !== null) return { id, due: now + run.busyForMs, state: "waiting", untried: true };
  const text = recipient ? await makeText(env, message, run.sms) : null;
  if (text === null) return { id, due, state: "dropped" };
  const outcome = await sendText(run.sms, { to: recipient!, text, ref: id });
  if (outcome.kind === "sent") return { id, due, state: "sent" };
  const { kind, status } = outcome;
  log("warn", "text_not_taken", { messageId: id, template, attempts, status });
  // The gateway may have taken the text on any attempt that ended in `later`. More retries may reach the recipient
  // twice, and cost twice.
  const againMs = kind === "later" ? textTriedAgainAfter(attempts) : null;
  if (kind === "refused" || (kind === "later" && againMs === null)) return { id, due, state: "failed" };
  const waitMs = againMs ?? (kind === "busy" ? outcome.afterMs : null) ?? retryAfter(attempts);
  if (kind === "busy") run.busyForMs = Math.max(waitMs, MINUTE_MS);
  return { id, due: now + waitMs, state: "waiting" };
}
