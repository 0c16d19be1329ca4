import { Hono } from "hono";
import * as z from "zod/mini";

import {
  type NotificationSettings,
  pushDeviceIdSchema,
  pushSubscriptionSchema,
  quietHoursSchema,
} from "../../contract/notifications.ts";
import { leadAlertsSchema } from "../../contract/lead-alerts.ts";
import type { Context } from "../platform/context.ts";
import { DomainError } from "../platform/errors.ts";
import { access, notImpersonating } from "../identity/access.ts";
import { jsonBody, params } from "../platform/http/body.ts";
import type { AppEnv } from "../platform/app.ts";
import { countTry } from "../platform/http/rate-limit.ts";
import { setLeadAlerts, setQuietHours } from "./alert-commands.ts";
import { findLeadAlerts } from "./alert-queries.ts";
import { addDevice, removeDevice, writeTest } from "./commands.ts";
import { deliverLater } from "./dispatch-commands.ts";
import { pushAddress } from "./push.ts";
import { findQuietHours, listDevices } from "./queries.ts";
import { findTeamAlerts } from "../identity/team/queries.ts";

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
