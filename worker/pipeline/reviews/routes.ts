import { Hono } from "hono";
import * as z from "zod/mini";

import { replySchema } from "../../../contract/reviews.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { replyToReview } from "./commands.ts";
import { countReviews, listOwnReviews, readPublicReviews } from "./queries.ts";

export const byReview = z.object({ id: z.string().check(z.regex(/^rev_[0-9a-z]{8,40}$/)) });
const ownQuery = z.object(pageParams(50));

/** Routes for reviews. The customer's routes are in worker/customer/request. */
export const reviewRoutes = new Hono<AppEnv>()
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
