/** Tests access rights: each route in testing/routes, as each kind of caller. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { leadPurchases } from "./tables.ts";
import { call, callerFor, db } from "../testing/client.ts";
import { raise } from "../testing/drivers.ts";
import { apiRoutes } from "../testing/facts.ts";
import {
  insertBadLeadReport,
  insertBooking,
  insertManualPurchase,
  insertPayment,
  insertPendingLead,
  insertProfile,
  insertReview,
  insertTeamMember,
  insertUser,
  PASSWORD,
  quoteRequest,
} from "../testing/world.ts";
import {
  API_ROUTES,
  bodyFor,
  fillPath,
  type IdKind,
  idKindOf,
  routeOf,
  UNKNOWN_IDS,
} from "../testing/routes/api.ts";
import { ROUTE_CALLERS } from "../testing/routes/route.ts";
import { eventually } from "../testing/eventually.ts";

type CallerKind = (typeof ROUTE_CALLERS)[number];

const owner = await insertUser(db);
const users = {
  customer: await insertUser(db, { userType: "customer", companyName: null }),
  provider: owner,
  stranger: await insertUser(db),
  team: await insertTeamMember(db, owner),
  admin: await insertUser(db, { isSuperAdmin: true }),
};
await insertProfile(db, users.stranger, { slug: "leichhardt" });
const purchaseId = await insertManualPurchase(db, owner, { stage: "accepted_lead", startedAt: 1 });
const leaver = await insertTeamMember(db, owner);
const account = await insertUser(db, { username: "role-table" });
const leadId = await eventually(async () => {
  const created = await call("POST", "/api/leads", {
    body: quoteRequest({ submissionId: "role-table-lead-1" }),
  });
  const { id } = (await created.json()) as { id: string };
  const bought = await (
    await callerFor(owner.id)
  )("POST", `/api/leads/${id}/purchase`, {
    ...bodyFor("POST /api/leads/:id/purchase"),
  });
  if (bought.status !== 201) throw new Error("Not listed yet");
  return id;
});
const boughtId = await purchaseOf(leadId);
const bookingId = await insertBooking(db);
const badLeadId = await insertBadLeadReport(
  db,
  owner,
  await insertManualPurchase(db, owner, { stage: "called", startedAt: 2 }),
);
const reviewId = await insertReview(
  db,
  await insertManualPurchase(db, owner, { stage: "job_complete", startedAt: 2 }),
);
await raise("refund_failed", "pay_00000000000000000000", "A refund is still owed", 1);
const released = await insertPendingLead(db, {}, 1, ["honeypot"]);
const dropped = await insertPendingLead(db, {}, 1, ["honeypot"]);
const paymentId = await insertPayment(db, owner, leadId);

async function purchaseOf(lead: string) {
  const rows = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, lead));
  return rows[0]!.id;
}

/** IDs in paths, by what they name. Other paths name rows that do not exist. */
const IDS: Partial<Record<IdKind, string>> = {
  leads: leadId,
  claims: leadId,
  purchases: purchaseId,
  badLeads: badLeadId,
  reviews: reviewId,
  bookings: bookingId,
  payments: paymentId,
  regions: "macarthur",
};

/** IDs in single routes. Each call gets a new purchase to delete, or later callers would find none. */
const OWN_IDS: Readonly<Record<string, () => string | Promise<string>>> = {
  "POST /api/super-admin/leads/:id/release": () => released.id,
  "POST /api/super-admin/leads/:id/drop": () => dropped.id,
  "POST /api/lead-purchases/:id/bad-lead": () => boughtId,
  "DELETE /api/lead-purchases/:id": () => insertManualPurchase(db, owner, { stage: "called", startedAt: 2 }),
  "PUT /api/team-members/:id/alerts": () => leaver.id,
  "DELETE /api/team-members/:id": () => leaver.id,
  "POST /api/team-members/:id/password-link": () => users.team.id,
};

async function pathOf(route: string): Promise<string> {
  const kind = idKindOf(route);
  const providerId = users.stranger.id;
  const id = kind === "users" ? providerId : (IDS[kind] ?? UNKNOWN_IDS[kind]);
  return fillPath(route, (await OWN_IDS[route]?.()) ?? id, { leadId, providerId });
}

function bodyOf(route: string): unknown {
  if (route === "POST /api/auth/login") return { username: account.username, password: PASSWORD };
  if (route === "POST /api/auth/logout") return {};
  if (route === "POST /api/create-payment-intent" || route === "POST /api/exchange/holds")
    return { leadId, amount: 5000 };
  if (route === "POST /api/auth/impersonate") return { targetUserId: users.stranger.id };
  const body = routeOf(route).body?.();
  // An admin has to provide an email address for another person's account.
  return route.endsWith("/provider/signup") ? { ...body, email: `${crypto.randomUUID()}@example.com` } : body;
}

const cookies = new Map<CallerKind, string>();

/** Routes that change or end sessions. */
const CHANGES_SESSIONS = /auth|passkeys|sessions|password/;

/** Returns the cookie of a signed-in caller. */
async function cookieOf(kind: CallerKind, route: string): Promise<string | undefined> {
  if (kind === "visitor") return undefined;
  if (CHANGES_SESSIONS.test(route)) cookies.clear();
  const cookie = cookies.get(kind) ?? (await callerFor(users[kind].id)).cookie;
  if (!CHANGES_SESSIONS.test(route)) cookies.set(kind, cookie);
  return cookie;
}

test("the table has a row for every route and no other", () => {
  const routes = apiRoutes().filter(({ method }) => method !== "ALL");
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  expect(Object.keys(API_ROUTES).toSorted()).toEqual([...known].toSorted());
});

test("every route declares who may call it", () => {
  const guarded = new Map<string, boolean>();
  for (const { method, path, isGuarded } of apiRoutes()) {
    const route = `${method} ${path}`;
    guarded.set(route, (guarded.get(route) ?? false) || isGuarded);
  }
  expect([...guarded].filter(([, isGuarded]) => !isGuarded)).toEqual([]);
});

test.each(Object.entries(API_ROUTES))(
  "%s answers each kind of caller as the table says",
  async (route, { gets }) => {
    const method = route.slice(0, route.indexOf(" "));
    const statuses: Partial<Record<CallerKind, number>> = {};
    for (const kind of ROUTE_CALLERS) {
      const cookie = await cookieOf(kind, route);
      const response = await call(method, await pathOf(route), { cookie, body: bodyOf(route) });
      statuses[kind] = response.status;
    }
    expect(statuses).toEqual(Object.fromEntries(ROUTE_CALLERS.map((kind, i) => [kind, gets[i]])));
  },
);

test("rights are checked before the request's content", async () => {
  for (const [route, { gets }] of Object.entries(API_ROUTES)) {
    if (gets[0] !== 401 || route.startsWith("GET")) continue;
    const method = route.slice(0, route.indexOf(" "));
    const response = await call(method, await pathOf(route), { body: "{" });
    expect(response.status, route).toBe(401);
  }
});

test("another business's purchase is answered like an unknown one", async () => {
  const stranger = await callerFor(users.stranger.id);
  const answer = async (id: string) => {
    const response = await stranger("PATCH", `/api/lead-purchases/${id}/sales-stage`, {
      salesStage: "called",
    });
    const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>;
    return problem;
  };
  const theirs = await answer(purchaseId);
  expect(theirs).toMatchObject({ status: 404, code: "not_found" });
  expect(await answer("pur_00000000000000000000")).toEqual(theirs);
});

test("lists of purchases hold only the caller's business", async () => {
  type Row = { id: string };
  for (const path of [
    "/api/lead-purchases",
    "/api/my-purchased-leads",
    "/api/pipeline",
    "/api/pipeline/changes?since=0",
  ]) {
    const ids = async (userId: string) => {
      const response = await (await callerFor(userId))("GET", path);
      const rows = await response.json<Row[] | { items: Row[] }>();
      return (Array.isArray(rows) ? rows : rows.items).map(({ id }) => id);
    };
    const owners = await ids(owner.id);
    expect(owners, path).toContain(purchaseId);
    expect(await ids(users.team.id), path).toEqual(owners);
    for (const other of [users.stranger, users.admin]) {
      const theirs = await ids(other.id);
      expect(
        theirs.filter((id) => owners.includes(id)),
        path,
      ).toEqual([]);
    }
  }
});
