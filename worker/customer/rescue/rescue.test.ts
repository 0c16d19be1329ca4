import { runInDurableObject } from "cloudflare:test";
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import type { Health } from "../../../contract/health.ts";
import type { LeadSummary, OfferedLead } from "../../../contract/leads.ts";
import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import {
  buyer,
  endHold,
  eventsOf,
  exchange,
  listingOf,
  purchaseOf,
  readStatusAndCode,
  runAlarm,
  stripe,
} from "../../../testing/cards.ts";
import { call, db, testContext } from "../../../testing/client.ts";
import { requestLink, runSweep } from "../../../testing/drivers.ts";
import { leadRow } from "../../../testing/facts.ts";
import {
  allowNotifications,
  deliverAll,
  deliverInQuietHours,
  usePushStandIn,
} from "../../../testing/push.ts";
import {
  endOffer,
  listedRequest,
  offersInD1,
  payingBuyer,
  rescue,
  rescuedLead,
  rescueOf,
  sellTo,
} from "../../../testing/rescue.ts";
import { openSocket } from "../../../testing/sockets.ts";
import { insertAbnCheck, newId } from "../../../testing/world.ts";
import { findSimilarRequests } from "../../leads/quarantine/queries.ts";
import { rescueOffer } from "../../leads/messages.ts";
import { enqueue } from "../../outbox/commands.ts";
import {
  alertSettings,
  attention,
  auditLog,
  customerUpdates,
  leads,
  messages,
  rescueOffers,
  users,
} from "../../tables.ts";

const service = usePushStandIn();

beforeEach(() => stripe.clearFaults());

type TestBuyer = Awaited<ReturnType<typeof buyer>>;

const RESCUE_CENTS = 2500;
const take = (who: TestBuyer, leadId: string) => who.take(leadId, undefined, RESCUE_CENTS);

async function buyRescued(who: TestBuyer, leadId: string) {
  const response = await who.open(leadId, undefined, RESCUE_CENTS);
  const body = await response.json<{ holdId: string; clientSecret: string; amountCents: number }>();
  expect(body, JSON.stringify(body)).toMatchObject({ amountCents: RESCUE_CENTS });
  stripe.confirm(body.clientSecret.split("_secret")[0]!, "good");
  expect((await who.settle(body.holdId)).status).toBe("sold");
}

async function marketOf(who: TestBuyer): Promise<string[]> {
  const list = await (await who.as("GET", "/api/leads?region=inner-west")).json<LeadSummary[]>();
  return list.map(({ id }) => id);
}

test("row 63: a rescued lead is offered to the businesses that lost the first one, in their order, for $25", async () => {
  const [one, two, stranger] = [await payingBuyer(), await payingBuyer(), await payingBuyer()];
  const { first, soldId, leadId } = await rescuedLead([one, two]);
  expect(await rescueOf(leadId)).toMatchObject({
    excludedBusinessId: first.user.id,
    queue: [two.user.id],
    offers: [{ businessId: one.user.id, outcome: null }],
  });
  expect(await leadRow(leadId)).toMatchObject({
    rescuedFromId: soldId,
    excludedBusinessId: first.user.id,
    priceCents: RESCUE_CENTS,
    status: "available",
    listingState: "pending",
    customerName: "Anna Brown",
    reference: null,
    submissionId: null,
  });
  expect(await offersInD1(leadId)).toEqual([`${one.user.id}: null`]);
  expect((await purchaseOf(soldId))!.callClock).toMatchObject({ state: "rescued", rescueLeadId: leadId });
  expect(await eventsOf(leadId)).toEqual([]);
  for (const who of [one, stranger, first]) expect(await marketOf(who)).not.toContain(leadId);
  for (const who of [two, stranger, first])
    expect(await readStatusAndCode(await take(who, leadId))).toEqual([409, "lead_closed"]);
  await buyRescued(one, leadId);
  expect(await purchaseOf(leadId)).toMatchObject({ buyerId: one.user.id, amountPaidCents: RESCUE_CENTS });
  expect(await offersInD1(leadId)).toEqual([`${one.user.id}: bought`]);
  expect(await eventsOf(leadId)).toEqual([]);
});

const offersOf = async (who: TestBuyer) =>
  (await (await who.as("GET", "/api/leads/offers")).json<OfferedLead[]>()).map(({ lead }) => lead);

test("only the business with the offer sees it: its windows live, its phones by a notification", async () => {
  const [one, two] = [await payingBuyer(), await payingBuyer()];
  const subscription = await service.subscribe();
  await allowNotifications(one.as.cookie, subscription);
  const window = await openSocket("/api/business/live", one.as.cookie);
  await window.frame(0);
  const { leadId } = await rescuedLead([one, two]);
  await runAlarm(leadId);
  expect(await window.frame(1)).toMatchObject({ type: "offers_changed" });
  expect(await offersOf(one)).toMatchObject([
    { id: leadId, price: "25.00", customerName: "Anna B.", customerEmail: null, heldUntil: null },
  ]);
  for (const who of [two, await payingBuyer()]) expect(await offersOf(who)).toEqual([]);
  await deliverInQuietHours(one.as);
  expect(service.deliveredTo(subscription)).toEqual([]);
  await deliverAll();
  const shown = service.deliveredTo(subscription).map(({ data }) => data.notification);
  expect(shown).toMatchObject([
    {
      title: "A lead in Leichhardt 2040, just for you",
      navigate: `http://naturestrip.test/dashboard?lead=${leadId}`,
    },
  ]);
  expect(JSON.stringify(shown)).not.toContain("Anna");
  expect((await one.open(leadId, undefined, RESCUE_CENTS)).status).toBe(200);
  expect(await offersOf(one)).toMatchObject([{ id: leadId, heldUntil: expect.any(Number) }]);
  await endOffer(leadId);
  expect(await offersOf(one)).toMatchObject([{ id: leadId }]);
  await endHold(leadId);
  await runAlarm(leadId, 3);
  expect(await offersOf(one)).toEqual([]);
  expect(await offersOf(two)).toMatchObject([{ id: leadId }]);
});

test("an offer that starts again is announced again, with its new end", async () => {
  const one = await payingBuyer();
  await allowNotifications(one.as.cookie, await service.subscribe());
  const { leadId } = await rescuedLead([one]);
  const [offer] = await db.select().from(rescueOffers).where(eq(rescueOffers.leadId, leadId));
  const again = { leadId, businessId: one.user.id, endsAt: offer!.endsAt + 600_000 };
  for (let i = 0; i < 2; i++) await enqueue(db, rescueOffer, again, Date.now());
  const sent = await db
    .select()
    .from(messages)
    .where(and(eq(messages.leadId, leadId), eq(messages.template, "rescue_offer")));
  expect(sent.map(({ expiresAt }) => expiresAt).toSorted()).toEqual([offer!.endsAt, again.endsAt]);
});

test("the first buyer's phones and windows learn that the request went on", async () => {
  const first = await payingBuyer();
  const subscription = await service.subscribe();
  await allowNotifications(first.as.cookie, subscription);
  const soldId = await listedRequest();
  await sellTo(soldId, first, []);
  await rescue(soldId);
  const titles = () => service.deliveredTo(subscription).map(({ data }) => data.notification!.title);
  const title = "Your customer's request has been passed on";
  await deliverInQuietHours(first.as);
  expect(titles()).not.toContain(title);
  await deliverAll();
  expect(titles()).toContain(title);
});

test("row 64: ignored offers pass the lead on, and after the last one every business but the first buyer sees it", async () => {
  const [one, two, stranger] = [await payingBuyer(), await payingBuyer(), await payingBuyer()];
  const { first, leadId } = await rescuedLead([one, two]);
  await endOffer(leadId);
  expect((await take(two, leadId)).status).toBe(200);
  await endHold(leadId);
  await runAlarm(leadId);
  await endOffer(leadId);
  expect(await offersInD1(leadId)).toEqual([`${one.user.id}: ignored`, `${two.user.id}: ignored`]);
  expect(await leadRow(leadId)).toMatchObject({ listingState: "listed", status: "available" });
  expect(await eventsOf(leadId)).toEqual(["listed"]);
  expect(await marketOf(stranger)).toContain(leadId);
  expect(await marketOf(first)).not.toContain(leadId);
  expect(await readStatusAndCode(await take(first, leadId))).toEqual([409, "lead_closed"]);
  await buyRescued(stranger, leadId);
  expect(await purchaseOf(leadId)).toMatchObject({ buyerId: stranger.user.id });
});

test("without runners-up the market gets the lead at once, and no new request is confirmed", async () => {
  const newcomer = await buyer({ payingSince: null });
  const { leadId } = await rescuedLead([newcomer]);
  expect(await eventsOf(leadId)).toEqual(["listed"]);
  expect(await leadRow(leadId)).toMatchObject({ listingState: "listed" });
  const sent = await db.select().from(messages).where(eq(messages.leadId, leadId));
  expect(sent.map(({ template }) => template)).not.toContain("request_received");
});

test("row 65: a business that is related to the first buyer, left or paused gets no offer", async () => {
  const first = await payingBuyer({ abn: "51 824 753 556" });
  const cousin = await payingBuyer({ abn: "51824753556" });
  const left = await payingBuyer();
  const paused = await payingBuyer();
  const fair = await payingBuyer();
  const soldId = await listedRequest();
  await sellTo(soldId, first, [cousin, left, paused, fair]);
  await db.update(users).set({ isActive: false }).where(eq(users.id, left.user.id));
  await db.insert(alertSettings).values({ userId: paused.user.id, pausedUntil: Date.now() + 60_000 });
  const { queue, offers } = await rescueOf(await rescue(soldId));
  expect([offers.map(({ businessId }) => businessId), queue]).toEqual([[fair.user.id], []]);
});

test("row 64: two ignored offers within 30 days end a business's offers", async () => {
  const [tired, fair] = [await payingBuyer(), await payingBuyer()];
  const { leadId } = await rescuedLead([tired]);
  await endOffer(leadId);
  const offer = { businessId: tired.user.id, offeredAt: 1, endsAt: Date.now(), outcome: "ignored" } as const;
  await db.insert(rescueOffers).values({ leadId: await listedRequest(), ...offer });
  const second = await rescuedLead([tired, fair]);
  expect((await rescueOf(second.leadId)).offers).toMatchObject([{ businessId: fair.user.id }]);
});

test("row 64: offers that a person ignored with one business count for their other one", async () => {
  const [old, phoenix, fair] = [await payingBuyer(), await payingBuyer(), await payingBuyer()];
  const offer = { businessId: old.user.id, offeredAt: 1, endsAt: Date.now(), outcome: "ignored" } as const;
  for (let i = 0; i < 2; i++)
    await db.insert(rescueOffers).values({ leadId: await listedRequest(), ...offer });
  for (const { user } of [old, phoenix]) await insertAbnCheck(db, user.id, "51824753557");
  const { leadId } = await rescuedLead([phoenix, fair]);
  expect((await rescueOf(leadId)).offers).toMatchObject([{ businessId: fair.user.id }]);
});

test("row 61: a rescue that is repeated after a crash at any step makes one lead, one audit entry and one alert", async () => {
  const one = await payingBuyer();
  const first = await payingBuyer();
  const soldId = await listedRequest();
  await sellTo(soldId, first, [one]);
  const list = vi.spyOn(testContext, "LEAD_EXCHANGE", "get").mockImplementationOnce(() => {
    throw new Error("The Worker crashed");
  });
  const leadId = await rescue(soldId);
  list.mockRestore();
  expect(await leadRow(leadId)).toMatchObject({ listingState: "pending" });
  expect(await offersInD1(leadId)).toEqual([]);
  await rescue(soldId, Date.now() + 1);
  await rescue(soldId, Date.now() + 2);
  expect(await offersInD1(leadId)).toEqual([`${one.user.id}: null`]);
  const entries = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, "lead.rescued"), eq(auditLog.subjectId, soldId)));
  expect(entries).toHaveLength(1);
  const rescued = await db.select().from(leads).where(eq(leads.rescuedFromId, soldId));
  expect(rescued).toHaveLength(1);
});

test("row 61: the sweep lists a rescued lead that a crash left pending, and again after its exchange lost it", async () => {
  const one = await payingBuyer();
  const { leadId } = await rescuedLead([one]);
  await runInDurableObject(exchange, (_, { storage }) => {
    for (const table of ["listings", "rescues", "due"]) storage.sql.exec(`DELETE FROM ${table}`);
  });
  const [{ endsAt } = { endsAt: 0 }] = await db
    .select()
    .from(rescueOffers)
    .where(eq(rescueOffers.leadId, leadId));
  await runSweep("sweep", endsAt + 3 * 60_000);
  expect(await rescueOf(leadId)).toMatchObject({ offers: [{ businessId: one.user.id, outcome: null }] });
  await endOffer(leadId);
  expect(await leadRow(leadId)).toMatchObject({ listingState: "listed" });
  expect(await offersInD1(leadId)).toEqual([`${one.user.id}: ignored`]);
});

const pending = async () => (await (await call("GET", "/api/health")).json<Health>()).pending;

test("the sweep leaves an offered lead alone, and health fails if one stays pending after its offers", async () => {
  const { leadId } = await rescuedLead([await payingBuyer()]);
  expect(await runSweep("sweep", Date.now() + 60_000)).toEqual({ listed: 0, failed: 0 });
  await db.update(leads).set({ createdAt: 1 }).where(eq(leads.id, leadId));
  expect(await pending()).toEqual({ ok: true, oldestMs: 0 });
  const ended = { endsAt: Date.now() - 11 * 60_000, outcome: "ignored" } as const;
  await db.update(rescueOffers).set(ended).where(eq(rescueOffers.leadId, leadId));
  expect((await pending()).ok).toBe(false);
});

test("an admin finds the customer a provider if no business buys a rescued lead", async () => {
  const { leadId } = await rescuedLead([]);
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec("UPDATE listings SET expires_at = 1 WHERE lead_id = ?", leadId);
    storage.sql.exec("UPDATE due SET at = 1 WHERE kind = 'expire' AND key = ?", leadId);
  });
  await runAlarm(leadId, 2);
  expect(await leadRow(leadId)).toMatchObject({ status: "expired" });
  const rows = await db.select().from(attention).where(eq(attention.subjectId, leadId));
  expect(rows).toMatchObject([{ kind: "rescue_needed" }]);
});

const pageOf = async (token: string) =>
  (await (await call("GET", `/api/requests?token=${token}`)).json<RequestPageAnswer>()).request;

test("the customer's page follows the request to its next provider", async () => {
  const one = await payingBuyer({ companyName: "Second Mowers" });
  const first = await payingBuyer({ companyName: "First Mowers" });
  const soldId = await listedRequest();
  const token = await requestLink(soldId);
  await sellTo(soldId, first, [one]);
  expect(await pageOf(token)).toMatchObject({ passedOn: null, provider: { name: "First Mowers" } });
  const leadId = await rescue(soldId);
  const { createdAt } = await leadRow(leadId);
  const asked = await pageOf(token);
  expect(asked).toMatchObject({ passedOn: { by: "First Mowers" }, provider: null, call: null });
  expect(asked!.steps.at(-1)).toEqual({ step: "listed", at: createdAt });
  expect(asked!.reference).toMatch(/./u);
  await buyRescued(one, leadId);
  const found = await pageOf(token);
  expect(found).toMatchObject({ passedOn: { by: "First Mowers" }, provider: { name: "Second Mowers" } });
  expect(found!.call).toMatchObject({ canAnswer: true, answer: null });
  // As in an email about the second sale.
  expect(await pageOf(await requestLink(leadId))).toEqual(found);
});

test("row 62: withdrawing during a rescue takes the new lead off, and the offer ends", async () => {
  const one = await payingBuyer();
  const { soldId, leadId } = await rescuedLead([one]);
  const token = await requestLink(soldId);
  const withdrawn = await call("POST", "/api/requests/withdraw", { body: { token } });
  expect(await withdrawn.json()).toEqual({ outcome: "withdrawn" });
  expect(await leadRow(leadId)).toMatchObject({ status: "withdrawn", listingState: "closed" });
  expect(await offersInD1(leadId)).toEqual([`${one.user.id}: ended`]);
  expect(await readStatusAndCode(await take(one, leadId))).toEqual([409, "lead_closed"]);
});

test("row 62: erasing a customer during a rescue erases both leads, and nothing is for sale", async () => {
  const one = await payingBuyer();
  const first = await payingBuyer();
  const customer = { customerPhone: "0491 570 110", customerEmail: "gone@example.com" };
  const soldId = await listedRequest(customer);
  await sellTo(soldId, first, [one]);
  const leadId = await rescue(soldId);
  const body = { token: await requestLink(soldId), lastDigits: "0110" };
  expect(await (await call("POST", "/api/requests/erase", { body })).json()).toEqual({ outcome: "erased" });
  for (const id of [soldId, leadId]) {
    const { erasedAt, customerName } = await leadRow(id);
    expect(erasedAt).not.toBeNull();
    expect(customerName).not.toBe("Anna Brown");
  }
  expect((await listingOf(leadId)).state).toBe("withdrawn");
  expect(await readStatusAndCode(await take(one, leadId))).toEqual([409, "lead_closed"]);
});

test("a request under an older wording goes to an admin", async () => {
  const first = await payingBuyer();
  const soldId = await listedRequest({ consentWording: "quote-2026-11-23" });
  await sellTo(soldId, first, []);
  const leadId = await rescue(soldId);
  expect(await db.select().from(leads).where(eq(leads.id, leadId))).toEqual([]);
  expect((await purchaseOf(soldId))!.callClock).toMatchObject({ state: "over" });
  const rows = await db.select().from(attention).where(eq(attention.subjectId, soldId));
  expect(rows).toMatchObject([{ kind: "rescue_needed" }]);
});

test("row 62: a request that was withdrawn or erased after the sale is not rescued", async () => {
  const first = await payingBuyer();
  const [withdrawn, erased] = [await listedRequest(), await listedRequest({ customerName: "Eve Stone" })];
  for (const leadId of [withdrawn, erased]) await sellTo(leadId, first, []);
  await db
    .insert(customerUpdates)
    .values({ id: newId("ans"), leadId: withdrawn, kind: "withdrawn", at: Date.now() });
  await db.update(leads).set({ erasedAt: Date.now() }).where(eq(leads.id, erased));
  for (const soldId of [withdrawn, erased]) {
    const leadId = await rescue(soldId);
    expect(await db.select().from(leads).where(eq(leads.id, leadId))).toEqual([]);
    expect((await purchaseOf(soldId))!.callClock).toMatchObject({ state: "over" });
  }
});

test("a rescued lead is not rescued again", async () => {
  const one = await payingBuyer();
  const { leadId } = await rescuedLead([one]);
  await buyRescued(one, leadId);
  const again = await rescue(leadId);
  expect(await db.select().from(leads).where(eq(leads.id, again))).toEqual([]);
});

test("a rescued lead counts neither as a duplicate nor as another request of its customer", async () => {
  const phone = { customerPhone: "0491 570 006", customerEmail: "only.once@example.com" };
  const first = await payingBuyer();
  const soldId = await listedRequest(phone);
  await sellTo(soldId, first, []);
  await rescue(soldId);
  const { phoneKey, emailKey, streetKey } = await leadRow(soldId);
  const keys = { phoneKey, emailKey, streetKey, originKey: null };
  const limits = { duplicateMs: 1_000_000, requestsPerAddress: 5 };
  const found = await findSimilarRequests(db, keys, limits, Date.now() + 1);
  // Once by the phone number and once by the email address.
  expect(found.earlier).toHaveLength(2);
});
