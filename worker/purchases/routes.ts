import { Hono } from "hono";
import * as z from "zod/mini";

import { purchaseUpdateSchema } from "../../contract/purchases.ts";
import { actorOf } from "../audit/commands.ts";
import type { Session } from "../auth/queries.ts";
import { database } from "../db/client.ts";
import { DomainError } from "../errors.ts";
import { decodeCursor, encodeCursor } from "../leads/rules.ts";
import { access } from "../middleware/access.ts";
import { jsonBody, params, query } from "../middleware/body.ts";
import type { AppContext, AppEnv } from "../middleware/caller.ts";
import { archivePurchase, removePurchase, restorePurchase } from "./archive-commands.ts";
import { type By, notifyRoom, updatePurchase } from "./commands.ts";
import { type After, findPurchaseDetail, listPurchasedLeads, listPurchases } from "./queries.ts";
import { toHistory, toPurchase, toPurchasedLead } from "./rules.ts";

const PAGE = 500;

const pageQuery = z.object({
  limit: z._default(
    z.coerce.number("A number from 1 to 500").check(z.int(), z.minimum(1), z.maximum(PAGE)),
    PAGE,
  ),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});

const byId = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });

/** @throws DomainError invalid_input for a cursor that is none of ours */
function readAfter(cursor: string | undefined): After {
  if (cursor === undefined) return null;
  const after = decodeCursor(cursor);
  if (!after) throw new DomainError("invalid_input", "Unknown cursor", { cursor: "Unknown cursor" });
  return after;
}

/** Names the next page in the Link header when this one is full. */
function linkNext(c: AppContext, last: { purchasedAt: number; id: string } | undefined, isFull: boolean) {
  if (!last || !isFull) return;
  const next = new URL(c.req.url);
  next.searchParams.set("cursor", encodeCursor({ createdAt: last.purchasedAt, id: last.id }));
  c.header("Link", `<${next.pathname}${next.search}>; rel="next"`);
}

export const purchaseRoutes = new Hono<AppEnv>()
  .get("/lead-purchases", access.business, query(pageQuery), async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const rows = await listPurchases(database(c.env.DB), c.get("scope"), { after: readAfter(cursor), limit });
    linkNext(c, rows.at(-1), rows.length === limit);
    return c.json(rows.map(toPurchase));
  })

  .get("/my-purchased-leads", access.business, query(pageQuery), async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const rows = await listPurchasedLeads(database(c.env.DB), c.get("scope"), {
      after: readAfter(cursor),
      limit,
    });
    linkNext(c, rows.at(-1)?.purchase, rows.length === limit);
    return c.json(rows.map(({ purchase, lead }) => toPurchasedLead(purchase, lead)));
  })

  .get("/lead-purchases/:id", access.business, params(byId), async (c) => {
    const detail = await findPurchaseDetail(database(c.env.DB), c.get("scope"), c.req.valid("param").id);
    if (!detail) throw new DomainError("not_found", "Purchase not found");
    const { purchase, lead, history, notesBy } = detail;
    return c.json({ ...toPurchasedLead(purchase, lead), notesBy, history: toHistory(history) });
  })

  .patch(
    "/lead-purchases/:id/sales-stage",
    access.business,
    params(byId),
    jsonBody(purchaseUpdateSchema),
    async (c) => {
      const scope = c.get("scope");
      const { id } = c.req.valid("param");
      const row = await updatePurchase(database(c.env.DB), scope, id, c.req.valid("json"), byOf(c));
      c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
      return c.json(toPurchase(row));
    },
  )

  .post("/lead-purchases/:id/archive", access.owner, params(byId), async (c) => {
    const scope = c.get("scope");
    const { id } = c.req.valid("param");
    const row = await archivePurchase(database(c.env.DB), scope, id, byOf(c));
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
    return c.json(toPurchase(row));
  })

  .post("/lead-purchases/:id/restore", access.owner, params(byId), async (c) => {
    const scope = c.get("scope");
    const { id } = c.req.valid("param");
    const row = await restorePurchase(database(c.env.DB), scope, id, byOf(c));
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
    return c.json(toPurchase(row));
  })

  .delete("/lead-purchases/:id", access.owner, params(byId), async (c) => {
    const scope = c.get("scope");
    const { id } = c.req.valid("param");
    const { user, impersonatorId } = c.get("session");
    const isSuperAdmin = user.isSuperAdmin && impersonatorId === null;
    const { businessId } = await removePurchase(database(c.env.DB), scope, id, isSuperAdmin, byOf(c));
    c.executionCtx.waitUntil(notifyRoom(c.env, { businessId, userId: scope.userId }, id));
    return c.body(null, 204);
  });

/** Who changes something in this request, for the log. */
function byOf(c: AppContext): By {
  return {
    actor: actorOf(c.get("session") as Session),
    requestId: c.env.CALLER.requestId,
    now: Date.now(),
  };
}
