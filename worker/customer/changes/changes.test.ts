/** A customer's changes to a request before and after the sale, and its races. Through the front door. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test } from "vitest";

import { CONSENT_WORDING } from "../../../contract/consent.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import type { DigitsAnswer } from "../../../contract/request-links.ts";
import { buyer, endHold, eventsOf, exchange, runAlarm, stripe } from "../../../testing/cards.ts";
import {
  change,
  changed,
  detailOf,
  leadOf,
  outcomeOf,
  read,
  requested,
  sell,
  summaryOf,
} from "../../../testing/customer-requests.ts";
import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { racing } from "../../../testing/faulty-db.ts";
import { customerUpdatesOf, setLead } from "../../../testing/facts.ts";
import { putOnMarket, requestLink, runSweep } from "../../../testing/drivers.ts";
import { withdrawalOf } from "../../../testing/orders.ts";
import {
  allowNotifications,
  deliverAll,
  deliverInQuietHours,
  messagesFor,
  usePushStandIn,
} from "../../../testing/push.ts";
import { rescue } from "../../../testing/rescue.ts";
import { openSocket } from "../../../testing/sockets.ts";
import { insertUser, newId } from "../../../testing/world.ts";
import { customerUpdates, leads } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";

const service = usePushStandIn();
beforeEach(() => stripe.clearFaults());

const phone = async (token: string, lastDigits: string, customerPhone = "02 5550 9999") =>
  (
    await call("POST", "/api/requests/phone", { body: { token, lastDigits, customerPhone } })
  ).json<DigitsAnswer>();

const pendingOf = (id: string) => db.$count(customerUpdates, eq(customerUpdates.id, `pending_change_${id}`));
const updatesOf = (id: string) =>
  db
    .select({ kind: customerUpdates.kind, changes: customerUpdates.changes })
    .from(customerUpdates)
    .where(eq(customerUpdates.leadId, id));

/** Lets a provider's phone receive alerts at any time of day. */
async function withPhone({ as }: Awaited<ReturnType<typeof buyer>>) {
  const subscription = await service.subscribe();
  const allowed = await allowNotifications(as.cookie, subscription);
  await as("PUT", "/api/notifications/quiet-hours", { isOn: false, startsAt: "20:00", endsAt: "07:00" });
  return { subscription, deviceId: (await allowed.json<{ id: string }>()).id };
}

/** Renames a table of the exchange, which then fails. */
const renameTable = (from: string, to: string) =>
  runInDurableObject(
    exchange,
    (_, { storage }) => void storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`),
  );

const mendLeads = () => testEnv.DB.exec("DROP TRIGGER IF EXISTS broken");

/** Makes D1 refuse to change leads, until `mendLeads` or the end of the test. */
async function breakLeads() {
  await testEnv.DB.exec(
    "CREATE TRIGGER broken BEFORE UPDATE ON leads BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  onTestFinished(() => void mendLeads());
}

test("before the sale, every open window shows that the customer used our link, until the address changes", async () => {
  const { id } = await requested();
  const token = await requestLink(id, Date.now(), { sentBy: "email" });
  const { as } = await buyer();
  const window = await openSocket("/api/exchange/inner-west/live", as.cookie);
  onTestFinished(() => window.socket.close());
  await window.frame(0);
  expect((await call("POST", "/api/requests/opened", { body: { token } })).status).toBe(200);
  expect(await window.frame(1)).toMatchObject({
    changes: [{ kind: "revised", lead: { id, confirmedBy: "email" } }],
  });
  expect(await summaryOf(id)).toMatchObject({ confirmedBy: "email" });
  expect(await changed(token, { urgency: "urgent" })).toBe("changed");
  expect(await leadOf(id)).toMatchObject({ confirmedBy: "email", urgency: "urgent" });
  const body = {
    token,
    lastDigits: (await leadOf(id)).customerPhone.slice(-4),
    customerEmail: "new@example.com",
  };
  expect((await call("POST", "/api/requests/phone", { body })).status).toBe(200);
  expect((await call("POST", "/api/requests/opened", { body: { token } })).status, "the old link").toBe(200);
  expect(await leadOf(id)).toMatchObject({ confirmedBy: null, customerEmail: "new@example.com" });
  expect(await summaryOf(id)).toMatchObject({ confirmedBy: null });
});

test("before the sale, every open window and D1 show a change at once, redacted", async () => {
  const { id, token } = await requested();
  const { as } = await buyer();
  const window = await openSocket("/api/exchange/inner-west/live", as.cookie);
  onTestFinished(() => window.socket.close());
  await window.frame(0);
  const specificRequests = "Ring me on 0491 570 156. Mind the dog.";
  expect(
    await changed(token, {
      urgency: "urgent",
      serviceType: ["hedge_trimming", "garden_maintenance"],
      specificRequests,
    }),
  ).toBe("changed");
  expect(await window.frame(1)).toMatchObject({
    changes: [
      { kind: "revised", lead: { id, urgency: "urgent", specificRequests: "Ring me on ▮▮▮. Mind the dog." } },
    ],
  });
  expect(await summaryOf(id)).toMatchObject({ serviceType: ["hedge_trimming", "garden_maintenance"] });
  expect(await leadOf(id)).toMatchObject({ urgency: "urgent", specificRequests, status: "available" });
  expect(await read(token)).toMatchObject({
    services: ["hedge_trimming", "garden_maintenance"],
    isChangePending: false,
  });
  expect(await updatesOf(id)).toEqual([]);
  // Posting the form again changes nothing: the redacted text stands for the customer's own.
  expect(await changed(token, {})).toBe("changed");
  expect((await leadOf(id)).specificRequests).toBe(specificRequests);
});

test("a customer who changes their text keeps the note after their address", async () => {
  const note = "With the address: gate code 4455";
  const { id, token } = await requested({ specificRequests: `Mow the front\n${note}` });
  expect(await changed(token, { specificRequests: "Mow the back" })).toBe("changed");
  expect((await leadOf(id)).specificRequests).toBe(`Mow the back\n${note}`);
  expect(await summaryOf(id)).toMatchObject({ specificRequests: "Mow the back" });
  // A double tap posts the form twice at once.
  await Promise.all(Array.from({ length: 3 }, () => changed(token, { specificRequests: "Mow both" })));
  expect((await leadOf(id)).specificRequests).toBe(`Mow both\n${note}`);
});

test("what the customer changes counts as stated from then on", async () => {
  const { id, token } = await requested({ stated: ["propertySize"] });
  expect(await summaryOf(id)).toMatchObject({ stated: ["propertySize"], grassType: "buffalo" });
  expect(await changed(token, { grassType: "kikuyu", specificRequests: "Mind the dog" })).toBe("changed");
  const stated = ["propertySize", "grassType"];
  expect(await summaryOf(id)).toMatchObject({ stated, grassType: "kikuyu" });
  expect(await detailOf(await sell(id))).toMatchObject({ stated });
  const { id: unrecorded, token: other } = await requested();
  expect(await changed(other, { grassType: "kikuyu" })).toBe("changed");
  expect((await leadOf(unrecorded)).stated).toBeNull();
});

test("a text that the customer replaced is not sent again, also to a window that catches up", async () => {
  const { id, token } = await requested({ specificRequests: "The gate code is 4711" });
  expect(await changed(token, { specificRequests: "Please ring the bell" })).toBe("changed");
  const texts = await runInDurableObject(exchange, (_, { storage }) =>
    storage.sql
      .exec<{ text: string }>(
        "SELECT change ->> '$.lead.specificRequests' AS text FROM events WHERE change ->> '$.lead.id' = ?",
        id,
      )
      .toArray(),
  );
  expect(texts).toEqual([{ text: "Please ring the bell" }, { text: "Please ring the bell" }]);
});

test("hostile text is stored as text, before and after the sale", async () => {
  const { id, token } = await requested();
  const hostile = `<img src=x onerror=alert(1)> '); DROP TABLE leads;-- {{7*7}} \u202E ${"\u0301".repeat(50)}`;
  expect(await changed(token, { specificRequests: hostile })).toBe("changed");
  expect((await leadOf(id)).specificRequests).toContain(
    "<img src=x onerror=alert(1)> '); DROP TABLE leads;--",
  );
  const sold = await sell(id);
  await changed(token, { specificRequests: `${hostile} again` });
  expect((await detailOf(sold)).updates[0]!.changes).toMatchObject([{ field: "specificRequests" }]);
});

test("text that would quarantine a request is not shown: the customer has to call us", async () => {
  const { id, token } = await requested();
  const { job } = (await read(token))!;
  const send = (specificRequests: string) =>
    callWith({ SUSPICION_POINTS: "1" }, "POST", "/api/requests/change", {
      body: { token, ...job, specificRequests },
    }).then(outcomeOf);
  expect(await send("Visit https://win.example/now")).toBe("call_us");
  expect(await leadOf(id)).toMatchObject({ specificRequests: "The side gate sticks a little." });
  expect(await pendingOf(id)).toBe(0);
  expect(await send("The gate is open now.")).toBe("changed");
});

test("row 57: while a provider is paying, a change waits, is shown as waiting, and reaches the market afterwards", async () => {
  const { id, token } = await requested();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(id);
  expect(await changed(token, { urgency: "urgent" })).toBe("waiting");
  expect(await read(token)).toMatchObject({ isChangePending: true, job: { urgency: "urgent" } });
  expect(await leadOf(id)).toMatchObject({ urgency: "within_week" });
  expect(await runSweep("change_sweep")).toMatchObject({ changed: 0, failed: 0 });
  // A second change is merged with the first.
  expect(await changed(token, { hasPets: true })).toBe("waiting");
  await pat.close(holdId);
  expect(await runSweep("change_sweep")).toMatchObject({ changed: 1 });
  expect(await summaryOf(id)).toMatchObject({ urgency: "urgent", hasPets: true });
  expect(await leadOf(id)).toMatchObject({ urgency: "urgent", hasPets: true });
  expect(await read(token)).toMatchObject({ isChangePending: false });
  expect(await runSweep("change_sweep")).toMatchObject({ changed: 0 });
});

test("a text that waits is kept when the form is posted again, and can be taken back", async () => {
  const { id, token } = await requested({ specificRequests: "Mind the dog" });
  const pat = await buyer();
  const { holdId } = await pat.mustTake(id);
  const text = "Ring me on 0491 570 156";
  expect(await changed(token, { specificRequests: text })).toBe("waiting");
  expect(await changed(token, { urgency: "urgent" })).toBe("waiting");
  expect((await updatesOf(id))[0]!.changes).toMatchObject({ specificRequests: JSON.stringify(text) });
  expect(await changed(token, { specificRequests: "Mind the dog" })).toBe("waiting");
  await pat.close(holdId);
  await runSweep("change_sweep");
  expect(await leadOf(id)).toMatchObject({ specificRequests: "Mind the dog", urgency: "urgent" });
});

test.each([
  ["before it is stored", `insert into "customer_updates"`],
  ["before it is written", `update "leads"`],
])("row 62: a change that races a rescue, %s, reaches the next provider", async (_, words) => {
  const { id, token } = await requested({ consentWording: CONSENT_WORDING });
  await sell(id);
  const body = { token, ...(await read(token))!.job, urgency: "urgent" };
  await callWith(
    racing(words, () => rescue(id)),
    "POST",
    "/api/requests/change",
    { body },
  );
  await runSweep("change_sweep");
  const [rescued] = await db.select().from(leads).where(eq(leads.rescuedFromId, id));
  expect(rescued).toMatchObject({ urgency: "urgent" });
  expect([await pendingOf(id), await pendingOf(rescued!.id)]).toEqual([0, 0]);
});

test("a change that races an erasure is not written", async () => {
  const { id, token } = await requested();
  const body = { token, ...(await read(token))!.job, specificRequests: "Trim the lilly pilly" };
  const erasing = racing(`update "leads"`, () => setLead(id, { erasedAt: Date.now() }));
  await callWith(erasing, "POST", "/api/requests/change", { body });
  expect(await read(token)).toBeNull();
  expect((await leadOf(id)).specificRequests).not.toBe(body.specificRequests);
});

test("row 57: a change that waits for a payment goes to the buyer when the payment succeeds", async () => {
  const { id, token } = await requested();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(id);
  expect(await changed(token, { urgency: "urgent" })).toBe("waiting");
  stripe.confirm(intentId, "good");
  await pat.settle(holdId);
  expect(await runSweep("change_sweep")).toMatchObject({ changed: 1 });
  expect(await updatesOf(id)).toEqual([
    { kind: "changed", changes: [{ field: "urgency", before: "within_week", after: "urgent" }] },
  ]);
});

test("after the sale, the buyer gets the change with its history, on the open window and on the phone", async () => {
  const { id, token } = await requested();
  const pat = await buyer();
  const { subscription, deviceId } = await withPhone(pat);
  const sold = await sell(id, pat);
  const before = await detailOf(sold);
  expect(await changed(token, { urgency: "urgent", additionalServices: ["edging", "weeding"] })).toBe(
    "changed",
  );
  expect(await changed(token, { hasPets: true })).toBe("changed");
  const detail = await detailOf(sold);
  expect(detail).toMatchObject({
    urgency: "urgent",
    hasPets: true,
    additionalServices: ["edging", "weeding"],
  });
  expect(detail.updatedAt).toBeGreaterThan(before.updatedAt as number);
  expect(detail.updates).toMatchObject([
    { kind: "changed", changes: [{ field: "hasPets", before: "false", after: "true" }] },
    {
      kind: "changed",
      changes: [
        { field: "urgency", before: "within_week", after: "urgent" },
        { field: "additionalServices", before: null, after: "edging,weeding" },
      ],
    },
  ]);
  // Two changes in a row ring once.
  const alerts = (await messagesFor(deviceId)).filter(({ template }) => template === "customer_update");
  expect(alerts).toHaveLength(1);
  const titles = () => service.deliveredTo(subscription).map(({ data }) => data.notification.title);
  const title = "Your customer changed their request";
  await deliverInQuietHours(pat.as);
  expect(titles()).not.toContain(title);
  await deliverAll();
  expect(titles()).toContain(title);
  const window = await openSocket("/api/business/live", pat.as.cookie);
  onTestFinished(() => window.socket.close());
  await window.frame(0);
  await changed(token, { hasSlopes: true });
  expect(await window.frame(1)).toMatchObject({ type: "purchase_changed", purchaseId: sold.purchaseId });
  // A form without a change is no news.
  await changed(token, {});
  expect((await detailOf(sold)).updates).toHaveLength(3);
  const stranger = await callerFor((await insertUser(db)).id);
  expect((await stranger("GET", `/api/lead-purchases/${sold.purchaseId}`)).status).toBe(404);
});

test("row 58: a crash between the exchange and D1 leaves no half change: the sweep repeats it", async () => {
  const { id, token } = await requested();
  await breakLeads();
  expect((await change(token, { urgency: "urgent" })).status).toBe(500);
  expect(await summaryOf(id)).toMatchObject({ urgency: "urgent" });
  expect(await leadOf(id)).toMatchObject({ urgency: "within_week" });
  expect(await read(token)).toMatchObject({ isChangePending: true, job: { urgency: "urgent" } });
  await mendLeads();
  expect(await runSweep("change_sweep")).toMatchObject({ changed: 1 });
  expect(await leadOf(id)).toMatchObject({ urgency: "urgent" });
  expect(await eventsOf(id)).toEqual(["listed", "revised"]);
});

test("row 58: a crash before D1, then a sale: the buyer gets the change", async () => {
  const { id, token } = await requested();
  await breakLeads();
  expect((await change(token, { urgency: "urgent" })).status).toBe(500);
  await mendLeads();
  await sell(id);
  await runSweep("change_sweep");
  expect(await leadOf(id)).toMatchObject({ urgency: "urgent" });
  expect(await updatesOf(id)).toMatchObject([{ kind: "changed" }]);
});

test("row 58: while the exchange is away, a change is stored and repeated", async () => {
  const { id, token } = await requested();
  await renameTable("listings", "away");
  expect(await changed(token, { urgency: "urgent" })).toBe("waiting");
  await renameTable("away", "listings");
  expect(await runSweep("change_sweep")).toMatchObject({ changed: 1 });
  expect(await summaryOf(id)).toMatchObject({ urgency: "urgent" });
});

test("row 57: a change that arrives late at the exchange does not replace a newer one", async () => {
  const { id, token } = await requested();
  await changed(token, { urgency: "urgent" });
  const late = { type: "revise", leadId: id, generation: 1, revision: 1, isOutdated: false } as const;
  const summary = { ...(await summaryOf(id)), urgency: "flexible" } as never;
  expect(await exchange.decide({ ...late, summary })).toMatchObject({ ok: true, repeated: true });
  expect(await summaryOf(id)).toMatchObject({ urgency: "urgent" });
});

test("row 57: eight changes at once leave the exchange and D1 with the same details", async () => {
  const { id, token } = await requested();
  const { job } = (await read(token))!;
  const body = (n: number) => ({
    token,
    ...job,
    urgency: n % 2 ? "urgent" : "flexible",
    hasPets: n % 3 === 0,
  });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => call("POST", "/api/requests/change", { body: body(n) })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  await runSweep("change_sweep");
  const { urgency, hasPets } = await leadOf(id);
  expect(await summaryOf(id)).toMatchObject({ urgency, hasPets });
  expect(await pendingOf(id)).toBe(0);
});

test("row 57: of two changes at once, the second is checked together with the first", async () => {
  const first = await requested({ customerEmail: null });
  const { customerAddress, customerPhone } = await leadOf(first.id);
  const { token, digits } = await requested({ customerEmail: null });
  const screening = { DUPLICATE_DAYS: "14" };
  const outcomes: string[] = [];
  const send = async (path: string, details: object, changed: Partial<Bindings> = {}) => {
    const body = { token, ...details };
    outcomes.push(await outcomeOf(await callWith({ ...changed, ...screening }, "POST", path, { body })));
  };
  const sendPhone = () => send("/api/requests/phone", { lastDigits: digits, customerPhone });
  const race = racing(`insert into "customer_updates"`, sendPhone);
  await send("/api/requests/change", { ...(await read(token))!.job, customerAddress }, race);
  expect(outcomes).toEqual(["changed", "call_us"]);
});

test("row 57: a change races a sale: either the market or the buyer gets it, and D1 has it", async () => {
  for (let round = 0; round < 3; round++) {
    const { id, token } = await requested();
    const { job } = (await read(token))!;
    const pat = await buyer();
    const body = { token, ...job, urgency: "urgent" };
    const [sold] = await Promise.all([sell(id, pat), call("POST", "/api/requests/change", { body })]);
    await runSweep("change_sweep");
    expect(await detailOf(sold)).toMatchObject({ urgency: "urgent" });
    expect(await pendingOf(id)).toBe(0);
  }
});

test("row 58: a change to a request that waits to be listed reaches the market with it, or right after", async () => {
  const { id, token } = await requested({}, false);
  const asRead = await leadOf(id);
  expect(await changed(token, { urgency: "urgent" })).toBe("changed");
  expect(await leadOf(id)).toMatchObject({ urgency: "urgent" });
  // A Worker that read the row before the change lists the old details.
  await putOnMarket(asRead);
  expect(await summaryOf(id)).toMatchObject({ urgency: "within_week" });
  await runSweep("change_sweep");
  expect(await summaryOf(id)).toMatchObject({ urgency: "urgent" });
  expect(await pendingOf(id)).toBe(0);
});

test("row 57: a change during a move to another region reaches the new region", async () => {
  const { id, token } = await requested();
  await exchange.decide(withdrawalOf(await leadOf(id), "parramatta"));
  // D1 has yet to learn of the move.
  expect(await changed(token, { urgency: "urgent" })).toBe("waiting");
  await runAlarm(id);
  await putOnMarket(await leadOf(id));
  expect(await leadOf(id)).toMatchObject({ region: "parramatta", urgency: "within_week" });
  await runSweep("change_sweep");
  expect(await leadOf(id)).toMatchObject({ region: "parramatta", urgency: "urgent" });
  expect(await pendingOf(id)).toBe(0);
  // Other files delete their leads, and compare all exchanges with D1.
  await call("POST", "/api/requests/withdraw", { body: { token } });
  expect((await leadOf(id)).status).toBe("withdrawn");
});

test("an expired, withdrawn or erased request, and an unknown link, get the same answer", async () => {
  const expired = await requested();
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec("UPDATE listings SET expires_at = 1 WHERE lead_id = ?", expired.id);
  });
  const withdrawn = await requested();
  await call("POST", "/api/requests/withdraw", { body: { token: withdrawn.token } });
  const erased = await requested();
  await setLead(erased.id, { erasedAt: 1 });
  for (const token of [expired.token, withdrawn.token, erased.token, newId("link")])
    expect(await changed(token, { urgency: "urgent" })).toBe("closed");
  for (const { token, digits } of [withdrawn, erased, { token: newId("link"), digits: "1234" }])
    for (const tried of [digits, "0000"]) expect(await phone(token, tried)).toEqual({ outcome: "closed" });
  expect(await pendingOf(expired.id)).toBe(0);
  await runAlarm(expired.id);
});

test("after the sale a withdrawal tells the buyer once, and the request can no longer be changed", async () => {
  const { id, token } = await requested();
  const pat = await buyer();
  const { subscription } = await withPhone(pat);
  const sold = await sell(id, pat);
  const withdraw = () => call("POST", "/api/requests/withdraw", { body: { token } }).then(outcomeOf);
  expect(await Promise.all([withdraw(), withdraw()])).toEqual(["called_off", "called_off"]);
  expect(await withdraw()).toBe("called_off");
  expect((await detailOf(sold)).updates).toMatchObject([{ kind: "withdrawn", changes: [] }]);
  expect(await read(token)).toMatchObject({ isCalledOff: true, provider: { name: expect.any(String) } });
  await deliverAll();
  const titles = service.deliveredTo(subscription).map(({ data }) => data.notification.title);
  expect(titles.filter((title) => title === "Your customer called off the job")).toHaveLength(1);
  expect(await changed(token, { urgency: "urgent" })).toBe("closed");
});

test("row 57: a change and a withdrawal wait together for a lapsed hold: the request is off the market, without a change left", async () => {
  const { id, token } = await requested();
  await (await buyer()).mustTake(id);
  await changed(token, { urgency: "urgent" });
  await call("POST", "/api/requests/withdraw", { body: { token } });
  await endHold(id);
  await runAlarm(id);
  await runSweep("withdrawal_sweep");
  await runSweep("change_sweep");
  expect((await leadOf(id)).status).toBe("withdrawn");
  expect(await pendingOf(id)).toBe(0);
});

test("the phone number changes after its last four digits; the buyer sees the new one, the history none", async () => {
  const { id, token, digits } = await requested();
  expect(await phone(token, digits, "0491 570 157")).toEqual({ outcome: "changed" });
  expect(await summaryOf(id)).toMatchObject({ customerPhone: "•••• ••• 157" });
  expect(await leadOf(id)).toMatchObject({
    customerPhone: "0491 570 157",
    phoneKey: "+61491570157",
    digitTries: 0,
  });
  const sold = await sell(id);
  await sold.as("PATCH", `/api/lead-purchases/${sold.purchaseId}/customer`, {
    customerPhone: "0491 570 158",
  });
  expect(await phone(token, "0157", "0491 570 159")).toEqual({ outcome: "changed" });
  const detail = await detailOf(sold);
  expect(detail).toMatchObject({ customerPhone: "0491 570 159" });
  const change = { field: "customerPhone", before: "•••• ••• 157", after: "•••• ••• 159" };
  expect(detail.updates).toMatchObject([{ kind: "changed", changes: [change] }]);
  expect(JSON.stringify(await customerUpdatesOf(id))).not.toMatch(/0491|570 159/);
});

test("row 60: five wrong tries in total, however many at once, then only a call helps; right ones do not count", async () => {
  const { id, token, digits } = await requested();
  expect(await phone(token, digits)).toEqual({ outcome: "changed" });
  expect(await phone(token, "0000")).toEqual({ outcome: "wrong_digits", triesLeft: 4 });
  const tries = await Promise.all(Array.from({ length: 6 }, () => phone(token, "0000")));
  expect(tries.filter(({ outcome }) => outcome === "wrong_digits")).toHaveLength(3);
  expect(tries.filter(({ outcome }) => outcome === "call_us")).toHaveLength(3);
  expect(await leadOf(id)).toMatchObject({ digitTries: 5 });
  expect(await phone(token, "9999", "02 5550 8888")).toEqual({ outcome: "call_us" });
  expect(await leadOf(id)).toMatchObject({ customerPhone: "02 5550 9999" });
  expect(await read(token)).toMatchObject({ canEnterDigits: false });
});

test("row 60: a request accepts one more wrong try each month, so that its customer is not locked out for good", async () => {
  const { id, token, digits } = await requested();
  const createdAt = Date.now() - 31 * DAY_MS;
  await setLead(id, { createdAt, digitTries: 5 });
  expect(await read(token)).toMatchObject({ canEnterDigits: true });
  expect(await phone(token, digits)).toEqual({ outcome: "changed" });
  expect(await phone(token, "0000")).toEqual({ outcome: "call_us" });
});

test("row 55: reading a request never changes it, even with unfinished acts", async () => {
  const { id, token } = await requested();
  await (await buyer()).mustTake(id);
  await changed(token, { urgency: "urgent" });
  const before = JSON.stringify([await leadOf(id), await updatesOf(id)]);
  for (let i = 0; i < 3; i++) await read(token);
  expect(JSON.stringify([await leadOf(id), await updatesOf(id)])).toBe(before);
  expect(await updatesOf(id)).toHaveLength(1);
});
