import { Hono } from "hono";
import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";

import { type EmailStop, emailStopSchema, stopTokenSchema } from "../../contract/email-stops.ts";
import { leadAlertsSchema } from "../../contract/lead-alerts.ts";
import {
  type NotificationSettings,
  pushDeviceIdSchema,
  pushSubscriptionSchema,
  quietHoursSchema,
} from "../../contract/notifications.ts";
import { access, notImpersonating } from "../identity/access.ts";
import { findTeamAlerts } from "../identity/team/store.ts";
import { notifyAnswered } from "../live/room.ts";
import type { GatewayAnswer } from "../pipeline/answers/rules.ts";
import { receiveAnswer } from "../pipeline/answers/store.ts";
import { announceAnswer, answerCallByText } from "../customer/calls/store.ts";
import type { AppContext, AppEnv, Context } from "../platform/context.ts";
import { DomainError } from "../platform/errors.ts";
import { jsonBody, params, query, readLimited } from "../platform/http/body.ts";
import { countNetworkAttempt, countTry } from "../platform/http/rate-limit.ts";
import { setLeadAlerts, setQuietHours } from "./alert-commands.ts";
import { addDevice, removeDevice, writeTest } from "./commands.ts";
import { deliverLater } from "./dispatch-commands.ts";
import { pushAddress } from "./push.ts";
import { findQuietHours, listDevices } from "./queries.ts";
import { readEvent } from "./sms-gateway.ts";
import { findLeadAlerts } from "./spread-commands.ts";
import { handleGatewayEvent, recordStop, stoppedSince } from "./stop-commands.ts";
import { readStop } from "./stop-rules.ts";

const byId = z.object({ id: pushDeviceIdSchema });

/** @throws DomainError push_unavailable when the operator has not configured the keys */
function pushOf(context: Context) {
  const { push } = context.settings;
  if (!push) throw new DomainError("push_unavailable");
  return push;
}

/** Routes for a user's devices, alert choices and quiet hours. */
export const notificationRoutes = new Hono<AppEnv>()
  .get("/", access.business, async (c) => {
    const db = c.env.db;
    const [now, { isOwner, userId }] = [Date.now(), c.get("scope")];
    const [quietHours, leadAlerts, devices, given] = await Promise.all([
      findQuietHours(db, c.get("scope")),
      findLeadAlerts(db, c.get("scope"), now),
      listDevices(db, c.get("session"), now),
      isOwner ? null : findTeamAlerts(db, userId),
    ]);
    const publicKey = c.env.settings.push?.publicKey ?? null;
    return c.json({ publicKey, quietHours, leadAlerts, devices, given } satisfies NotificationSettings);
  })

  .put("/quiet-hours", access.business, jsonBody(quietHoursSchema), async (c) => {
    const hours = c.req.valid("json");
    const due = await setQuietHours(c.env.db, c.get("scope"), hours, Date.now());
    if (due.length > 0) deliverLater(c.env, c.executionCtx, due);
    return c.json(hours);
  })

  .put("/lead-alerts", access.owner, jsonBody(leadAlertsSchema), async (c) => {
    const [db, scope, now] = [c.env.db, c.get("scope"), Date.now()];
    const due = await setLeadAlerts(db, scope, c.req.valid("json"), now);
    if (due.length > 0) deliverLater(c.env, c.executionCtx, due);
    return c.json(await findLeadAlerts(db, scope, now));
  })

  .post("/devices", access.business, notImpersonating, jsonBody(pushSubscriptionSchema), async (c) => {
    const { standIn } = pushOf(c.env);
    const form = c.req.valid("json");
    const session = c.get("session");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    if (!pushAddress(form.endpoint, standIn)) {
      const words = "We don't recognise this browser's notification service. Please try another browser.";
      throw new DomainError("invalid_input", words, { endpoint: words });
    }
    const { origin } = new URL(c.req.url);
    const id = await addDevice(c.env.db, session, form, { origin, now: Date.now() });
    return c.json({ id }, 201);
  })

  .delete("/devices/:id", access.business, notImpersonating, params(byId), async (c) => {
    await removeDevice(c.env.db, c.get("scope"), c.req.valid("param").id);
    return c.body(null, 204);
  })

  .post("/devices/:id/test", access.business, notImpersonating, params(byId), async (c) => {
    pushOf(c.env);
    const { id } = c.req.valid("param");
    const messageId = await writeTest(c.env.db, c.get("scope"), id, Date.now());
    deliverLater(c.env, c.executionCtx, [messageId]);
    return c.json({ ok: true }, 202);
  });

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

const byToken = z.object({ token: stopTokenSchema });

/**
 * Opt-out routes for recipients of emails about requests. They need no sign-in: the link in the email is the
 * credential. An invalid link gets the same response as a valid one and changes nothing.
 */
export const emailStopRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, query(byToken), async (c) => {
    const hash = readStop(c.env.settings.originHashKey, c.req.valid("query").token);
    const since = hash && (await stoppedSince(c.env.db, hash));
    return c.json({ isStopped: since !== null } satisfies EmailStop);
  })

  .post("/", access.anyone, jsonBody(emailStopSchema), async (c) => {
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, c.env.CALLER.prefixes);
    const { token, isStopped } = c.req.valid("json");
    const hash = readStop(c.env.settings.originHashKey, token);
    if (hash) await recordStop(c.env.db, hash, isStopped, Date.now());
    return c.json({ isStopped } satisfies EmailStop);
  });
