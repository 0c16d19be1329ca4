/** A customer changes their name and street address on the request's page. Through the front door. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { UNCLEAR_SUBURB } from "../../../contract/address.ts";
import { buyer, exchange, stripe } from "../../../testing/cards.ts";
import { call, callWith, db } from "../../../testing/client.ts";
import { customerUpdatesOf } from "../../../testing/facts.ts";
import { runSweep } from "../../../testing/drivers.ts";
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
import { leads } from "../../tables.ts";

/** Everything that the exchange stores about a lead and may send to a window. */
const storedInExchange = (id: string) =>
  runInDurableObject(exchange, (_, { storage }) =>
    ["listings WHERE lead_id = ?", "events WHERE change ->> '$.lead.id' = ?"]
      .map((from) => JSON.stringify(storage.sql.exec(`SELECT * FROM ${from}`, id).toArray()))
      .join(),
  );

/** Posts the page's form while requests are screened. */
const send = async (token: string, details: object) => {
  const body = { token, ...(await read(token))!.job, ...details };
  const settings = { DUPLICATE_DAYS: "14", SUSPICION_POINTS: "2" };
  return outcomeOf(await callWith(settings, "POST", "/api/requests/change", { body }));
};

const sendPhone = async (
  { token, digits: lastDigits }: Pick<Awaited<ReturnType<typeof requested>>, "token" | "digits">,
  customerPhone: string,
) => {
  const body = { token, lastDigits, customerPhone };
  return outcomeOf(await callWith({ DUPLICATE_DAYS: "14" }, "POST", "/api/requests/phone", { body }));
};

test("the last digits are the number's, not those of the note behind it", async () => {
  const { token } = await requested({ customerPhone: "0491 570 006 (after 6pm)" });
  expect(await sendPhone({ token, digits: "0066" }, "02 5550 9999")).toBe("wrong_digits");
  expect(await sendPhone({ token, digits: "0006" }, "02 5550 9999")).toBe("changed");
});

test("before the sale, a new name and house number reach D1, and rivals see only the masked name", async () => {
  const { id, token } = await requested();
  const before = await leadOf(id);
  const customerAddress = "9014 Norton Street, Leichhardt NSW 2040";
  expect(await changed(token, { customerName: "Ann Corrected", customerAddress })).toBe("changed");
  const { suburbId, suburbName, suburbPostcode, latitude, region, specificRequests } = before;
  expect(await leadOf(id)).toMatchObject({
    suburbId,
    suburbName,
    suburbPostcode,
    latitude,
    region,
    specificRequests,
    customerName: "Ann Corrected",
    customerAddress,
    streetKey: "9014 norton st leichhardt",
    phoneKey: before.phoneKey,
    emailKey: before.emailKey,
  });
  expect(await summaryOf(id)).toMatchObject({
    customerName: "Ann C.",
    customerAddress: null,
    suburbName: "Leichhardt",
    suburbPostcode: "2040",
  });
  expect(await storedInExchange(id)).not.toMatch(/Corrected|9014|Norton|Robin/);
  // The form posts empty fields when nothing has changed.
  expect(await changed(token, {})).toBe("changed");
  expect(await leadOf(id)).toMatchObject({ customerName: "Ann Corrected", customerAddress });
});

test("a new name does not uncover the earlier surname or street in the text", async () => {
  const { id, token } = await requested({
    customerName: "Robin Quokkaberg",
    customerAddress: "12 Wombat Street, Leichhardt NSW 2040",
    specificRequests: "Ask for Quokkaberg, at the wombat gate",
  });
  const hidden = "Ask for ▮▮▮, at the ▮▮▮ gate";
  expect((await read(token))!.job.specificRequests).toBe(hidden);
  for (const customerName of ["Kim Smith", "Lee Jones"]) {
    const customerAddress = "14 Norton Street, Leichhardt NSW 2040";
    expect(await changed(token, { customerName, customerAddress })).toBe("changed");
    expect((await read(token))!.job.specificRequests).toBe(hidden);
    expect(await summaryOf(id)).toMatchObject({ specificRequests: hidden });
  }
  expect((await leadOf(id)).specificRequests).toBe("Ask for Quokkaberg, at the wombat gate");
  // A text that names the new surname hides it.
  await changed(token, { specificRequests: "Ask for Jones" });
  expect(await summaryOf(id)).toMatchObject({ specificRequests: "Ask for ▮▮▮" });
});

test("a name and an address are checked like a new request's; another suburb needs a new request", async () => {
  const { id, token } = await requested();
  const before = await leadOf(id);
  const errorsOf = async (changes: object) => {
    const response = await change(token, changes);
    expect(response.status).toBe(400);
    return (await response.json<{ errors: Record<string, string> }>()).errors;
  };
  expect(await errorsOf({ customerName: " " })).toEqual({ customerName: "Customer name is required" });
  expect(Object.keys(await errorsOf({ customerName: "x".repeat(101) }))).toEqual(["customerName"]);
  const hidden = { customerName: "Ann\u200Ba", customerAddress: "12 Banksia St\r\nManly" };
  expect(Object.keys(await errorsOf(hidden))).toEqual(["customerName", "customerAddress"]);
  const postBox = { customerAddress: "PO Box 12, Leichhardt NSW 2040" };
  expect(Object.keys(await errorsOf(postBox))).toEqual(["customerAddress"]);
  const unclear = { customerAddress: UNCLEAR_SUBURB };
  expect(await errorsOf({ customerAddress: "14 Norton Street" })).toEqual(unclear);
  expect(await errorsOf({ customerAddress: "14 Swan St, Richmond VIC 3121" })).toEqual(unclear);
  for (const customerAddress of ["14 Norton Street, Ashfield NSW 2131", "1 Church Street, Parramatta 2150"])
    expect(await changed(token, { customerName: "Not Stored", customerAddress })).toBe("other_suburb");
  expect(await leadOf(id)).toEqual(before);
});

test("a change to an address where the person already has this request needs a call; other changes do not", async () => {
  const first = await requested();
  const other = await requested({
    customerPhone: (await leadOf(first.id)).customerPhone,
    customerEmail: null,
  });
  const { customerAddress } = await leadOf(first.id);
  expect(await send(other.token, { customerAddress })).toBe("call_us");
  // Another service at that address is another job.
  const serviceType = ["hedge_trimming"];
  expect(await send(other.token, { serviceType, customerAddress })).toBe("changed");
  // The same house in other words is no duplicate of itself.
  const respelt = customerAddress.replace("Norton Street", "NORTON ST.");
  expect(await send(first.token, { customerAddress: respelt })).toBe("changed");
  const nextDoor = { customerAddress: respelt.replace("NORTON", "Marion") };
  expect(await send(first.token, nextDoor)).toBe("changed");
  expect(await send(first.token, { customerName: "Anna Brown-Nguyễn" })).toBe("changed");
});

test("a request cannot become a duplicate by its phone number or by another service", async () => {
  const first = await requested({ customerEmail: null });
  const { customerAddress, customerPhone } = await leadOf(first.id);
  const second = await requested({ customerEmail: null, customerAddress });
  expect(await sendPhone(second, customerPhone)).toBe("call_us");
  // Another job at this address may have the same number, until it asks for the same service too.
  expect(await send(second.token, { serviceType: ["hedge_trimming"] })).toBe("changed");
  expect(await sendPhone(second, customerPhone)).toBe("changed");
  expect(await send(second.token, { serviceType: ["hedge_trimming", "lawn_mowing"] })).toBe("call_us");
  // The first and this refusal revealed a duplicate.
  expect(await leadOf(second.id)).toMatchObject({ digitTries: 2 });
  expect(await send(second.token, { serviceType: ["garden_maintenance"] })).toBe("changed");
});

test("a stranger can find out five times who has a request at an address, then every answer is the same", async () => {
  const victim = await requested({ customerEmail: "victim@example.com" });
  const { customerAddress } = await leadOf(victim.id);
  const own = await requested({ customerEmail: null });
  expect(await send(own.token, { customerAddress })).toBe("changed");
  const guess = async (customerEmail: string) => {
    const body = { token: own.token, lastDigits: own.digits, customerEmail };
    return outcomeOf(await callWith({ DUPLICATE_DAYS: "14" }, "POST", "/api/requests/phone", { body }));
  };
  expect(await guess("stranger@example.com")).toBe("changed");
  expect(await leadOf(own.id)).toMatchObject({ digitTries: 0 });
  // However many at once.
  const guesses = await Promise.all(Array.from({ length: 6 }, () => guess("victim@example.com")));
  expect(new Set(guesses)).toEqual(new Set(["call_us"]));
  expect(await leadOf(own.id)).toMatchObject({ digitTries: 5 });
  expect([await guess("victim@example.com"), await guess("victim8@example.com")]).toEqual([
    "call_us",
    "call_us",
  ]);
  const elsewhere = { customerAddress: customerAddress.replace("Norton", "Marion") };
  expect(await send(own.token, elsewhere)).toBe("call_us");
  // The job itself still changes.
  expect(await send(own.token, { urgency: "urgent" })).toBe("changed");
});

test("two changes that wait for a payment are checked together", async () => {
  const first = await requested({ customerEmail: null });
  const { customerAddress, customerPhone } = await leadOf(first.id);
  const second = await requested({ customerEmail: null });
  const pat = await buyer();
  await pat.opened(second.id);
  expect(await send(second.token, { customerAddress })).toBe("waiting");
  expect(await leadOf(second.id)).toMatchObject({ digitTries: 0 });
  expect(await sendPhone(second, customerPhone)).toBe("call_us");
  expect(await leadOf(second.id)).toMatchObject({ digitTries: 1 });
});

test("a name and an address that wait for a payment reach the buyer", async () => {
  const { id, token } = await requested();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(id);
  const customerAddress = "9015 Norton Street, Leichhardt NSW 2040";
  expect(await changed(token, { customerName: "Wendy Waits", customerAddress })).toBe("waiting");
  expect(JSON.stringify(await read(token))).not.toMatch(/Wendy|Waits|9015/);
  stripe.confirm(intentId, "good");
  await pat.settle(holdId);
  expect(await runSweep("change_sweep")).toMatchObject({ changed: 1 });
  expect(await leadOf(id)).toMatchObject({ customerName: "Wendy Waits", customerAddress });
});

test("after the sale, the buyer gets the new name and address with their history, instead of an own correction", async () => {
  const { id, token, digits } = await requested();
  const { customerName, customerAddress } = await leadOf(id);
  const sold = await sell(id);
  const own = { customerName: "Robyn", customerAddress: "1 Wrong Street", customerEmail: "own@example.com" };
  await sold.as("PATCH", `/api/lead-purchases/${sold.purchaseId}/customer`, own);
  const wanted = { customerName: "Robyn Right", customerAddress: "9016 Norton Street, Leichhardt NSW 2040" };
  expect(await changed(token, wanted)).toBe("changed");
  const detail = await detailOf(sold);
  expect(detail).toMatchObject({ ...wanted, customerEmail: "own@example.com" });
  expect(detail.updates).toMatchObject([
    {
      kind: "changed",
      changes: [
        { field: "customerName", before: customerName, after: wanted.customerName },
        { field: "customerAddress", before: customerAddress, after: wanted.customerAddress },
      ],
    },
  ]);
  const elsewhere = { customerAddress: "14 Norton Street, Ashfield NSW 2131" };
  expect(await changed(token, elsewhere)).toBe("other_suburb");
  // Erasing the customer deletes the history.
  const erasure = { token, lastDigits: digits };
  expect(await outcomeOf(await call("POST", "/api/requests/erase", { body: erasure }))).toBe("erased");
  const [lead] = await db.select().from(leads).where(eq(leads.id, id));
  const history = await customerUpdatesOf(id);
  expect(JSON.stringify([lead, history])).not.toMatch(/Robyn|Robin|Norton|norton/);
});
