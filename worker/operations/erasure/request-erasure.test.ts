/** A customer deletes their data on the request's page. Through the front door. */
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";

import type { DigitsAnswer, RequestPageAnswer } from "../../../contract/request-links.ts";
import { buyer, endHold, exchange, runAlarm, stripe } from "../../../testing/cards.ts";
import { testEnv, call, db } from "../../../testing/client.ts";
import {
  auditEntries,
  contactKeys,
  customerUpdatesOf,
  leadRow,
  purchasesOf,
  setLead,
} from "../../../testing/facts.ts";
import { listed, putOnMarket, requestLink, runSweep } from "../../../testing/drivers.ts";
import { ERASED_CUSTOMER, tracesIn } from "../../../testing/erased-customer.ts";
import { dumpD1, dumpExchanges, runJob } from "../../../testing/operator.ts";
import { allowNotifications, deliverAll, usePushStandIn } from "../../../testing/push.ts";
import { newId, newLeadId } from "../../../testing/world.ts";
import { leads } from "../../tables.ts";

const service = usePushStandIn();
beforeEach(() => stripe.clearFaults());

const LAST = ERASED_CUSTOMER.customerPhone.replaceAll(" ", "").slice(-4);

async function requested() {
  const lead = await listed(ERASED_CUSTOMER);
  return { id: lead.id, token: await requestLink(lead.id) };
}

const erase = async (token: string, lastDigits = LAST) =>
  (await call("POST", "/api/requests/erase", { body: { token, lastDigits } })).json<DigitsAnswer>();
const read = async (token: string) =>
  (await (await call("GET", `/api/requests?token=${token}`)).json<RequestPageAnswer>()).request;

/** Renames a table of the exchange, which then fails. */
const renameTable = (from: string, to: string) =>
  runInDurableObject(
    exchange,
    (_, { storage }) => void storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`),
  );

async function expectNoTraces() {
  expect(tracesIn(await dumpD1())).toEqual([]);
  expect(tracesIn(await dumpExchanges())).toEqual([]);
}

async function sell(id: string, pat: Awaited<ReturnType<typeof buyer>>) {
  const { holdId, intentId } = await pat.opened(id);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  const [purchase] = await purchasesOf(id);
  return purchase!;
}

test("before the sale, a customer's data is gone everywhere, and the link looks like an unknown one", async () => {
  const { id, token } = await requested();
  expect(await erase(token, "0000")).toEqual({ outcome: "wrong_digits", triesLeft: 4 });
  expect(await erase(token)).toEqual({ outcome: "erased" });
  expect(await leadRow(id)).toMatchObject({ status: "withdrawn", customerPhone: "" });
  await expectNoTraces();
  expect(await read(token)).toBeNull();
  expect([await erase(token), await erase(newId("link"))]).toEqual([
    { outcome: "closed" },
    { outcome: "closed" },
  ]);
  const logged = await auditEntries(id);
  expect(logged.find(({ action }) => action === "lead.erased")?.after).toEqual({
    reason: "customer",
    jobId: null,
  });
});

test("after withdrawing a request, its customer can still delete their data", async () => {
  const { id, token } = await requested();
  await call("POST", "/api/requests/withdraw", { body: { token } });
  expect(await read(token)).toBeNull();
  expect(await erase(token, "0000")).toEqual({ outcome: "wrong_digits", triesLeft: 4 });
  expect(await erase(token)).toEqual({ outcome: "erased" });
  expect(await leadRow(id)).toMatchObject({ status: "withdrawn", customerPhone: "" });
  await expectNoTraces();
  expect(await erase(token)).toEqual({ outcome: "closed" });
});

test("after the sale the buyer sees it, and keeps the purchase without the customer", async () => {
  const { id, token } = await requested();
  const pat = await buyer();
  const subscription = await service.subscribe();
  await allowNotifications(pat.as.cookie, subscription);
  await pat.as("PUT", "/api/notifications/quiet-hours", { isOn: false, startsAt: "20:00", endsAt: "07:00" });
  const purchase = await sell(id, pat);
  const { job } = (await read(token))!;
  const change = { token, ...job, specificRequests: "Quokkaword: the other gate." };
  await call("POST", "/api/requests/change", { body: change });
  expect(await erase(token)).toEqual({ outcome: "erased" });
  await expectNoTraces();
  const detail = await (await pat.as("GET", `/api/lead-purchases/${purchase.id}`)).json();
  expect(detail).toMatchObject({
    customerName: "Erased customer",
    updates: [{ kind: "erased", changes: [] }],
  });
  await deliverAll();
  const shown = service.deliveredTo(subscription).map(({ data }) => data.notification);
  expect(shown.map(({ title }) => title)).toContain("Your customer deleted their details");
  expect(tracesIn(JSON.stringify(shown))).toEqual([]);
  expect(await read(token)).toBeNull();
});

test("row 59: while a provider is paying, the erasure waits and says so; the sweep finishes it, unsold or sold", async () => {
  for (const isSold of [false, true]) {
    const { id, token } = await requested();
    const pat = await buyer();
    const { holdId, intentId } = await pat.opened(id);
    expect(await erase(token)).toEqual({ outcome: "waiting" });
    expect(await read(token)).toMatchObject({ isErasurePending: true });
    expect(await runSweep("request_erasure_sweep")).toEqual({ erased: 0, failed: 0 });
    if (isSold) {
      stripe.confirm(intentId, "good");
      await pat.settle(holdId);
    } else {
      await pat.close(holdId);
      await expect.poll(async () => (await runSweep("request_erasure_sweep")).erased).toBe(1);
    }
    await runSweep("request_erasure_sweep");
    expect(await leadRow(id)).toMatchObject({ status: isSold ? "sold" : "withdrawn" });
    expect((await leadRow(id)).erasedAt).not.toBeNull();
    await expectNoTraces();
    expect(await read(token)).toBeNull();
    expect(await runSweep("request_erasure_sweep")).toEqual({ erased: 0, failed: 0 });
  }
});

test("row 59: while the exchange is away, the erasure is stored and repeated", async () => {
  const { id, token } = await requested();
  await renameTable("listings", "away");
  expect(await erase(token)).toEqual({ outcome: "waiting" });
  await renameTable("away", "listings");
  expect(await runSweep("request_erasure_sweep")).toEqual({ erased: 1, failed: 0 });
  expect((await leadRow(id)).erasedAt).not.toBeNull();
  await expectNoTraces();
});

test("row 59: an erasure during a change that waits deletes both", async () => {
  const { id, token } = await requested();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(id);
  const { job } = (await read(token))!;
  const change = { token, ...job, specificRequests: "Quokkaword: the other gate." };
  await call("POST", "/api/requests/change", { body: change });
  expect(await erase(token)).toEqual({ outcome: "waiting" });
  await pat.close(holdId);
  expect(await runSweep("request_erasure_sweep")).toEqual({ erased: 1, failed: 0 });
  expect(await customerUpdatesOf(id)).toEqual([]);
  await expectNoTraces();
});

/** Sells a request and inserts the lead that is rescued from it. @returns the rescued lead's id */
async function passOn(id: string, overrides: Partial<typeof leads.$inferInsert> = {}): Promise<string> {
  await sell(id, await buyer());
  const rescued = {
    ...(await leadRow(id)),
    id: newLeadId("inner-west"),
    reference: null,
    submissionId: null,
    rescuedFromId: id,
    status: "available" as const,
    listingState: "pending" as const,
    exchangeVersion: 0,
    ...overrides,
  };
  await db.insert(leads).values(rescued);
  await putOnMarket(await leadRow(rescued.id));
  return rescued.id;
}

test("deleting the data of a rescued request erases both of its leads", async () => {
  const { id, token } = await requested();
  const rescuedId = await passOn(id);
  const { latitude, longitude } = await leadRow(id);
  expect((await read(token))!.provider).toBeNull();
  expect(await erase(token)).toEqual({ outcome: "erased" });
  expect([await leadRow(id), await leadRow(rescuedId)]).toMatchObject([
    { status: "sold", customerPhone: "", latitude, longitude },
    { status: "withdrawn", customerPhone: "" },
  ]);
  await expectNoTraces();
  expect(await read(token)).toBeNull();
});

test.each(["the old number", "the new number"])(
  "a request whose number changed after its rescue is erased by %s",
  async (which) => {
    const { id } = await requested();
    const customerPhone = "02 5550 4321";
    const rescuedId = await passOn(id, { customerPhone, ...contactKeys(customerPhone, null) });
    const pat = await buyer();
    await pat.opened(rescuedId);
    const phone = which === "the old number" ? ERASED_CUSTOMER.customerPhone : customerPhone;
    const erasePerson = async () =>
      (await runJob({ kind: "erase_person", input: { phone, email: null } })).state;
    // A provider is paying. The first lead stays, because only it leads to the rescued one.
    expect(await erasePerson()).not.toBe("done");
    await endHold(rescuedId);
    await runAlarm(rescuedId);
    expect(await erasePerson()).toBe("done");
    expect([await leadRow(id), await leadRow(rescuedId)]).toMatchObject([
      { customerPhone: "" },
      { customerPhone: "" },
    ]);
  },
);

test("an unsold rescued lead is kept as long as the sold lead", async () => {
  const { id } = await requested();
  const rescuedId = await passOn(id);
  await setLead(rescuedId, { listingState: "closed", status: "expired" });
  await runSweep("retention", Date.now() + 1, { ...testEnv, RETENTION_DAYS: "0" });
  expect(await leadRow(rescuedId)).toMatchObject({ erasedAt: null });
});
