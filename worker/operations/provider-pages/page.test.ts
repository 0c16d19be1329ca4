/** A provider's page for super admins: its content, notes, messages, and the reason for a deactivation. */
import { expect, test } from "vitest";

import type { AdminPayment } from "../../../contract/payments.ts";
import type { ProviderPage, ProviderPurchase } from "../../../contract/providers.ts";
import { insertAdmin, startImpersonation } from "../../../testing/admins.ts";
import { readStatusAndCode } from "../../../testing/cards.ts";
import { callerFor, callWith, db } from "../../../testing/client.ts";
import { auditEntries, paymentsFor, purchaseRow, setPurchase } from "../../../testing/facts.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  insertBadLeadReport,
  insertFreeClaim,
  insertManualPurchase,
  insertPayment,
  insertTeamMember,
  insertUser,
} from "../../../testing/world.ts";

const { asAdmin, list, pages } = await insertAdmin();
const pageOf = async (id: string): Promise<ProviderPage> =>
  (await asAdmin("GET", `/api/super-admin/providers/${id}`)).json();
const post = (id: string, what: string, text: string) =>
  asAdmin("POST", `/api/super-admin/providers/${id}/${what}`, { text });

/** Inserts a provider who bought two leads by card and added one lead. One purchase is refunded. */
async function busyProvider() {
  const provider = await insertUser(db, { companyName: "Quokka Lawns", licenseNumber: "Lic 88y" });
  const bought = [];
  for (const status of ["completed", "refunded"] as const) {
    const id = await insertManualPurchase(db, provider, { stage: "called", startedAt: Date.now() });
    const { leadId } = await purchaseRow(id);
    const refund = status === "refunded" ? ({ state: "refunded", refundedCents: 5000 } as const) : {};
    const paymentId = await insertPayment(db, provider, leadId, refund);
    const [payment] = await paymentsFor(leadId);
    await setPurchase(id, {
      mode: "stripe",
      amountPaidCents: 5000,
      paymentStatus: status,
      paymentIntentId: payment!.stripePaymentIntentId,
    });
    bought.push({ id, paymentId });
  }
  const manual = await insertManualPurchase(db, provider, { stage: "called", startedAt: Date.now() });
  await insertBadLeadReport(db, provider, bought[0]!.id);
  await insertFreeClaim(db, provider);
  return { provider, bought, manual };
}

test("the page has account, money, reports, team, sessions and when each user was last active", async () => {
  const { provider, bought, manual } = await busyProvider();
  const member = await insertTeamMember(db, provider, { firstName: "Tess", lastName: "Team" });
  await callerFor(provider.id);
  await callerFor(member.id);
  const page = await pageOf(provider.id);
  expect(page).toMatchObject({
    provider: { id: provider.id, companyName: "Quokka Lawns", isActive: true },
    licenseNumber: "Lic 88y",
    leads: 3 + 1,
    year: { bought: 1, paid: "50.00", refunded: "50.00" },
    badLeads: { open: 1, granted: 1, refused: 0 },
    freeClaims: 1,
    canMessage: false,
    notes: [],
  });
  expect(page.lastSeenAt).toBeGreaterThan(Date.now() - 60_000);
  expect(page.team).toMatchObject([{ id: member.id, name: "Tess Team" }]);
  expect(page.team[0]!.lastSeenAt).toBeGreaterThan(Date.now() - 60_000);
  expect(page.sessions).toHaveLength(1);
  expect(JSON.stringify(page)).not.toMatch(/passwordHash|tokenHash/);

  const purchases = await pages<ProviderPurchase>(
    `/api/super-admin/providers/${provider.id}/purchases?limit=2`,
  );
  expect(purchases).toHaveLength(4);
  const of = (id: string) => purchases.find((purchase) => purchase.id === id);
  expect(of(bought[0]!.id)).toMatchObject({
    paymentId: bought[0]!.paymentId,
    badLead: "open",
    mode: "stripe",
  });
  expect(of(bought[1]!.id)).toMatchObject({ paymentStatus: "refunded", badLead: null });
  expect(of(manual)).toMatchObject({ paymentId: null, mode: "manual" });
  const paid = await list<AdminPayment>(`/api/super-admin/payments?buyerId=${provider.id}`);
  expect(paid.map(({ id }) => id).toSorted()).toEqual(bought.map(({ paymentId }) => paymentId).toSorted());
});

test("a team member's ID leads to their business; a customer has no page", async () => {
  const provider = await insertUser(db);
  const member = await insertTeamMember(db, provider);
  expect((await pageOf(member.id)).provider.id).toBe(provider.id);
  const customer = await insertUser(db, { userType: "customer" });
  const response = await asAdmin("GET", `/api/super-admin/providers/${customer.id}`);
  expect(await readStatusAndCode(response)).toEqual([404, "not_found"]);
});

test("an impersonating admin does not count as the provider's activity", async () => {
  const provider = await insertUser(db);
  const other = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  await startImpersonation(other.cookie, provider.id);
  const page = await pageOf(provider.id);
  expect(page.sessions).toMatchObject([{ isSupport: true }]);
  expect(page.lastSeenAt).toBeNull();
});

test("notes are stored with their author and can be removed; the log does not contain their text", async () => {
  const provider = await insertUser(db);
  expect((await post(provider.id, "notes", "Rings back within the hour")).status).toBe(201);
  const [note] = (await pageOf(provider.id)).notes;
  expect(note).toMatchObject({ kind: "note", text: "Rings back within the hour", byName: "Alex Admin" });
  const remove = () => asAdmin("DELETE", `/api/super-admin/provider-notes/${note!.id}`);
  expect((await remove()).status).toBe(200);
  expect(await readStatusAndCode(await remove())).toEqual([404, "not_found"]);
  expect((await pageOf(provider.id)).notes).toEqual([]);
  const lines = await auditEntries(provider.id);
  expect(lines.map(({ action }) => action)).toEqual(["user.note", "user.remove_note"]);
  expect(JSON.stringify(lines)).not.toContain("Rings back");
});

test("a deactivation's reason is stored, and a second deactivation adds no log entry", async () => {
  const provider = await insertUser(db);
  const path = `/api/super-admin/providers/${provider.id}`;
  const reason = "Insurance ran out";
  for (let i = 0; i < 2; i += 1)
    expect((await asAdmin("PATCH", path, { isActive: false, reason })).status).toBe(200);
  expect((await pageOf(provider.id)).notes).toMatchObject([{ kind: "deactivated", text: reason }]);
  expect(await auditEntries(provider.id)).toMatchObject([
    { action: "user.deactivate", before: { isActive: true }, after: { isActive: false } },
  ]);
});

test("a message is emailed and stored if email is set up; otherwise nothing is stored", async () => {
  const provider = await insertUser(db, { email: "quin@example.com", firstName: "Quin" });
  expect(await readStatusAndCode(await post(provider.id, "message", "Your insurance runs out."))).toEqual([
    503,
    "email_unavailable",
  ]);
  expect((await pageOf(provider.id)).notes).toEqual([]);
  const { sent: emails, changed } = mailbox();
  const path = `/api/super-admin/providers/${provider.id}/message`;
  const sent = await callWith(changed, "POST", path, {
    cookie: asAdmin.cookie,
    body: { text: "Your insurance runs out." },
  });
  expect(sent.status).toBe(201);
  expect(emails).toMatchObject([{ to: "quin@example.com", subject: "A message from Naturestrip" }]);
  expect(emails[0]!.text).toContain("Your insurance runs out.");
  expect((await pageOf(provider.id)).notes).toMatchObject([{ kind: "message" }]);
});
