import { Hono } from "hono";
import * as z from "zod/mini";

import { leadIdSchema, leadRequestSchema, type OfferedLead } from "../../contract/leads.ts";
import { isRegion } from "../../contract/regions.ts";
import { DomainError } from "../platform/errors.ts";
import { listBusyRegions, withHolds } from "../exchange/queries.ts";
import { access } from "../identity/access.ts";
import { jsonBody, query } from "../platform/http/body.ts";
import type { AppEnv } from "../platform/context.ts";
import { linkNext, readAfter } from "../platform/http/paging.ts";
import { countNetworkAttempt } from "../platform/http/rate-limit.ts";
import { putOnMarketLater, storeRequest } from "./commands.ts";
import { screenRequest } from "./quarantine/commands.ts";
import { listAvailable, listOffers, listOwnCustomers, listShown } from "./queries.ts";
import { fullSummary, maskedSummary } from "./views.ts";
import { refuseEmailWithoutAddress } from "./rules.ts";

const PAGE = 100;

const listQuery = z.object({
  /** One region, or several separated by commas. All regions when omitted. */
  region: z.optional(
    z.pipe(
      z.string(),
      z.transform((text) => [...new Set(text.split(",").filter(Boolean))]),
    ),
  ),
  limit: z._default(
    z.coerce.number("A number from 1 to 100").check(z.int(), z.minimum(1), z.maximum(PAGE)),
    PAGE,
  ),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});

const idsQuery = z.object({
  /** Leads, separated by commas. */
  ids: z.pipe(
    z.pipe(
      z.optional(z.string()),
      z.transform((text) => text?.split(",") ?? []),
    ),
    z.array(leadIdSchema).check(z.maxLength(PAGE)),
  ),
});

export const leadRoutes = new Hono<AppEnv>()
  .post("/", access.anyone, jsonBody(leadRequestSchema), async (c) => {
    const { CALLER: caller } = c.env;
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, caller.prefixes);
    const request = c.req.valid("json");
    refuseEmailWithoutAddress(request.contactMethod, request.customerEmail);
    const now = Date.now();
    const { db, settings } = c.env;
    const { originHashKey, leadLifetimeMs: lifetimeMs } = settings;
    const { lead, token, repeated } = await storeRequest({ db, originHashKey }, request, {
      customerId: caller.session?.user.id ?? null,
      now,
      lifetimeMs,
      screened: await screenRequest(c.env, request, {
        ...caller,
        hostname: new URL(c.req.url).hostname,
        form: "quote",
        now,
      }),
    });
    if (!repeated && lead.listingState === "pending")
      putOnMarketLater(c.env, c.executionCtx, lead, caller.requestId);
    const { id, reference, suburbName, createdAt } = lead;
    return c.json({ id, reference, suburbName, createdAt, token }, 201);
  })

  .get("/", access.business, query(listQuery), async (c) => {
    const { region: regions = [], limit, cursor } = c.req.valid("query");
    if (!regions.every(isRegion)) throw new DomainError("not_found", "Unknown region");
    const after = readAfter(cursor);
    const page = { regions, limit, after, now: Date.now(), businessId: c.get("scope").businessId };
    const db = c.env.db;
    const [summaries, busy] = await Promise.all([
      c.get("session").user.isSuperAdmin
        ? listAvailable(db, page).then((rows) => rows.map(fullSummary))
        : listShown(db, page).then((rows) => rows.map(maskedSummary)),
      listBusyRegions(db),
    ]);
    linkNext(c, summaries, limit);
    return c.json(await withHolds(c.env, summaries, busy));
  })

  .get("/own-customers", access.business, query(idsQuery), async (c) =>
    c.json(await listOwnCustomers(c.env.db, c.get("scope").businessId, c.req.valid("query").ids)),
  )

  .get("/offers", access.business, async (c) => {
    const { db } = c.env;
    const now = Date.now();
    const offers = await listOffers(db, c.get("scope").businessId, now);
    const endsAt = new Map(offers.map((offer) => [offer.lead.id, offer.endsAt]));
    const summaries = offers.map(({ lead }) => maskedSummary(lead));
    const held = await withHolds(c.env, summaries, await listBusyRegions(db));
    const open = held.map((lead): OfferedLead => ({ lead, endsAt: endsAt.get(lead.id)! }));
    return c.json(open.filter((offer) => offer.endsAt > now || offer.lead.heldUntil !== null));
  });
