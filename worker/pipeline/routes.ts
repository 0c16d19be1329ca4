import { Hono } from "hono";

import { manualLeadSchema } from "../../contract/manual-leads.ts";
import {
  pipelineChangesSchema,
  type PipelineFilter,
  pipelineFilterSchema,
  pipelinePageSchema,
} from "../../contract/pipeline-queries.ts";
import { sydneyDay } from "../../contract/sydney-time.ts";
import { access } from "../identity/access.ts";
import type { BusinessScope } from "../identity/auth/rules.ts";
import { notifyRoom } from "../live/room.ts";
import type { AppEnv } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { DomainError } from "../platform/errors.ts";
import { jsonBody, query } from "../platform/http/body.ts";
import { decodeCursor, encodeCursor } from "../platform/http/paging.ts";
import { countTry } from "../platform/http/rate-limit.ts";
import { toPurchasedLead } from "../selling/purchases/views.ts";
import { csvHead, csvLines } from "./csv.ts";
import { addManualLead } from "./manual-commands.ts";
import { countPurchasesByTile, type PipelineKey, scanChanges, scanPipeline } from "./queries.ts";
import { filterPage, hasUnknownStage, planPage, SCAN_ROWS, sortValue, toCounts } from "./rules.ts";

/** Maximum changed purchases per response. */
const CHANGES = 200;

/** @throws DomainError invalid_input for an invalid cursor */
function readKey(cursor: string | undefined): PipelineKey | null {
  if (cursor === undefined) return null;
  const key = decodeCursor(cursor);
  if (!key) throw new DomainError("invalid_input", "Unknown cursor", { cursor: "Unknown cursor" });
  return { at: key.createdAt, id: key.id };
}

/** Reads one page of purchases that match a filter, and the start of the next page, which is null at the end. */
async function readPage(
  db: Db,
  scope: BusinessScope,
  filter: PipelineFilter,
  page: { after: PipelineKey | null; limit: number; now: number; hasUnknown: boolean },
) {
  const { tile, rows } = planPage(filter, page.limit, page.hasUnknown);
  const scanned = await scanPipeline(db, scope, { tile, sort: filter.sort, after: page.after, rows });
  const purchases = scanned.map(({ purchase, lead }) => toPurchasedLead(purchase, lead));
  const { items, last } = filterPage(purchases, filter, {
    rows,
    limit: page.limit,
    now: page.now,
    userId: scope.userId,
  });
  return { items, next: last && { at: sortValue(last, filter.sort), id: last.id } };
}

const writeKey = (key: PipelineKey) => encodeCursor({ createdAt: key.at, id: key.id });

/** Streams the purchases that match a filter as CSV, page by page, so that a pipeline can be any length. */
function csvOf(db: Db, scope: BusinessScope, filter: PipelineFilter, now: number): ReadableStream {
  const encoder = new TextEncoder();
  let after: PipelineKey | null = null;
  let hasUnknown = false;
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode(csvHead()));
      hasUnknown = hasUnknownStage(await countPurchasesByTile(db, scope));
    },
    async pull(controller) {
      const { items, next } = await readPage(db, scope, filter, { after, limit: SCAN_ROWS, now, hasUnknown });
      controller.enqueue(encoder.encode(csvLines(items)));
      after = next;
      if (!after) controller.close();
    },
  });
}

/** Routes for a business's whole pipeline: pages, changes and the CSV file. */
export const pipelineRoutes = new Hono<AppEnv>()
  .get("/", access.business, query(pipelinePageSchema), async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const [db, scope, now] = [c.env.db, c.get("scope"), Date.now()];
    const place = { after: readKey(cursor), limit, now };
    const [quick, counted] = await Promise.all([
      readPage(db, scope, filter, { ...place, hasUnknown: false }),
      countPurchasesByTile(db, scope),
    ]);
    const isShort = filter.tile === "accepted_lead" && hasUnknownStage(counted);
    const page = isShort ? await readPage(db, scope, filter, { ...place, hasUnknown: true }) : quick;
    return c.json({
      items: page.items,
      cursor: page.next && writeKey(page.next),
      counts: toCounts(counted),
      serverNow: now,
    });
  })

  .get("/changes", access.business, query(pipelineChangesSchema), async (c) => {
    const { since, cursor } = c.req.valid("query");
    const now = Date.now();
    const after = readKey(cursor);
    const rows = await scanChanges(c.env.db, c.get("scope"), { since, after, rows: CHANGES });
    const last = rows.length === CHANGES ? rows.at(-1)!.purchase : null;
    return c.json({
      items: rows
        .filter(({ purchase }) => purchase.removedAt === null)
        .map(({ purchase, lead }) => toPurchasedLead(purchase, lead)),
      removed: rows.filter(({ purchase }) => purchase.removedAt !== null).map(({ purchase }) => purchase.id),
      cursor: last && writeKey({ at: last.updatedAt, id: last.id }),
      serverNow: now,
    });
  })

  .get("/export.csv", access.owner, query(pipelineFilterSchema), (c) => {
    const now = Date.now();
    const body = csvOf(c.env.db, c.get("scope"), c.req.valid("query"), now);
    return c.body(body, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="pipeline-${sydneyDay(now)}.csv"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    });
  });

/** Routes for leads that providers add themselves. */
export const manualLeadRoutes = new Hono<AppEnv>().post(
  "/manual",
  access.owner,
  jsonBody(manualLeadSchema),
  async (c) => {
    const session = c.get("session");
    const scope = c.get("scope");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    const purchase = await addManualLead(c.env.db, session, scope, c.req.valid("json"), {
      ...c.get("act"),
      lifetimeMs: c.env.settings.leadLifetimeMs,
    });
    c.executionCtx.waitUntil(notifyRoom(c.env, scope, purchase.id));
    return c.json(purchase, 201);
  },
);
