import { Hono } from "hono";
import * as z from "zod/mini";

import { suburbChangeSchema } from "../../../contract/suburbs.ts";
import { expirePages, tagsShowing } from "../../platform/edge-cache/public-pages.ts";
import { access } from "../../identity/access.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { changeSuburb } from "./commands.ts";
import { listSuburbsForAdmins } from "./queries.ts";

const listQuery = z.object({
  ...pageParams(50),
  /** The beginning of a name, or a postcode. */
  q: z._default(z.string().check(z.trim(), z.maxLength(60)), ""),
  active: z.optional(z.enum(["yes", "no"], "yes or no")),
});

const byId = z.object({ id: z.string().check(z.regex(/^sub_[a-z0-9-]{2,60}$/)) });

/** Routes for super admins to find and change suburbs. */
export const suburbAdminRoutes = new Hono<AppEnv>()
  .get("/suburbs", access.superAdmin, query(listQuery), async (c) => {
    const { q, active, limit, cursor } = c.req.valid("query");
    const isActive = active === undefined ? null : active === "yes";
    const rows = await listSuburbsForAdmins(c.env.db, {
      q,
      isActive,
      after: readAfter(cursor),
      limit,
    });
    linkNext(
      c,
      rows.map(({ population, id }) => ({ createdAt: population, id })),
      limit,
    );
    return c.json(rows);
  })

  .patch("/suburbs/:id", access.superAdmin, params(byId), jsonBody(suburbChangeSchema), async (c) => {
    const { id } = c.req.valid("param");
    const suburb = await changeSuburb(c.env.db, id, c.req.valid("json"), c.get("act"));
    await expirePages(c.req.url, tagsShowing(suburb));
    return c.json(suburb);
  });
