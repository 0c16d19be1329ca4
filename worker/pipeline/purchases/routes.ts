import { Hono } from "hono";
import * as z from "zod/mini";

import { answersSeenSchema } from "../../../contract/answers.ts";
import { contactSchema } from "../../../contract/contacts.ts";
import { customerCorrectionSchema } from "../../../contract/corrections.ts";
import { purchaseUpdateSchema } from "../../../contract/purchases.ts";
import { markAnswersSeen } from "../answers/store.ts";
import { requireSameUser } from "../../identity/auth/rules.ts";
import { expirePages, SHOWN_JOBS_TAG } from "../../platform/edge-cache/public-pages.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import type { AppContext, AppEnv } from "../../platform/context.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { archivePurchase, removePurchase, restorePurchase, updatePurchase } from "./commands.ts";
import { correctCustomer, logContact } from "./contact-commands.ts";
import { notifyRoom } from "../../live/room.ts";
import { findPurchaseDetail, listPurchasedLeads, listPurchases } from "./queries.ts";
import {
  toContacts,
  toCorrections,
  toHistory,
  toPurchase,
  toPurchasedLead,
} from "../../selling/purchases/views.ts";

const PAGE = 500;

const pageQuery = z.object(pageParams(PAGE));

const byId = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });

/** Sets the Link header to the next page, which starts after the last purchase. */
function linkOlder(c: AppContext, rows: readonly { purchasedAt: number; id: string }[], limit: number) {
  const keys = rows.map(({ purchasedAt, id }) => ({ createdAt: purchasedAt, id }));
  linkNext(c, keys, limit);
}

export const purchaseRoutes = new Hono<AppEnv>()
  .get("/lead-purchases", access.business, query(pageQuery), async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const rows = await listPurchases(c.env.db, c.get("scope"), { after: readAfter(cursor), limit });
    linkOlder(c, rows, limit);
    return c.json(rows.map(toPurchase));
  })

  .get("/my-purchased-leads", access.business, query(pageQuery), async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const rows = await listPurchasedLeads(c.env.db, c.get("scope"), {
      after: readAfter(cursor),
      limit,
    });
    linkOlder(
      c,
      rows.map(({ purchase }) => purchase),
      limit,
    );
    return c.json(rows.map(({ purchase, lead }) => toPurchasedLead(purchase, lead)));
  })

  .get("/lead-purchases/:id", access.business, params(byId), async (c) => {
    const detail = await findPurchaseDetail(c.env.db, c.get("scope"), c.req.valid("param").id);
    if (!detail) throw new DomainError("not_found", "Purchase not found");
    const { purchase, lead, history, contacts, corrections, answers, updates, photos, ...others } = detail;
    return c.json({
      ...toPurchasedLead(purchase, lead),
      ...others,
      history: toHistory(history),
      contacts: toContacts(contacts),
      corrections: toCorrections(corrections),
      answers,
      updates,
      photos,
    });
  })

  .patch(
    "/lead-purchases/:id/sales-stage",
    access.business,
    params(byId),
    jsonBody(purchaseUpdateSchema),
    async (c) => {
      const scope = c.get("scope");
      const { id } = c.req.valid("param");
      const { madeBy, ...update } = c.req.valid("json");
      requireSameUser(madeBy, scope);
      const row = await updatePurchase(c.env.db, scope, id, update, c.get("act"));
      c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
      return c.json(toPurchase(row));
    },
  )

  .patch(
    "/lead-purchases/:id/customer",
    access.business,
    params(byId),
    jsonBody(customerCorrectionSchema),
    async (c) => {
      const scope = c.get("scope");
      const { id } = c.req.valid("param");
      const { purchase, lead } = await correctCustomer(
        c.env.db,
        scope,
        id,
        c.req.valid("json"),
        c.get("act"),
      );
      c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
      return c.json(toPurchasedLead(purchase, lead));
    },
  )

  .post(
    "/lead-purchases/:id/contacts",
    access.business,
    notImpersonating,
    params(byId),
    jsonBody(contactSchema),
    async (c) => {
      const scope = c.get("scope");
      const { id } = c.req.valid("param");
      const { madeBy, ...contact } = c.req.valid("json");
      requireSameUser(madeBy, scope);
      const row = await logContact(c.env.db, scope, id, contact, c.get("act"));
      c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
      return c.json(toPurchase(row));
    },
  )

  .post(
    "/lead-purchases/:id/answers-seen",
    access.business,
    params(byId),
    jsonBody(answersSeenSchema),
    async (c) => {
      const scope = c.get("scope");
      const { id } = c.req.valid("param");
      const db = c.env.db;
      // An impersonating admin does not mark replies as read.
      const isTheirs = c.get("session").impersonatorId === null;
      const upTo = isTheirs ? c.req.valid("json").upTo : 0;
      const row = await markAnswersSeen(db, scope, id, upTo, Date.now());
      if (isTheirs) c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
      return c.json(toPurchase(row));
    },
  )

  .post("/lead-purchases/:id/archive", access.owner, params(byId), async (c) => {
    const scope = c.get("scope");
    const { id } = c.req.valid("param");
    const row = await archivePurchase(c.env.db, scope, id, c.get("act"));
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
    return c.json(toPurchase(row));
  })

  .post("/lead-purchases/:id/restore", access.owner, params(byId), async (c) => {
    const scope = c.get("scope");
    const { id } = c.req.valid("param");
    const row = await restorePurchase(c.env.db, scope, id, c.get("act"));
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
    return c.json(toPurchase(row));
  })

  .delete("/lead-purchases/:id", access.owner, params(byId), async (c) => {
    const scope = c.get("scope");
    const { id } = c.req.valid("param");
    const { user, impersonatorId } = c.get("session");
    const isSuperAdmin = user.isSuperAdmin && impersonatorId === null;
    const { businessId } = await removePurchase(c.env.db, scope, id, isSuperAdmin, c.get("act"));
    await expirePages(c.req.url, [SHOWN_JOBS_TAG], "purge");
    c.executionCtx.waitUntil(notifyRoom(c.env, { businessId, userId: scope.userId }, id));
    return c.body(null, 204);
  });
