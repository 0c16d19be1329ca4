/**
 * The gateway for text messages: Mobile Message, mobilemessage.com.au. Only this file uses its API. To switch gateways,
 * change only this file.
 */
import { createHash } from "node:crypto";

import * as z from "zod/mini";

import { cleanAnswer, type GatewayAnswer } from "../pipeline/answers/rules.ts";
import type { Settings } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { parseRetryAfter } from "./sender.ts";
import { isOptOut } from "../outbox/rules.ts";

export type SmsSettings = NonNullable<Settings["sms"]>;

/**
 * `refused`: the gateway rejected this text, or its response is unreadable. `busy`: it accepts no texts for this many
 * ms (null: not stated), for example because of wrong keys or no credit. `later`: a retry of this text may succeed.
 */
export type TextOutcome =
  | { kind: "sent" }
  | { kind: "refused"; status: number }
  | { kind: "busy"; afterMs: number | null; status: number }
  | { kind: "later"; status: number };

/** Timeout of a call. After a timeout the gateway may still send the text, so a retry may send it twice. */
const TIMEOUT_MS = 10_000;

/** Each call sends one text, so the response has one result. */
const answerSchema = z.object({ results: z.array(z.object({ status: z.string() })).check(z.length(1)) });

async function outcomeOf(response: Response, now: number): Promise<TextOutcome> {
  const { status } = response;
  if (status === 429)
    return { kind: "busy", afterMs: parseRetryAfter(response.headers.get("Retry-After"), now), status };
  // Wrong keys or no credit. Texts can be sent once an admin has fixed that.
  if (status === 401 || status === 402 || status === 403) return { kind: "busy", afterMs: null, status };
  if (status >= 400 && status < 500) return { kind: "refused", status };
  if (!response.ok) return { kind: "later", status };
  const { success, data } = answerSchema.safeParse(await response.json().catch(() => null));
  // The gateway has probably sent the text. A retry would cost twice.
  if (!success) return { kind: "refused", status };
  return data.results[0]!.status === "success" ? { kind: "sent" } : { kind: "refused", status };
}

/**
 * Sends one text to the gateway. Never throws.
 * @param to in E.164
 * @param ref our id, which the delivery report repeats
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    return await outcomeOf(response, Date.now());
  } catch (error) {
    log("warn", "sms_gateway_away", { error });
    return { kind: "later", status: 0 };
  }
}

const boundedString = (maxLength: number) => z.string().check(z.maxLength(maxLength));

/** Fields that we read from the gateway's two webhooks: a delivery report for a text, and a reply to one. */
const reportSchema = z.object({ custom_ref: boundedString(100), status: boundedString(40) });
const replySchema = z.object({
  type: boundedString(40),
  sender: boundedString(20),
  message: z.optional(z.string()),
  received_at: z.optional(boundedString(40)),
  /** Our id of the text that the reply answers. Empty if the gateway does not know it. */
  original_custom_ref: z.optional(z.nullable(boundedString(100))),
});

/** A webhook event in our own format. */
export type GatewayEvent =
  | { kind: "report"; ref: string; state: "delivered" | "failed" }
  | { kind: "stop"; from: string }
  | GatewayAnswer
  | { kind: "nothing" };

const REPORTED: Readonly<Record<string, "delivered" | "failed">> = {
  delivered: "delivered",
  failed: "failed",
  undelivered: "failed",
  rejected: "failed",
  expired: "failed",
};

/** The gateway omits the plus sign of E.164. */
const NUMBER = /^\+?(\d{8,15})$/;

/** Creates an id for a reply by hashing it, because the gateway sends none. The hash does not reveal the reply. */
const nameOf = ({ sender, message, received_at, original_custom_ref }: z.infer<typeof replySchema>) =>
  createHash("sha256")
    .update(JSON.stringify([sender, received_at, original_custom_ref, message]))
    .digest("base64url");

function readReply(reply: z.infer<typeof replySchema>): GatewayEvent {
  const { type, sender, message = "", original_custom_ref: textId } = reply;
  const [, digits] = NUMBER.exec(sender) ?? [];
  if (!digits) return { kind: "nothing" };
  const from = `+${digits}`;
  if (type === "unsubscribe") return { kind: "stop", from };
  const words = cleanAnswer(message);
  if (type !== "inbound" || words === "") return { kind: "nothing" };
  if (isOptOut(words)) return { kind: "stop", from };
  return { kind: "answer", from, words, textId: textId || null, ref: nameOf(reply) };
}

/** Parses a webhook body. @returns null for an unknown body */
export function readEvent(body: unknown): GatewayEvent | null {
  const reply = replySchema.safeParse(body);
  if (reply.success) return readReply(reply.data);
  const report = reportSchema.safeParse(body);
  if (!report.success) return null;
  const state = REPORTED[report.data.status.toLowerCase()];
  return state ? { kind: "report", ref: report.data.custom_ref, state } : { kind: "nothing" };
}
