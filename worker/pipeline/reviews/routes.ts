import { Hono } from "hono";
import * as z from "zod/mini";

import { requestTokenSchema } from "../../../contract/request-links.ts";
import {
  replySchema,
  type ReviewAnswer,
  reviewFormSchema,
  type ReviewPageAnswer,
} from "../../../contract/reviews.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { expireLinkingPages } from "../../identity/providers/commands.ts";
import { beginAct } from "../../leads/request-links/routes.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { replyToReview, writeReview } from "./commands.ts";
import {
  countReviews,
  findReviewByToken,
  listOwnReviews,
  readPublicReviews,
  toCustomerReview,
} from "./queries.ts";

export const byReview = z.object({ id: z.string().check(z.regex(/^rev_[0-9a-z]{8,40}$/)) });
const ownQuery = z.object(pageParams(50));

/** Routes for reviews. A customer needs no sign-in: the link to their request is the credential. */
export const reviewRoutes = new Hono<AppEnv>()
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
  })

  .get("/totals", access.anyone, async (c) => c.json(await countReviews(c.env.db)))

  .get("/own", access.owner, query(ownQuery), async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const rows = await listOwnReviews(c.env.db, c.get("scope"), { after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .get("/own/summary", access.owner, async (c) => {
    const { mean, shown, hidden } = await readPublicReviews(c.env.db, c.get("scope").businessId);
    return c.json({ mean, shown, hidden });
  })

  .post("/:id/reply", access.owner, notImpersonating, params(byReview), jsonBody(replySchema), async (c) => {
    const { id } = c.req.valid("param");
    const { reply } = c.req.valid("json");
    const stored = await replyToReview(c.env.db, c.get("scope"), id, reply, c.get("act"));
    return c.json({ id, reply: stored });
  });
