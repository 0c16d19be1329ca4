import { Hono } from "hono";
import * as z from "zod/mini";

import {
  listTokenSchema,
  type MyRequestsAnswer,
  type NewSecret,
  requestListOpeningSchema,
  requestListSchema,
  requestOpeningSchema,
} from "../../../contract/my-requests.ts";
import { access } from "../../identity/access.ts";
import { createRequestLink } from "../../leads/request-link-store.ts";
import { canSendEmail } from "../../outbox/email.ts";
import type { AppEnv } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { jsonBody, query } from "../../platform/http/body.ts";
import { countNetworkAttempt } from "../../platform/http/rate-limit.ts";
import { mailRequestList } from "./messages.ts";
import { listMyRequests, openListLink, ownsRequest, readMyData } from "./store.ts";

/**
 * Routes for all requests of a customer. A link from an email opens the list once, and gives the page a secret for an
 * hour. A signed-in customer needs no link.
 */
export const requestListRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, query(z.object({ token: listTokenSchema })), async (c) => {
    const { session } = c.env.CALLER;
    const { token } = c.req.valid("query");
    const requests = await listMyRequests(c.env.db, { token, session, now: Date.now() });
    return c.json({ requests } satisfies MyRequestsAnswer);
  })

  .get("/export.json", access.signedIn, async (c) => {
    const told = await readMyData(c.env.db, c.get("session").user);
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-data.json"',
    };
    return c.body(JSON.stringify(told, null, 2), 200, headers);
  })

  .post("/links", access.anyone, jsonBody(requestListSchema), async (c) => {
    if (!canSendEmail(c.env))
      throw new DomainError("email_unavailable", "We can't send email yet. Please call us instead.");
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.prefixes);
    const { email } = c.req.valid("json");
    const { origin } = new URL(c.req.url);
    c.executionCtx.waitUntil(mailRequestList(c.env, { email, origin, now: Date.now() }));
    return c.json({ ok: true }, 202);
  })

  .post("/open", access.anyone, jsonBody(requestListOpeningSchema), async (c) => {
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.prefixes);
    const token = await openListLink(c.env.db, c.req.valid("json").token, Date.now());
    return c.json({ token } satisfies NewSecret);
  })

  .post("/request-links", access.anyone, jsonBody(requestOpeningSchema), async (c) => {
    const { session, prefixes } = c.env.CALLER;
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, prefixes);
    const { token, leadId } = c.req.valid("json");
    const now = Date.now();
    if (!(await ownsRequest(c.env.db, { token, session, now }, leadId))) throw new DomainError("not_found");
    return c.json({ token: await createRequestLink(c.env.db, leadId, now) } satisfies NewSecret);
  });
