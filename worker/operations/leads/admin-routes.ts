import { Hono } from "hono";
import * as z from "zod/mini";

import {
  type AdminLead,
  adminLeadFilterSchema,
  moveLeadSchema,
  withdrawLeadSchema,
} from "../../../contract/admin-leads.ts";
import { MARKET_WEEKS } from "../../../contract/market-figures.ts";
import { leadIdSchema } from "../../../contract/leads.ts";
import { addDays, startOfSydneyDay } from "../../../contract/sydney-time.ts";
import { centsToText } from "../../../contract/money.ts";
import { businessOf } from "../../identity/auth/rules.ts";
import { readWords, searchLeads } from "./queries.ts";
import { DomainError } from "../../platform/errors.ts";
import { access } from "../../identity/access.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { linkNext, pageParams, readAfter } from "../../platform/http/paging.ts";
import { giveLead } from "../../selling/purchases/buy-commands.ts";
import { type SoldLead } from "../../selling/purchases/rules.ts";
import { toPurchasedLead } from "../../selling/purchases/views.ts";
import { searchKeys } from "../../leads/quarantine/contact-keys.ts";
import { firstDayOf } from "../market-figures/rules.ts";
import { moveLead, withdrawLead } from "./admin-commands.ts";
import { listPhotosOfLeads, type PhotoRow } from "../../leads/photos/queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { listLeadsForAdmins } from "../../leads/queries.ts";
import { contactPreferenceOf, fullSummary } from "../../leads/views.ts";
import { type LeadRow } from "../../leads/rules.ts";

const byId = z.object({ id: leadIdSchema });
const byLeadAndProvider = z.object({
  leadId: leadIdSchema,
  providerId: z.string().check(z.regex(/^user_[0-9a-z]{8,40}$/)),
});

const toSoldResponse = ({ purchase, lead }: SoldLead) => toPurchasedLead(purchase, lead);

/** Returns a lead's region and state after an admin's change. */
function toPlaceResponse({ id, region, generation, status, listingState, withdrawnReason }: LeadRow) {
  return { id, region, generation, status, listingState, withdrawnReason };
}

const PAGE = 50;
const listQuery = z.object({ ...pageParams(PAGE), ...adminLeadFilterSchema.shape });

type FoundLead = Awaited<ReturnType<typeof listLeadsForAdmins>>[number];

function adminLead({ lead, purchase }: FoundLead, photos: readonly PhotoRow[]): AdminLead {
  const { source, listingState, quarantineReasons, reviewedAt, revision, withdrawnReason } = lead;
  const buyer = purchase && {
    businessId: purchase.buyerId,
    name: purchase.buyerCompany || purchase.buyerName,
    mode: purchase.mode,
    amountPaid: centsToText(purchase.amountPaidCents),
  };
  return {
    ...fullSummary(lead),
    ...contactPreferenceOf(lead),
    source,
    listingState,
    quarantineReasons,
    reviewedAt,
    revision,
    withdrawnReason,
    // Photos belong to the first lead of a request.
    photos: photos.filter(({ leadId }) => leadId === (lead.rescuedFromId ?? lead.id)).map(({ id }) => id),
    buyer,
  };
}

/** Returns leads with the ids of their photos. */
async function toAdminLeads(db: Db, rows: readonly FoundLead[]): Promise<AdminLead[]> {
  const withPhotos = rows.filter(({ lead }) => lead.photoCount > 0);
  const photos = await listPhotosOfLeads(
    db,
    withPhotos.map(({ lead }) => lead.rescuedFromId ?? lead.id),
  );
  return rows.map((row) => adminLead(row, photos));
}

/**
 * Routes for all leads, and for super admins' changes to leads on the market. Every change goes through the exchange.
 */
export const leadAdminRoutes = new Hono<AppEnv>()
  .get("/leads", access.superAdmin, query(listQuery), async (c) => {
    const { q, state, region, market, step, from, to, limit, cursor } = c.req.valid("query");
    const db = c.env.db;
    const now = Date.now();
    const keys = q ? searchKeys(q) : null;
    const filter = {
      state,
      region,
      onMarket: market === "only",
      step,
      since: startOfSydneyDay(from ?? (step ? firstDayOf(MARKET_WEEKS, now) : "")) ?? undefined,
      before: to === undefined ? undefined : startOfSydneyDay(addDays(to, 1))!,
      now,
      keys,
      limit,
    };
    if (q && !keys) {
      const words = readWords(q);
      // Without a searchable word, return an empty list instead of every lead. A word search has only one page.
      return c.json(words ? await toAdminLeads(db, await searchLeads(db, words, filter)) : []);
    }
    const rows = await listLeadsForAdmins(db, { ...filter, after: readAfter(cursor) });
    const found = await toAdminLeads(db, rows);
    linkNext(c, found, limit);
    return c.json(found);
  })

  .post("/claim-lead/:id", access.superAdmin, params(byId), async (c) => {
    const { user } = c.get("session");
    const businessId = businessOf(user);
    if (!businessId)
      throw new DomainError("forbidden", "Only providers can claim leads, because only they have a pipeline");
    const order = {
      businessId,
      userId: user.id,
      mode: "claimed",
      requestId: c.get("act").requestId,
    } as const;
    const given = await giveLead(c.env, c.req.valid("param").id, order, c.executionCtx);
    return c.json(toSoldResponse(given), 201);
  })

  .post("/assign-lead/:leadId/:providerId", access.superAdmin, params(byLeadAndProvider), async (c) => {
    const { leadId, providerId: businessId } = c.req.valid("param");
    const { user } = c.get("session");
    const { requestId } = c.get("act");
    const order = { businessId, userId: user.id, mode: "assigned", requestId } as const;
    return c.json(toSoldResponse(await giveLead(c.env, leadId, order, c.executionCtx)), 201);
  })

  .post("/leads/:id/withdraw", access.superAdmin, params(byId), jsonBody(withdrawLeadSchema), async (c) => {
    const { reason } = c.req.valid("json");
    const byUserId = c.get("session").user.id;
    const { requestId } = c.get("act");
    const lead = await withdrawLead(c.env, c.req.valid("param").id, { byUserId, requestId, reason });
    return c.json(toPlaceResponse(lead));
  })

  .post("/leads/:id/move", access.superAdmin, params(byId), jsonBody(moveLeadSchema), async (c) => {
    const { region } = c.req.valid("json");
    const byUserId = c.get("session").user.id;
    const { requestId } = c.get("act");
    const move = { byUserId, requestId, region };
    return c.json(toPlaceResponse(await moveLead(c.env, c.req.valid("param").id, move)));
  });
