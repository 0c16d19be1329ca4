import { Hono } from "hono";
import * as z from "zod/mini";

import { userIdSchema } from "../../contract/auth.ts";
import { providerChangeSchema } from "../../contract/providers.ts";
import { issuePasswordLink } from "../auth/password-link-commands.ts";
import { database } from "../db/client.ts";
import { DomainError } from "../errors.ts";
import { access } from "../middleware/access.ts";
import { jsonBody, params, query } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { tellByEmail } from "../notify/commands.ts";
import { linkMade } from "../notify/messages.ts";
import { linkNext, pageParams, readAfter } from "../middleware/paging.ts";
import { changeProvider } from "./commands.ts";
import { countProviders, findProvider, listProviders } from "./queries.ts";

const PAGE = 100;

const listQuery = z.object({
  ...pageParams(PAGE),
  /** Looks into names, company, username and email. */
  q: z._default(z.string().check(z.trim(), z.maxLength(100)), ""),
});

const byId = z.object({ id: userIdSchema });

/** All providers; the address of their list is older than the pages of super admins. */
export const providerListRoutes = new Hono<AppEnv>().get(
  "/providers",
  access.superAdmin,
  query(listQuery),
  async (c) => {
    const { q, limit, cursor } = c.req.valid("query");
    const db = database(c.env.DB);
    const rows = await listProviders(db, { q, limit, after: readAfter(cursor) });
    linkNext(c, rows, limit);
    c.header("Total-Count", String(await countProviders(db)));
    return c.json(rows);
  },
);

/** What super admins change about a provider. */
export const providerAdminRoutes = new Hono<AppEnv>()
  .patch("/providers/:id", access.superAdmin, params(byId), jsonBody(providerChangeSchema), async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await changeProvider(c.env, c.get("session"), id, c.req.valid("json"), c.get("act")));
  })

  .post("/providers/:id/password-link", access.superAdmin, params(byId), async (c) => {
    const db = database(c.env.DB);
    const { id } = c.req.valid("param");
    const provider = await findProvider(db, id);
    if (!provider) throw new DomainError("not_found", "Provider not found");
    const link = await issuePasswordLink(db, id, c.get("act"));
    if (id !== c.get("session").user.id) tellByEmail(c, provider, linkMade("Our support"));
    return c.json(link, 201);
  });
