import { Hono } from "hono";
import * as z from "zod/mini";

import {
  type ContactPreferenceAnswer,
  contactPreferenceSchema,
  type RequestPageAnswer,
  requestTokenSchema,
  requestWithdrawalSchema,
  type WithdrawalAnswer,
} from "../../../contract/request-links.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/app.ts";
import { jsonBody, query } from "../../platform/http/body.ts";
import { countNetworkAttempt, countTry } from "../../platform/http/rate-limit.ts";
import { hashToken } from "../../identity/auth/tokens.ts";
import { setContactPreference } from "./contact-commands.ts";
import { withdrawByToken } from "./commands.ts";
import { findRequestByToken, viewForCustomer } from "./queries.ts";

/**
 * Routes for the customer of a request. They need no sign-in: the link is the credential. An unknown link and the link
 * of a withdrawn request get the same response.
 */
export const requestLinkRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, query(z.object({ token: requestTokenSchema })), async (c) => {
    const found = await findRequestByToken(c.env.db, c.req.valid("query").token);
    const request = found && (await viewForCustomer(c.env.db, found.lead, Date.now()));
    return c.json({ request } satisfies RequestPageAnswer);
  })

  .post("/withdraw", access.anyone, jsonBody(requestWithdrawalSchema), async (c) => {
    const { prefixes, requestId } = c.env.CALLER;
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, prefixes);
    const outcome = await withdrawByToken(c.env, c.req.valid("json").token, requestId, Date.now());
    return c.json({ outcome } satisfies WithdrawalAnswer);
  })

  .post("/contact", access.anyone, jsonBody(contactPreferenceSchema), async (c) => {
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, c.env.CALLER.prefixes);
    const { token, contactMethod = null, contactTime = null } = c.req.valid("json");
    await countTry(c.env.FORM_PER_ADDRESS, `request ${hashToken(token)}`);
    const act = { context: c.env, now: Date.now() };
    const outcome = await setContactPreference(act, token, { contactMethod, contactTime });
    return c.json({ outcome } satisfies ContactPreferenceAnswer);
  });
