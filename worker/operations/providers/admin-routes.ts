import { Hono } from "hono";
import * as z from "zod/mini";

import { userIdSchema } from "../../../contract/auth.ts";
import {
  noteIdSchema,
  PROVIDER_GROUPS,
  type ProviderPage,
  type ProviderRow,
  providerChangeSchema,
  providerTextSchema,
} from "../../../contract/providers.ts";
import { profileHidingSchema } from "../../../contract/profiles.ts";
import { callListSchema } from "../../../contract/standing.ts";
import { issuePasswordLink } from "../../identity/auth/password-link-store.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { DomainError } from "../../platform/errors.ts";
import { access } from "../../identity/access.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { sendNotice, noticeTo } from "../../outbox/commands.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { changeProvider, messageProvider } from "./commands.ts";
import { addNote, expireLinkingPages, removeNote } from "../../identity/providers/commands.ts";
import { findBusiness, listProviderPurchases, readProviderPage } from "./queries.ts";
import { listCalls, readCallShares } from "../../pipeline/standing/queries.ts";
import { hideProfile } from "../../pipeline/profiles/commands.ts";
import { countProviders, findProvider, listProviders } from "../../identity/providers/queries.ts";
import { linkMadeBySupport } from "../../identity/messages.ts";

const PAGE = 100;

const listQuery = z.object({
  ...pageParams(PAGE),
  /** Searches names, company, username, email and phone. */
  q: z._default(z.string().check(z.trim(), z.maxLength(100)), ""),
  only: z.optional(z.enum(PROVIDER_GROUPS, "Unknown group")),
});

const byId = z.object({ id: userIdSchema });

/** Routes for the list of providers. The path is older than the super admins' pages. */
export const providerListRoutes = new Hono<AppEnv>().get(
  "/providers",
  access.superAdmin,
  query(listQuery),
  async (c) => {
    const { q, only, limit, cursor } = c.req.valid("query");
    const [db, now] = [c.env.db, Date.now()];
    const rows = await listProviders(db, { q, only, now, limit, after: readAfter(cursor) });
    linkNext(c, rows, limit);
    c.header("Total-Count", String(await countProviders(db, { q, only, now })));
    const shares = await readCallShares(
      db,
      rows.map(({ id }) => id),
      now,
    );
    return c.json(rows.map((row): ProviderRow => ({ ...row, calls: shares.get(row.id) ?? null })));
  },
);

const byNote = z.object({ id: noteIdSchema });

/** Returns a provider's business. @throws DomainError not_found */
async function requireBusiness(db: Db, id: string): Promise<UserRow> {
  const user = await findBusiness(db, id);
  if (!user) throw new DomainError("not_found", "Provider not found");
  return user;
}

/** Routes for super admins to read and change a provider. */
export const providerAdminRoutes = new Hono<AppEnv>()
  .get("/providers/:id", access.superAdmin, params(byId), async (c) => {
    const db = c.env.db;
    const user = await requireBusiness(db, c.req.valid("param").id);
    const page = await readProviderPage(db, user, c.get("session"), c.env.settings.slowCallers, Date.now());
    return c.json<ProviderPage>({ ...page, canMessage: canSendEmail(c.env) && user.email !== null });
  })

  .get(
    "/providers/:id/purchases",
    access.superAdmin,
    params(byId),
    query(z.object(pageParams(50))),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { id } = c.req.valid("param");
      const rows = await listProviderPurchases(c.env.db, id, { after: readAfter(cursor), limit });
      const places = rows.map((row) => ({ id: row.id, createdAt: row.purchasedAt }));
      linkNext(c, places, limit);
      return c.json(rows);
    },
  )

  .get(
    "/providers/:id/calls",
    access.superAdmin,
    params(byId),
    query(z.object({ ...pageParams(50), ...callListSchema.shape })),
    async (c) => {
      const { cursor, limit, ...filter } = c.req.valid("query");
      const page = { ...filter, limit, after: readAfter(cursor), now: Date.now() };
      const rows = await listCalls(c.env.db, c.req.valid("param").id, page);
      const places = rows.map(({ id, purchasedAt }) => ({ id, createdAt: purchasedAt }));
      linkNext(c, places, limit);
      return c.json(rows);
    },
  )

  .patch("/providers/:id", access.superAdmin, params(byId), jsonBody(providerChangeSchema), async (c) => {
    const { id } = c.req.valid("param");
    const change = c.req.valid("json");
    const provider = await changeProvider(c.env, c.get("session"), id, change, c.get("act"));
    // Pages of suburbs and services link only to active businesses.
    if (change.isActive !== undefined) await expireLinkingPages(c.env.db, c.req.url, id);
    return c.json(provider);
  })

  .put(
    "/providers/:id/profile",
    access.superAdmin,
    params(byId),
    jsonBody(profileHidingSchema),
    async (c) => {
      const { isHidden, reason } = c.req.valid("json");
      const { id } = c.req.valid("param");
      await hideProfile(c.env.db, id, isHidden ? reason! : null, c.get("act"));
      await expireLinkingPages(c.env.db, c.req.url, id, isHidden ? "purge" : "invalidate");
      return c.json({ ok: true });
    },
  )

  .post("/providers/:id/password-link", access.superAdmin, params(byId), async (c) => {
    const db = c.env.db;
    const { id } = c.req.valid("param");
    const provider = await findProvider(db, id);
    if (!provider) throw new DomainError("not_found", "Provider not found");
    if (!provider.isActive)
      throw new DomainError("forbidden", "Activate this account first. Until then, no password will work.");
    const isOwn = id === c.get("session").user.id;
    const notice = isOwn ? null : noticeTo(c.env, provider, linkMadeBySupport);
    const link = await issuePasswordLink(
      db,
      id,
      c.get("act"),
      notice && { id: notice.id, write: () => notice },
    );
    sendNotice(c, notice);
    return c.json(link, 201);
  })

  .post("/providers/:id/notes", access.superAdmin, params(byId), jsonBody(providerTextSchema), async (c) => {
    const db = c.env.db;
    const { id: providerId } = await requireBusiness(db, c.req.valid("param").id);
    const note = { providerId, kind: "note", text: c.req.valid("json").text } as const;
    await addNote(db, note, "user.note", c.get("act"));
    return c.json({ ok: true }, 201);
  })

  .delete("/provider-notes/:id", access.superAdmin, params(byNote), async (c) => {
    await removeNote(c.env.db, c.req.valid("param").id, c.get("act"));
    return c.json({ ok: true });
  })

  .post(
    "/providers/:id/message",
    access.superAdmin,
    params(byId),
    jsonBody(providerTextSchema),
    async (c) => {
      const db = c.env.db;
      const user = await requireBusiness(db, c.req.valid("param").id);
      await countTry(c.env.FORM_PER_ADDRESS, c.get("session").user.id);
      await messageProvider(c.env, user, c.req.valid("json").text, c.get("act"));
      return c.json({ ok: true }, 201);
    },
  );
