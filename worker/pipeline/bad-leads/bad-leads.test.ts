/** Tests bad-lead reports and admins' decisions. */
import { DAY_MS } from "../../../contract/durations.ts";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import {
  type AdminBadLead,
  BAD_LEAD_REPORT_DAYS,
  type BadLeadOverview,
} from "../../../contract/bad-leads.ts";
import type { UserRow } from "../../platform/caller.ts";
import { freeClaims } from "../../tables.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { callerFor, db } from "../../../testing/client.ts";
import { auditEntries, publicReviews, purchaseRow, setPurchase } from "../../../testing/facts.ts";
import { listed } from "../../../testing/drivers.ts";
import { PublicPages } from "../../../testing/main.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import {
  insertFreeClaim,
  insertManualPurchase,
  insertProfile,
  insertReview,
  insertUser,
} from "../../../testing/world.ts";

const admin = await insertUser(db, { isSuperAdmin: true });
const asAdmin = await callerFor(admin.id);

type As = Awaited<ReturnType<typeof insertProvider>>["as"];

/** Buys a new lead as this provider. Returns the purchase's ID. */
async function bought(as: As): Promise<string> {
  const lead = await listed();
  const body = bodyFor("POST /api/leads/:id/purchase");
  const response = await as("POST", `/api/leads/${lead.id}/purchase`, body);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

const desk = async (as: As) => (await (await as("GET", "/api/bad-leads")).json()) as BadLeadOverview;
const sendReport = (as: As, purchaseId: string) =>
  as("POST", `/api/lead-purchases/${purchaseId}/bad-lead`, {
    reason: "disconnected",
    note: "Rang three times",
  });
const claim = (as: As, leadId: string) => as("POST", `/api/leads/${leadId}/claim-with-credit`);
const code = async (response: Response) => ((await response.json()) as { code: string }).code;

async function openBadLeads() {
  return (await (await asAdmin("GET", "/api/super-admin/bad-leads")).json()) as AdminBadLead[];
}

async function freeClaimsOf(user: UserRow) {
  return db.select().from(freeClaims).where(eq(freeClaims.buyerId, user.id));
}

test("an admin accepts a bad-lead report, which gives one free claim", async () => {
  const { user, as } = await insertProvider();
  const purchaseId = await bought(as);
  expect((await sendReport(as, purchaseId)).status).toBe(201);
  expect(await desk(as)).toMatchObject({
    claimPrices: [],
    reports: [{ purchaseId, state: "open", reason: "disconnected" }],
  });
  const report = (await openBadLeads()).find((row) => row.purchaseId === purchaseId)!;
  expect(report).toMatchObject({
    businessId: user.id,
    note: "Rang three times",
    customerPhone: "02 5550 0123",
  });

  const path = `/api/super-admin/bad-leads/${report.id}/answer`;
  expect((await asAdmin("POST", path, { decision: "granted", answer: "Sorry!" })).status).toBe(200);
  expect(await desk(as)).toMatchObject({
    claimPrices: ["50.00"],
    reports: [{ state: "granted", answer: "Sorry!" }],
  });
  // The payment is not refunded.
  const purchase = await purchaseRow(purchaseId);
  expect(purchase).toMatchObject({ amountPaidCents: 5000, paymentStatus: "completed" });

  expect(await code(await asAdmin("POST", path, { decision: "granted" }))).toBe("bad_lead_answered");
  expect(await freeClaimsOf(user)).toHaveLength(1);
  const lines = await auditEntries(report.id);
  expect(lines).toMatchObject([{ action: "bad_lead.grant", actorUserId: admin.id }]);
});

test("granting a report hides the customer's review, also on cached pages", async () => {
  const { user, as } = await insertProvider();
  const purchaseId = await bought(as);
  await insertReview(db, purchaseId);
  await insertProfile(db, user);
  await sendReport(as, purchaseId);
  const report = (await openBadLeads()).find((row) => row.purchaseId === purchaseId)!;
  PublicPages.expiries.length = 0;
  await asAdmin("POST", `/api/super-admin/bad-leads/${report.id}/answer`, { decision: "granted" });
  expect(PublicPages.expiries).toEqual(["purge"]);
  expect(await publicReviews(user.id)).toMatchObject({ shown: 0, hidden: 1 });
});

test("a rejected report gives no free claim, and its answer appears with the lead", async () => {
  const { user, as } = await insertProvider();
  const purchaseId = await bought(as);
  await sendReport(as, purchaseId);
  const report = (await openBadLeads()).find((row) => row.purchaseId === purchaseId)!;
  await asAdmin("POST", `/api/super-admin/bad-leads/${report.id}/answer`, {
    decision: "refused",
    answer: "We reached them.",
  });
  expect(await desk(as)).toMatchObject({
    claimPrices: [],
    reports: [{ state: "refused", answer: "We reached them." }],
  });
  expect(await freeClaimsOf(user)).toEqual([]);
});

test("granting a report does not renew a free claim for the same lead that was used since", async () => {
  const { user, as } = await insertProvider();
  const purchaseId = await bought(as);
  await sendReport(as, purchaseId);
  const report = (await openBadLeads()).find((row) => row.purchaseId === purchaseId)!;
  // In between, a rule gave a free claim, and the business used it.
  const used = { usedForLeadId: (await listed()).id, usedAt: Date.now(), finishedAt: Date.now() };
  const id = await insertFreeClaim(db, user);
  await db
    .update(freeClaims)
    .set({ purchaseId, ...used })
    .where(eq(freeClaims.id, id));
  const path = `/api/super-admin/bad-leads/${report.id}/answer`;
  expect((await asAdmin("POST", path, { decision: "granted" })).status).toBe(200);
  expect(await freeClaimsOf(user)).toMatchObject([{ purchaseId, ...used, revokedAt: null }]);
  expect((await desk(as)).claimPrices).toEqual([]);
});

test("two admins who grant at once give one free claim", async () => {
  const { user, as } = await insertProvider();
  const purchaseId = await bought(as);
  await sendReport(as, purchaseId);
  const report = (await openBadLeads()).find((row) => row.purchaseId === purchaseId)!;
  const path = `/api/super-admin/bad-leads/${report.id}/answer`;
  const responses = await Promise.all([1, 2, 3].map(() => asAdmin("POST", path, { decision: "granted" })));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await freeClaimsOf(user)).toHaveLength(1);
});

test("a lead is reported once, in time, and only if it was bought", async () => {
  const { user, as } = await insertProvider();
  const purchaseId = await bought(as);
  expect((await sendReport(as, purchaseId)).status).toBe(201);
  expect(await code(await sendReport(as, purchaseId))).toBe("bad_lead_reported");

  const late = await bought(as);
  await setPurchase(late, { purchasedAt: Date.now() - BAD_LEAD_REPORT_DAYS * DAY_MS - 1_000 });
  expect(await code(await sendReport(as, late))).toBe("bad_lead_too_late");

  const own = await insertManualPurchase(db, user, { stage: "called", startedAt: Date.now() });
  expect(await code(await sendReport(as, own))).toBe("bad_lead_not_bought");
  expect((await sendReport((await insertProvider()).as, purchaseId)).status).toBe(404);
});

test("a lead claimed for free can also be reported", async () => {
  const { user, as } = await insertProvider();
  await insertFreeClaim(db, user);
  const { id } = (await (await claim(as, (await listed()).id)).json()) as { id: string };
  expect((await sendReport(as, id)).status).toBe(201);
});
