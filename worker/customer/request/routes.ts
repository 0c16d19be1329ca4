import { type Context as HonoContext, Hono } from "hono";
import * as z from "zod/mini";

import { guaranteeAnswerSchema } from "../../../contract/guarantee.ts";
import {
  callAnswerSchema,
  contactChangeSchema,
  type ContactPreferenceAnswer,
  contactPreferenceSchema,
  type DigitsAnswer,
  jobChangeSchema,
  type RequestChangeAnswer,
  requestLinkSchema,
  type RequestPageAnswer,
  requestTokenSchema,
  type WithdrawalAnswer,
} from "../../../contract/request-links.ts";
import { type ReviewAnswer, reviewFormSchema, type ReviewPageAnswer } from "../../../contract/reviews.ts";
import { access } from "../../identity/access.ts";
import { hashToken } from "../../identity/auth/rules.ts";
import { expireLinkingPages } from "../../identity/providers/commands.ts";
import { findRequestByToken } from "../../leads/request-link-store.ts";
import { answerMissedCalls, reportWrongNumber } from "../../pipeline/guarantee/commands.ts";
import { writeReview } from "../../pipeline/reviews/commands.ts";
import { findReviewByToken, toCustomerReview } from "../../pipeline/reviews/queries.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, query } from "../../platform/http/body.ts";
import { countNetworkAttempt, countTry } from "../../platform/http/rate-limit.ts";
import { announceAnswer, answerCall } from "../calls/store.ts";
import { changeRequest, confirmByToken } from "../changes/commands.ts";
import { checkLastDigits } from "../changes/queries.ts";
import { setContactPreference, withdrawByToken } from "./commands.ts";
import { viewForCustomer } from "./queries.ts";

/**
 * Counts a customer's act, by network and by link, and confirms the customer if we sent the link.
 * @throws TryLater too_many_requests
 */
export async function beginAct({ env }: Pick<HonoContext<AppEnv>, "env">, token: string): Promise<void> {
  await countNetworkAttempt(env.FORM_PER_ADDRESS, env.CALLER.prefixes);
  await countTry(env.FORM_PER_ADDRESS, `link ${hashToken(token)}`);
  await confirmByToken(env, token, Date.now());
}

/**
 * Routes for the customer of a request. They need no sign-in: the link is the credential. An unknown link and the link
 * of a withdrawn or erased request get the same response.
 */
export const requestLinkRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, query(z.object({ token: requestTokenSchema })), async (c) => {
    const found = await findRequestByToken(c.env.db, c.req.valid("query").token);
    const request = found && (await viewForCustomer(c.env.db, found, Date.now()));
    return c.json({ request } satisfies RequestPageAnswer);
  })

  // The page's script posts this. It has no limit: an unknown link changes nothing, and a known one only once.
  .post("/opened", access.anyone, jsonBody(requestLinkSchema), async (c) => {
    await confirmByToken(c.env, c.req.valid("json").token, Date.now());
    return c.json({ ok: true });
  })

  .post("/withdraw", access.anyone, jsonBody(requestLinkSchema), async (c) => {
    const { token } = c.req.valid("json");
    await beginAct(c, token);
    const outcome = await withdrawByToken(c.env, token, c.env.CALLER.requestId, Date.now());
    return c.json({ outcome } satisfies WithdrawalAnswer);
  })

  .post("/contact", access.anyone, jsonBody(contactPreferenceSchema), async (c) => {
    const { token, contactMethod = null, contactTime = null } = c.req.valid("json");
    await beginAct(c, token);
    const act = { context: c.env, now: Date.now() };
    const outcome = await setContactPreference(act, token, { contactMethod, contactTime });
    return c.json({ outcome } satisfies ContactPreferenceAnswer);
  })

  .post("/change", access.anyone, jsonBody(jobChangeSchema), async (c) => {
    const { token, ...job } = c.req.valid("json");
    await beginAct(c, token);
    const found = await findRequestByToken(c.env.db, token);
    const outcome = found ? await changeRequest(c.env, found, job, Date.now()) : "closed";
    return c.json({ outcome } satisfies RequestChangeAnswer);
  })

  .post("/phone", access.anyone, jsonBody(contactChangeSchema), async (c) => {
    const { token, lastDigits, ...change } = c.req.valid("json");
    await beginAct(c, token);
    const found = await findRequestByToken(c.env.db, token);
    if (!found) return c.json<DigitsAnswer>({ outcome: "closed" });
    const triesLeft = await checkLastDigits(c.env.db, found, lastDigits, Date.now());
    if (triesLeft === 0) return c.json<DigitsAnswer>({ outcome: "call_us" });
    if (triesLeft !== "right") return c.json<DigitsAnswer>({ outcome: "wrong_digits", triesLeft });
    const outcome = await changeRequest(c.env, found, change, Date.now());
    return c.json<DigitsAnswer>({ outcome });
  })

  // These two routes return the same response for every link, known or unknown.
  .post("/call-answer", access.anyone, jsonBody(callAnswerSchema), async (c) => {
    const { token, answer } = c.req.valid("json");
    await beginAct(c, token);
    const now = Date.now();
    const found = await findRequestByToken(c.env.db, token);
    const changed = found && (await answerCall(c.env, found.lead.id, answer, now));
    if (changed) c.executionCtx.waitUntil(announceAnswer(c.env, changed, now));
    return c.json({ noted: true });
  })

  .post("/guarantee", access.anyone, jsonBody(guaranteeAnswerSchema), async (c) => {
    const { token, answer } = c.req.valid("json");
    await beginAct(c, token);
    const now = Date.now();
    const found = await findRequestByToken(c.env.db, token);
    if (found && answer === "wrong_number") await reportWrongNumber(c.env, found.lead.id, now);
    else if (found) await answerMissedCalls(c.env, found.lead.id, answer === "missed", now);
    return c.json({ noted: true });
  });

/** Routes for the customer's review of the provider. The link to the request is the credential. */
export const customerReviewRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, query(z.object({ token: requestTokenSchema })), async (c) => {
    const found = await findReviewByToken(c.env.db, c.req.valid("query").token);
    const review = found && toCustomerReview(found, Date.now());
    return c.json({ review } satisfies ReviewPageAnswer);
  })

  .post("/", access.anyone, jsonBody(reviewFormSchema), async (c) => {
    const form = c.req.valid("json");
    await beginAct(c, form.token);
    const { outcome, businessId } = await writeReview(c.env, c.env.CALLER, form, Date.now());
    if (businessId) {
      c.executionCtx.waitUntil(c.env.DELIVER?.(null) ?? Promise.resolve());
      await expireLinkingPages(c.env.db, c.req.url, businessId);
    }
    return c.json({ outcome } satisfies ReviewAnswer);
  });
