/**
 * The gateway for text messages: Mobile Message, mobilemessage.com.au. Nothing but this file knows its words. To use
 * another one, put its words in their places here.
 */
import { createHash } from "node:crypto";

import * as z from "zod/mini";

import { answerWords, type GatewayAnswer } from "../answers/rules.ts";
import type { Settings } from "../env.ts";
import { log } from "../log.ts";
import { askedWait } from "./push-rules.ts";
import { wantsNoMore } from "./text-rules.ts";

export type SmsSettings = NonNullable<Settings["sms"]>;

/**
 * `refused`: this text will not be taken, however often it is sent, or was taken with an answer we cannot read. `busy`: none is, for so many ms (null: it did not
 * say), as for keys that are wrong or an account without credit. `later`: this one may be taken another time.
 */
export type TextOutcome =
  | { kind: "sent" }
  | { kind: "refused"; status: number }
  | { kind: "busy"; afterMs: number | null; status: number }
  | { kind: "later"; status: number };

/** A gateway that takes longer may have taken it; whoever sends again may send twice. */
const PATIENCE_MS = 10_000;

/** One text is asked for, so one is answered. */
const answerSchema = z.object({ results: z.array(z.object({ status: z.string() })).check(z.length(1)) });

async function outcomeOf(response: Response, now: number): Promise<TextOutcome> {
  const { status } = response;
  if (status === 429)
    return { kind: "busy", afterMs: askedWait(response.headers.get("Retry-After"), now), status };
  // Our keys or our credit: a person has to see to it, and then every text goes.
  if (status === 401 || status === 402 || status === 403) return { kind: "busy", afterMs: null, status };
  if (status >= 400 && status < 500) return { kind: "refused", status };
  if (!response.ok) return { kind: "later", status };
  const { success, data } = answerSchema.safeParse(await response.json().catch(() => null));
  // It took the text, most likely: sending it again would cost again.
  if (!success) return { kind: "refused", status };
  return data.results[0]!.status === "success" ? { kind: "sent" } : { kind: "refused", status };
}

/**
 * Hands one text over. Never throws.
 * @param to in E.164
 * @param ref ours, which comes back with the delivery report
 */
export async function sendText(
  { host, keys, sender }: SmsSettings,
  { to, text, ref }: { to: string; text: string; ref: string },
): Promise<TextOutcome> {
  const message = {
    to: to.replace("+", ""),
    message: text,
    sender: sender.replace("+", ""),
    custom_ref: ref,
  };
  try {
    const response = await fetch(`${host}/v1/messages`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Basic ${btoa(keys)}` },
      body: JSON.stringify({ messages: [message] }),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "manual",
    });
    return await outcomeOf(response, Date.now());
  } catch (error) {
    log("warn", "sms_gateway_away", { error });
    return { kind: "later", status: 0 };
  }
}

const short = (most: number) => z.string().check(z.maxLength(most));

/** Both of its webhooks, as far as we read them: word of a text that we sent, and somebody's reply to one. */
const reportSchema = z.object({ custom_ref: short(100), status: short(40) });
const replySchema = z.object({
  type: short(40),
  sender: short(20),
  message: z.optional(z.string()),
  received_at: z.optional(short(40)),
  /** Ours, of the text that is answered; empty where the gateway does not know it. */
  original_custom_ref: z.optional(z.nullable(short(100))),
});

/** What a webhook says, in our words. */
export type GatewayWord =
  | { kind: "report"; ref: string; state: "delivered" | "failed" }
  /** `answer`: what they said besides, as of "Cancel my request please, I found somebody". */
  | { kind: "stop"; from: string; answer: GatewayAnswer | null }
  | GatewayAnswer
  | { kind: "nothing" };

const REPORTED: Readonly<Record<string, "delivered" | "failed">> = {
  delivered: "delivered",
  failed: "failed",
  undelivered: "failed",
  rejected: "failed",
  expired: "failed",
};

/** Its numbers come without the sign of E.164. */
const NUMBER = /^\+?(\d{8,15})$/;

/** It gives a reply no name of its own: who wrote what when is one, and says nothing to who reads it. */
const nameOf = ({ sender, message, received_at, original_custom_ref }: z.infer<typeof replySchema>) =>
  createHash("sha256")
    .update(JSON.stringify([sender, received_at, original_custom_ref, message]))
    .digest("base64url");

/** "STOP", "Stop texts please": whoever says more than that says it to somebody. */
const MOST_WORDS_OF_STOP = 3;

function readReply(reply: z.infer<typeof replySchema>): GatewayWord {
  const { type, sender, message = "", original_custom_ref: textId } = reply;
  const [, digits] = NUMBER.exec(sender) ?? [];
  if (!digits) return { kind: "nothing" };
  const from = `+${digits}`;
  if (type === "unsubscribe") return { kind: "stop", from, answer: null };
  const words = answerWords(message);
  if (type !== "inbound" || words === "") return { kind: "nothing" };
  const answer = { kind: "answer", from, words, textId: textId || null, ref: nameOf(reply) } as const;
  if (!wantsNoMore(message)) return answer;
  return { kind: "stop", from, answer: words.split(/\s+/).length > MOST_WORDS_OF_STOP ? answer : null };
}

/** Reads what a webhook was sent. @returns null for what the gateway does not send */
export function readWord(body: unknown): GatewayWord | null {
  const reply = replySchema.safeParse(body);
  if (reply.success) return readReply(reply.data);
  const report = reportSchema.safeParse(body);
  if (!report.success) return null;
  const state = REPORTED[report.data.status.toLowerCase()];
  return state ? { kind: "report", ref: report.data.custom_ref, state } : { kind: "nothing" };
}
