import { Hono } from "hono";
import * as z from "zod/mini";

import { handledSchema } from "../../../contract/bookings.ts";
import { readReference } from "../../../contract/reference.ts";
import { access } from "../../identity/access.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { findBookings, listBookings, markHandled } from "./store.ts";

const listQuery = z.object({
  ...pageParams(50),
  kind: z._default(z.enum(["inspection", "garden"]), "inspection"),
  open: z._default(z.enum(["yes", "no"]), "no"),
  /** An inspection's reference. The search ignores the other filters. */
  q: z._default(z.string().check(z.trim(), z.maxLength(60)), ""),
});
const byId = z.object({ id: z.string().check(z.regex(/^bkg_[0-9a-z]{8,40}$/)) });

/** Routes for super admins to list bookings and mark them as handled. */
export const bookingAdminRoutes = new Hono<AppEnv>()
  .get("/bookings", access.superAdmin, query(listQuery), async (c) => {
    const { kind, open, q, limit, cursor } = c.req.valid("query");
    const db = c.env.db;
    if (q) {
      const reference = readReference(q);
      // An invalid reference finds no booking instead of listing them all.
      return c.json(reference ? await findBookings(db, reference) : []);
    }
    const filter = { kind, open: open === "yes", after: readAfter(cursor), limit };
    const rows = await listBookings(db, filter);
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .post("/bookings/:id/handled", access.superAdmin, params(byId), jsonBody(handledSchema), async (c) => {
    const { handled } = c.req.valid("json");
    await markHandled(c.env.db, c.req.valid("param").id, handled, c.get("act"));
    return c.json({ handled });
  });
