/** Erases providers and team members. The account is erased; the sales records that the law requires stay. */
import { eq, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";

import { CLOSE } from "../../../contract/exchange.ts";
import { SAVE_CARD_CONSENT } from "../../../contract/payments.ts";
import * as schema from "../../tables.ts";
import { badLeadReports, payments, profileCouncils, providerNotes } from "../../tables.ts";
import { storeJob, runJob, dumpD1, dumpExchanges, jobRow } from "../../../testing/operator.ts";
import { buyer, exchange, listedLead, runAlarm, stripe, typeCard } from "../../../testing/cards.ts";
import { call, callerFor, db, testEnv } from "../../../testing/client.ts";
import { runSweeps } from "../../../testing/drivers.ts";
import { leadRow, purchaseRow, purchasesBy, userRow } from "../../../testing/facts.ts";
import { openSocket } from "../../../testing/sockets.ts";
import {
  insertBadLeadReport,
  insertManualPurchase,
  insertProfile,
  insertTeamMember,
  insertUser,
} from "../../../testing/world.ts";

const CARD = "4242 4242 4242 4242";

/** Text that identifies the provider and their team, in lower-case letters and digits. */
const TRACES = [
  "zelda",
  "quartermaine",
  "quokkalawns",
  "zeldaquokka",
  "491570801",
  "wattlegully",
  "53004085616",
  "policy77x",
  "mowerscove",
  "lic88y",
  "tobiasbandicoot",
  "491570802",
];
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
const tracesIn = (text: string) => TRACES.filter((trace) => plain(text).includes(trace));

async function zelda() {
  const them = await buyer({
    username: "zelda.quokka",
    email: "zelda.quokka@example.org",
    firstName: "Zelda",
    lastName: "Quartermaine",
    phone: "0491 570 801",
    companyName: "Quokka Lawns",
    businessAddress: "7 Wattlegully Road, Leichhardt",
    abn: "53 004 085 616",
    insuranceDetails: "Policy 77x",
    serviceAreas: "Mowers Cove",
    licenseNumber: "Lic 88y",
  });
  const member = await insertTeamMember(db, them.user, {
    firstName: "Tobias",
    lastName: "Bandicoot",
    username: "tobias.bandicoot@example.org",
    email: "tobias.bandicoot@example.org",
    phone: "0491 570 802",
  });
  return { ...them, member };
}

const eraseAccount = (username: string) =>
  runJob({ kind: "erase_person", input: { phone: null, email: null, username } });

/** Returns every table with rows of these users. Checks each table in the schema that has a user id. */
async function tablesAbout(userIds: string[]): Promise<string[]> {
  const own = Object.values(schema).flatMap((table) =>
    is(table, SQLiteTable) && "userId" in table ? [getTableName(table)] : [],
  );
  expect(own).toEqual(expect.arrayContaining(["sessions", "bank_details", "sign_ins", "one_time_secrets"]));
  const found: string[] = [];
  for (const name of own) {
    const sql = `SELECT 1 FROM "${name}" WHERE user_id IN (SELECT value FROM json_each(?)) LIMIT 1`;
    if (await testEnv.DB.prepare(sql).bind(JSON.stringify(userIds)).first()) found.push(name);
  }
  return found;
}

test("an erased provider leaves no trace: account, team, cards, bank; the ledger still adds up", async () => {
  const { user, as, opened, settle, member } = await zelda();
  // Save a card with a purchase. The account then has every possible kind of data.
  const payment = await opened(await listedLead());
  const consent = SAVE_CARD_CONSENT;
  expect(
    (await as("POST", "/api/payments/keep-card", { holdId: payment.holdId, consent })).status,
  ).toBeLessThan(300);
  await typeCard(payment, CARD);
  expect(await settle(payment.holdId)).toMatchObject({ status: "sold" });
  const customerId = (await userRow(user.id)).stripeCustomerId!;
  expect(stripe.book.vault.methodsOf(customerId)).toHaveLength(1);
  const bank = {
    accountName: "Zelda Quartermaine",
    bsb: "062000",
    accountNumber: "12345678",
    bankName: "Quokka Lawns Bank",
  };
  expect((await as("PUT", "/api/user/bank-details", bank)).status).toBe(200);
  expect((await as("POST", "/api/user/checks", { kind: "licence", number: "Lic 88y" })).status).toBe(201);
  const asMember = await callerFor(member.id);
  await as("POST", `/api/team-members/${member.id}/password-link`);
  await call("POST", "/api/auth/login", { body: { username: "zelda.quokka", password: "naturestrip-demo" } });
  const [purchase] = await purchasesBy(user.id);
  await as("PATCH", `/api/lead-purchases/${purchase!.id}/sales-stage`, {
    salesStage: "called",
    salesNotes: "Zelda to call back",
  });
  await insertBadLeadReport(db, user, purchase!.id, { note: "Zelda Quartermaine says it rang out" });
  await db.insert(providerNotes).values({
    id: "note_zelda",
    providerId: user.id,
    kind: "note",
    text: "Zelda rang about her card",
    byUserId: "user_admin",
    createdAt: 1,
  });
  await insertProfile(db, user, { slug: "zelda-quartermaine", words: "Zelda mows" });
  const manual = await insertManualPurchase(db, user, { stage: "called", startedAt: Date.now() });
  const sockets = [
    await openSocket("/api/business/live", as.cookie),
    await openSocket("/api/exchange/inner-west/live", as.cookie),
    await openSocket("/api/business/live", asMember.cookie),
  ];
  const before = await db.select().from(payments).where(eq(payments.buyerId, user.id));

  const named = { phone: null, email: null, username: "Zelda.Quokka" };
  const preview = await runJob({ kind: "preview_erasure", input: named });
  const job = await eraseAccount("Zelda.Quokka");
  expect(job).toMatchObject({ state: "done", input: null });
  expect(preview.result).toEqual(job.result);
  // The provider's own lead is erased too, because no account could open it any more.
  expect(job.result).toMatchObject({ accounts: 2, leads: 1, accountsLeft: 0, purchases: 2 });

  expect(tracesIn(await dumpD1())).toEqual([]);
  expect(tracesIn(await dumpExchanges())).toEqual([]);
  expect(stripe.book.vault.customers.has(customerId)).toBe(false);
  expect(stripe.book.vault.methodsOf(customerId)).toEqual([]);
  for (const { closed } of sockets) expect((await closed).code).toBe(CLOSE.signedOut);
  const both = [user.id, member.id];
  expect(await tablesAbout(both)).toEqual(["payments"]);
  expect(await db.$count(profileCouncils, eq(profileCouncils.businessId, user.id))).toBe(0);
  expect(await userRow(user.id)).toMatchObject({
    firstName: "Erased",
    lastName: "provider",
    isActive: false,
  });
  expect(await userRow(member.id)).toMatchObject({
    firstName: "Erased",
    lastName: "team member",
    isActive: false,
  });

  // The ledger keeps IDs, amounts and times, but no card.
  const after = await db.select().from(payments).where(eq(payments.buyerId, user.id));
  const ledger = (rows: typeof after) =>
    rows.map(({ id, holdId, leadId, buyerId, stripePaymentIntentId, state, amountCents, succeededAt }) => ({
      id,
      holdId,
      leadId,
      buyerId,
      stripePaymentIntentId,
      state,
      amountCents,
      succeededAt,
    }));
  expect(ledger(after)).toEqual(ledger(before));
  expect(after[0]).toMatchObject({ cardBrand: null, cardLast4: null });
  expect(await purchaseRow(purchase!.id)).toMatchObject({
    buyerId: user.id,
    amountPaidCents: purchase!.amountPaidCents,
    purchasedAt: purchase!.purchasedAt,
    buyerName: "Erased provider",
    buyerEmail: null,
    buyerPhone: null,
    buyerCompany: null,
    salesNotes: null,
  });
  const own = await purchaseRow(manual);
  expect((await leadRow(own.leadId)).customerName).toBe("Erased customer");
  const [report] = await db.select().from(badLeadReports).where(eq(badLeadReports.purchaseId, purchase!.id));
  expect(report!.note).toBeNull();
  // The username can be used again.
  expect(
    (
      await call("POST", "/api/auth/login", {
        body: { username: "zelda.quokka", password: "naturestrip-demo" },
      })
    ).status,
  ).toBe(401);
});

test("erasing a provider who is paying for a lead releases the hold first, then erases the account", async () => {
  const { user, opened, ...them } = await buyer({ username: "paying-leaver" });
  const leadId = await listedLead();
  const payment = await opened(leadId);
  const now = Date.now();
  const id = await storeJob({
    kind: "erase_person",
    input: { phone: null, email: null, username: "paying-leaver" },
  });
  await runSweeps(now);
  // The product signs out the provider and releases their hold immediately, although the erasure still waits.
  expect((await them.as("GET", "/api/auth/me")).status).toBe(401);
  await runAlarm(leadId);
  await runSweeps(now + 60_000);
  expect(await jobRow(id)).toMatchObject({ state: "done" });
  expect(await userRow(user.id)).toMatchObject({ firstName: "Erased" });
  const rows = await db.select().from(payments).where(eq(payments.holdId, payment.holdId));
  expect(rows).toMatchObject([{ slot: null }]);
  expect(await exchange.listHolds()).toEqual([]);
});

test("erasing a team member leaves the owner's business unchanged", async () => {
  const owner = await insertUser(db, { firstName: "Olive", phone: "02 5550 0177" });
  const member = await insertTeamMember(db, owner, { username: "leaver@example.org", phone: "02 5550 0177" });
  const purchaseId = await insertManualPurchase(db, owner, {
    stage: "called",
    startedAt: Date.now(),
    notes: "Knock",
  });
  const asOwner = await callerFor(owner.id);
  const job = await eraseAccount("leaver@example.org");
  expect(job.result).toMatchObject({ accounts: 1, leads: 0, purchases: 0 });
  expect(await userRow(member.id)).toMatchObject({
    lastName: "team member",
    username: `erased-${member.id}`,
  });
  expect(await userRow(owner.id)).toEqual(owner);
  expect((await asOwner("GET", `/api/lead-purchases/${purchaseId}`)).status).toBe(200);
  expect((await purchaseRow(purchaseId)).salesNotes).toBe("Knock");
});

test("a super admin's account and an unknown name are not erased, but counted", async () => {
  const admin = await insertUser(db, { isSuperAdmin: true, username: "stays-admin" });
  expect((await eraseAccount("stays-admin")).result).toMatchObject({ accounts: 0, accountsLeft: 1 });
  expect(await userRow(admin.id)).toEqual(admin);
  expect((await eraseAccount("nobody-has-this")).result).toMatchObject({ accounts: 0, accountsLeft: 0 });
});

test("while Stripe cannot delete the cards, the account waits and its job shows it", async () => {
  const user = await insertUser(db, { username: "card-keeper", stripeCustomerId: "cus_unreachable" });
  const id = await storeJob({
    kind: "erase_person",
    input: { phone: null, email: null, username: "card-keeper" },
  });
  await runSweeps(Date.now(), { ...testEnv, STRIPE_API_HOST: "http://stripe-away.test" });
  expect(await jobRow(id)).toMatchObject({ state: "waiting", result: { errors: 1 } });
  expect(await userRow(user.id)).toMatchObject({
    stripeCustomerId: "cus_unreachable",
    username: "card-keeper",
    isActive: false,
  });
  await runSweeps(Date.now() + 10 * 60_000);
  expect(await jobRow(id)).toMatchObject({ state: "done", result: { accounts: 1 } });
});

test("a provider who matches only by number or email is not erased, since people share office numbers", async () => {
  const provider = await insertUser(db, { phone: "02 5550 0188", email: "office@example.org" });
  const job = await runJob({
    kind: "erase_person",
    input: { phone: "02 5550 0188", email: "office@example.org" },
  });
  expect(job.result).toMatchObject({ accounts: 0, accountsLeft: 1 });
  expect(await userRow(provider.id)).toEqual(provider);
});
