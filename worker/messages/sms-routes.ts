import type { GatewayAnswer } from "../pipeline/answers/rules.ts";
import { createHash, timingSafeEqual } from "node:crypto";

import { Hono } from "hono";

import { answerCallByText, receiveAnswer } from "../pipeline/answers/commands.ts";
import { announceAnswer } from "../pipeline/calls/commands.ts";
import { DomainError } from "../platform/errors.ts";
import { access } from "../identity/access.ts";
import { readLimited } from "../platform/http/body.ts";
import type { AppContext, AppEnv } from "../platform/app.ts";
import { notifyAnswered } from "../live/room.ts";
import { deliverLater } from "./dispatch-commands.ts";
import { readEvent } from "./sms-gateway.ts";
import { handleGatewayEvent } from "./stop-commands.ts";

const hash = (text: string) => createHash("sha256").update(text).digest();

/** Compares two secrets in constant time. */
const isSame = (a: string, b: string) => timingSafeEqual(hash(a), hash(b));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("malformed_json");
  }
}

/** Stores a reply and notifies the windows and phones of the provider who owns the lead. */
async function storeAnswer(c: AppContext, answer: GatewayAnswer): Promise<void> {
  const now = Date.now();
  const answered = await answerCallByText(c.env, answer, now);
  if (answered) return c.executionCtx.waitUntil(announceAnswer(c.env, answered, now));
  const taken = await receiveAnswer(c.env.db, answer, now);
  if (taken) c.executionCtx.waitUntil(notifyAnswered(c.env, taken));
  deliverLater(c.env, c.executionCtx, null);
}

/**
 * Webhook for the text message gateway. The gateway signs nothing, so the last part of the path is a secret. Logs
 * contain only the route pattern.
 */
export const smsRoutes = new Hono<AppEnv>().post("/webhook/:secret", access.anyone, async (c) => {
  const { sms } = c.env.settings;
  if (!sms || !isSame(c.req.param("secret"), sms.webhookSecret)) throw new DomainError("not_found");
  const event = readEvent(readJson(await readLimited(c.req.raw)));
  if (!event) throw new DomainError("invalid_input", "Not a word of the gateway's");
  await handleGatewayEvent(c.env.db, event, Date.now());
  if (event.kind === "answer") await storeAnswer(c, event);
  return c.json({ received: true });
});
