import { Hono } from "hono";
import * as z from "zod/mini";

import { ADMIN_REVIEW_LISTS, reviewDecisionSchema } from "../../../contract/reviews.ts";
import { access } from "../../identity/access.ts";
import { expireLinkingPages } from "../../identity/providers/commands.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { decideReview, removeReply } from "./commands.ts";
import { listReviews } from "./queries.ts";
import { byReview } from "./routes.ts";

const listQuery = z.object({
  ...pageParams(50),
  list: z._default(z.enum(ADMIN_REVIEW_LISTS, "Unknown list"), "flagged"),
});

export const reviewAdminRoutes = new Hono<AppEnv>()
  .get("/reviews", access.superAdmin, query(listQuery), async (c) => {
    const { list, limit, cursor } = c.req.valid("query");
    const rows = await listReviews(c.env.db, { list, after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .post("/reviews/:id", access.superAdmin, params(byReview), jsonBody(reviewDecisionSchema), async (c) => {
    const { id } = c.req.valid("param");
    const { rule } = c.req.valid("json");
    const businessId = await decideReview(c.env.db, id, rule, c.get("act"));
    await expireLinkingPages(c.env.db, c.req.url, businessId, rule === null ? "invalidate" : "purge");
    return c.json({ id, rule });
  })

  .delete("/reviews/:id/reply", access.superAdmin, params(byReview), async (c) => {
    const { id } = c.req.valid("param");
    await removeReply(c.env.db, id, c.get("act"));
    return c.json({ id });
  });
