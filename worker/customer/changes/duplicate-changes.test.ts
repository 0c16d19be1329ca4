/** A customer's change that would make their request a duplicate of another one. Through the front door. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { CONSENT_WORDING } from "../../../contract/consent.ts";
import { exchange, runAlarm } from "../../../testing/cards.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { changed, leadOf, outcomeOf, read, requested, sell } from "../../../testing/customer-requests.ts";
import { rescue } from "../../../testing/rescue.ts";
import { insertUser, quoteRequest } from "../../../testing/world.ts";
import { leads } from "../../tables.ts";

const SCREENING = { DUPLICATE_DAYS: "14" };

let houses = 7000;
const newAddress = () => `${(houses += 1)} Norton Street, Leichhardt NSW 2040`;

type Requested = Awaited<ReturnType<typeof requested>>;

/** Posts the page's form with these details. */
async function send(token: string, details: object) {
  const body = { token, ...(await read(token))!.job, ...details };
  return outcomeOf(await callWith(SCREENING, "POST", "/api/requests/change", { body }));
}

const sendContact = async ({ token }: Requested, lastDigits: string, change: object) =>
  outcomeOf(
    await callWith(SCREENING, "POST", "/api/requests/phone", { body: { token, lastDigits, ...change } }),
  );

/** Sends a new request. @returns why it was quarantined */
async function ask(details: Parameters<typeof quoteRequest>[0]) {
  const body = quoteRequest({ customerEmail: null, ...details });
  const response = await callWith(SCREENING, "POST", "/api/leads", { body });
  expect(response.status).toBe(201);
  return (await leadOf((await response.json<{ id: string }>()).id)).quarantineReasons;
}

test("a request's details are compared as they are after its rescue", async () => {
  const { id, token, digits } = await requested({ customerEmail: null, consentWording: CONSENT_WORDING });
  const before = await leadOf(id);
  await sell(id);
  const rescuedId = await rescue(id);
  const customerAddress = newAddress();
  expect(await changed(token, { customerAddress })).toBe("changed");
  expect(await leadOf(rescuedId)).toMatchObject({ customerAddress });
  const { customerPhone } = before;
  expect(await ask({ customerPhone, customerAddress })).toEqual(["duplicate"]);
  expect(await ask({ customerPhone, customerAddress: before.customerAddress })).toEqual([]);
  // The request is no duplicate of itself.
  const changedPhone = { customerPhone: "02 5550 9998" };
  expect(await sendContact({ id, token, digits }, digits, changedPhone)).toBe("changed");
});

test("a customer may ask again after their request was withdrawn, called off, done or expired", async () => {
  const over = {
    withdrawn: ({ token }: Requested) => call("POST", "/api/requests/withdraw", { body: { token } }),
    "called off": async ({ id, token }: Requested) => {
      await sell(id);
      await call("POST", "/api/requests/withdraw", { body: { token } });
    },
    done: async ({ id }: Requested) => {
      const { as, purchaseId } = await sell(id);
      const stage = { salesStage: "job_complete" };
      const response = await as("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, stage);
      expect(response.status, await response.clone().text()).toBe(200);
    },
    expired: async ({ id }: Requested) => {
      await runInDurableObject(exchange, (_, { storage }) => {
        storage.sql.exec("UPDATE listings SET expires_at = 1 WHERE lead_id = ?", id);
      });
      await runAlarm(id);
    },
  };
  for (const [how, end] of Object.entries(over)) {
    const first = await requested({ customerEmail: null });
    const { customerPhone, customerAddress } = await leadOf(first.id);
    expect([how, await ask({ customerPhone, customerAddress })]).toEqual([how, ["duplicate"]]);
    await db
      .update(leads)
      .set({ status: "withdrawn", listingState: "closed" })
      .where(eq(leads.listingState, "quarantined"));
    await end(first);
    expect([how, await ask({ customerPhone, customerAddress })]).toEqual([how, []]);
  }
});

test("a request that an admin withdrew still counts as a duplicate", async () => {
  const { id } = await requested({ customerEmail: null });
  const { customerPhone, customerAddress } = await leadOf(id);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const response = await admin("POST", `/api/super-admin/leads/${id}/withdraw`, { reason: "A joke" });
  expect(response.status, await response.clone().text()).toBe(200);
  expect(await ask({ customerPhone, customerAddress })).toEqual(["duplicate"]);
});

test("a duplicate that an admin has released may change, but not become another one's duplicate", async () => {
  const first = await requested({ customerEmail: null });
  const { customerPhone, customerAddress } = await leadOf(first.id);
  const released = await requested({ customerEmail: null, customerPhone, customerAddress });
  const digits = first.digits;
  expect(await sendContact(released, digits, { customerEmail: "released@example.com" })).toBe("changed");
  expect(await send(released.token, { serviceType: ["lawn_mowing", "hedge_trimming"] })).toBe("changed");
  const elsewhere = newAddress();
  await requested({ customerEmail: null, customerPhone, customerAddress: elsewhere });
  expect(await send(released.token, { customerAddress: elsewhere })).toBe("call_us");
});
