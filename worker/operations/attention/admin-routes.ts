import { Hono } from "hono";
import * as z from "zod/mini";

import { resolveAttentionSchema } from "../../../contract/attention.ts";
import { access } from "../../identity/access.ts";
import { jsonBody, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { listAttention, resolveAttention } from "./store.ts";

const listQuery = z.object({ resolved: z._default(z.enum(["yes", "no"]), "no") });

/** Routes for problems that the system could not fix itself. */
export const attentionAdminRoutes = new Hono<AppEnv>()
  .get("/attention", access.superAdmin, query(listQuery), async (c) => {
    const resolved = c.req.valid("query").resolved === "yes";
    return c.json(await listAttention(c.env.db, { resolved, limit: 200 }));
  })

  .post("/attention/resolve", access.superAdmin, jsonBody(resolveAttentionSchema), async (c) => {
    await resolveAttention(c.env.db, c.req.valid("json"), c.get("act"));
    return c.json({ resolved: true });
  });
