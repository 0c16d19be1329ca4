import { Hono } from "hono";
import * as z from "zod/mini";

import { type AdminLead, adminLeadFilterSchema } from "../../contract/admin-leads.ts";
import { handledSchema } from "../../contract/bookings.ts";
import { resolveAttentionSchema } from "../../contract/attention.ts";
import { centsToText } from "../../contract/money.ts";
import { PAYMENT_STATES } from "../../contract/payments.ts";
import { database } from "../db/client.ts";
import { fullSummary } from "../leads/rules.ts";
import { access } from "../middleware/access.ts";
import { jsonBody, params, query } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { linkNext, pageParams, readAfter } from "../middleware/paging.ts";
import { searchKeys } from "../quarantine/rules.ts";
import { countWaiting, listAttention, listBookings, listLeadsForAdmins, listLedger } from "./queries.ts";
import { markHandled, resolveAttention } from "./record-commands.ts";

const PAGE = 50;

const leadQuery = z.object({ ...pageParams(PAGE), ...adminLeadFilterSchema.shape });
const flag = z._default(z.enum(["yes", "no"]), "no");
const bookingQuery = z.object({
  ...pageParams(PAGE),
  kind: z._default(z.enum(["inspection", "garden"]), "inspection"),
  open: flag,
});
const ledgerQuery = z.object({
  ...pageParams(PAGE),
  state: z.optional(z.enum(PAYMENT_STATES, "Unknown state")),
  q: z._default(z.string().check(z.trim(), z.maxLength(120)), ""),
});
const attentionQuery = z.object({ resolved: flag });
const byBooking = z.object({ id: z.string().check(z.regex(/^bkg_[0-9a-z]{8,40}$/)) });

function adminLead({ lead, purchase }: Awaited<ReturnType<typeof listLeadsForAdmins>>[number]): AdminLead {
  const { source, listingState, quarantineReasons, reviewedAt, withdrawnReason } = lead;
  const buyer = purchase && {
    businessId: purchase.buyerId,
    name: purchase.buyerCompany || purchase.buyerName,
    mode: purchase.mode,
    amountPaid: centsToText(purchase.amountPaidCents),
  };
  return {
    ...fullSummary(lead),
    source,
    listingState,
    quarantineReasons,
    reviewedAt,
    withdrawnReason,
    buyer,
  };
}

/** The admin's own pages: what waits, and the lists of what there is. */
export const adminRoutes = new Hono<AppEnv>()
  .get("/overview", access.superAdmin, async (c) => c.json(await countWaiting(database(c.env.DB))))

  .get("/leads", access.superAdmin, query(leadQuery), async (c) => {
    const { q, state, region, limit, cursor } = c.req.valid("query");
    const keys = q ? searchKeys(q) : null;
    // Words that are no id, phone number or address find nothing rather than everything.
    if (q && !keys) return c.json<AdminLead[]>([]);
    const rows = await listLeadsForAdmins(database(c.env.DB), {
      state,
      region,
      keys,
      after: readAfter(cursor),
      limit,
    });
    const found = rows.map(adminLead);
    linkNext(c, found, limit);
    return c.json(found);
  })

  .get("/bookings", access.superAdmin, query(bookingQuery), async (c) => {
    const { kind, open, limit, cursor } = c.req.valid("query");
    const filter = { kind, open: open === "yes", after: readAfter(cursor), limit };
    const rows = await listBookings(database(c.env.DB), filter);
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .post("/bookings/:id/handled", access.superAdmin, params(byBooking), jsonBody(handledSchema), async (c) => {
    const { handled } = c.req.valid("json");
    await markHandled(database(c.env.DB), c.req.valid("param").id, handled, c.get("act"));
    return c.json({ handled });
  })

  .get("/payments", access.superAdmin, query(ledgerQuery), async (c) => {
    const { state, q, limit, cursor } = c.req.valid("query");
    const rows = await listLedger(database(c.env.DB), { state, q, after: readAfter(cursor), limit });
    linkNext(c, rows, limit);
    return c.json(rows);
  })

  .get("/attention", access.superAdmin, query(attentionQuery), async (c) => {
    const resolved = c.req.valid("query").resolved === "yes";
    return c.json(await listAttention(database(c.env.DB), { resolved, limit: 200 }));
  })

  .post("/attention/resolve", access.superAdmin, jsonBody(resolveAttentionSchema), async (c) => {
    await resolveAttention(database(c.env.DB), c.req.valid("json"), c.get("act"));
    return c.json({ resolved: true });
  });
