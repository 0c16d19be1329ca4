import type { GatewayAnswer } from "../answers/rules.ts";
import { createHash, timingSafeEqual } from "node:crypto";

import { Hono } from "hono";

import { takeAnswer } from "../answers/commands.ts";
import { database } from "../db/client.ts";
import { settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { access } from "../middleware/access.ts";
import { readLimited } from "../middleware/body.ts";
import type { AppContext, AppEnv } from "../platform/app.ts";
import { tellAnswered } from "../live/room.ts";
import { deliverLater } from "./deliver-later.ts";
import { readWord } from "./sms-gateway.ts";
import { takeWord } from "./stop-commands.ts";

const hash = (text: string) => createHash("sha256").update(text).digest();

/** Compared in the same time, however much of it is right. */
const isSame = (a: string, b: string) => timingSafeEqual(hash(a), hash(b));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError("malformed_json");
  }
}

/** Keeps an answer, and tells the windows and the phones of whose it is. */
async function hearAnswer(c: AppContext, answer: GatewayAnswer): Promise<void> {
  const taken = await takeAnswer(database(c.env.DB), answer, Date.now());
  if (!taken) return;
  c.executionCtx.waitUntil(tellAnswered(c.env, taken));
  deliverLater(c.env, c.executionCtx, null);
}

/**
 * Called by the gateway for text messages, which signs nothing: what it knows is the address, of which the last part
 * is a secret. Logs have the pattern in its place.
 */
export const smsRoutes = new Hono<AppEnv>().post("/webhook/:secret", access.anyone, async (c) => {
  const { sms } = settings(c.env);
  if (!sms || !isSame(c.req.param("secret"), sms.webhookSecret)) throw new DomainError("not_found");
  const word = readWord(readJson(await readLimited(c.req.raw)));
  if (!word) throw new DomainError("invalid_input", "Not a word of the gateway's");
  await takeWord(database(c.env.DB), word, Date.now());
  const answer = word.kind === "stop" ? word.answer : word.kind === "answer" ? word : null;
  if (answer) await hearAnswer(c, answer);
  return c.json({ received: true });
});
