/** How a customer wants to be reached: who sees it, and how the customer changes it. Through the front door. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { CONSENT_WORDING } from "../../../contract/consent.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { read, requested, sell } from "../../../testing/customer-requests.ts";
import { racing } from "../../../testing/faulty-db.ts";
import { customerUpdatesOf, leadRow } from "../../../testing/facts.ts";
import { erase } from "../../../testing/drivers.ts";
import { retryIfMinuteChanges } from "../../../testing/clock.ts";
import { rescue } from "../../../testing/rescue.ts";
import { insertUser, quoteRequest } from "../../../testing/world.ts";
import { leads } from "../../tables.ts";

const setContact = (token: string, contactMethod: string, contactTime = "anytime") =>
  call("POST", "/api/requests/contact", { body: { token, contactMethod, contactTime } });

test("only the buyer and super admins see the preference of a request", async () => {
  const { id } = await requested({ contactMethod: "text", contactTime: "evening" });
  const rival = await callerFor((await insertUser(db)).id);
  expect(await (await rival("GET", "/api/leads")).text()).not.toMatch(/contactMethod|contactTime/);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const found = await (await admin("GET", `/api/super-admin/leads?q=${id}`)).json<object[]>();
  expect(found).toMatchObject([{ contactMethod: "text", contactTime: "evening" }]);
  const pat = await sell(id);
  const [bought] = await (await pat.as("GET", "/api/my-purchased-leads")).json<object[]>();
  expect(bought).toMatchObject({ contactMethod: "text", contactTime: "evening" });
  expect(await (await pat.as("GET", "/api/pipeline/export.csv")).text()).toContain(
    "Prefers a text in the evening",
  );
});

test("a request by email without an address is refused at the field", async () => {
  const body = { ...quoteRequest(), customerEmail: "", contactMethod: "email" };
  const refused = await call("POST", "/api/leads", { body });
  expect(refused.status).toBe(400);
  expect((await refused.json<{ errors: object }>()).errors).toHaveProperty("customerEmail");
});

test("before the sale a change is stored, and a repeated one changes nothing", async () => {
  const { id, token } = await requested();
  expect((await read(token))!.contact).toMatchObject({ contactMethod: null, hasEmail: true });
  for (let i = 0; i < 2; i++)
    expect(await (await setContact(token, "email", "morning")).json()).toEqual({ outcome: "saved" });
  expect((await read(token))!.contact).toMatchObject({ contactMethod: "email", contactTime: "morning" });
  expect(await customerUpdatesOf(id)).toEqual([]);
});

test("row 56: after the sale the buyer gets each change once, with the preference before it", async () => {
  const { id, token } = await requested({ contactMethod: "call", contactTime: "anytime" });
  const pat = await sell(id);
  const [before] = await (await pat.as("GET", "/api/my-purchased-leads")).json<{ updatedAt: number }[]>();
  await Promise.all([1, 2, 3].map(() => setContact(token, "text", "evening")));
  expect(await customerUpdatesOf(id)).toMatchObject([
    {
      kind: "changed",
      changes: [
        { field: "contactMethod", before: "call", after: "text" },
        { field: "contactTime", before: "anytime", after: "evening" },
      ],
    },
  ]);
  const [after] = await (await pat.as("GET", "/api/my-purchased-leads")).json<{ updatedAt: number }[]>();
  expect(after).toMatchObject({ contactMethod: "text", contactTime: "evening" });
  expect(after!.updatedAt).toBeGreaterThan(before!.updatedAt);
});

test("row 62: a preference that races a rescue reaches the next provider", async () => {
  const { id, token } = await requested({ contactMethod: "call", consentWording: CONSENT_WORDING });
  await sell(id);
  const body = { token, contactMethod: "text", contactTime: "evening" };
  await callWith(
    racing(`update "leads"`, () => rescue(id)),
    "POST",
    "/api/requests/contact",
    { body },
  );
  const [rescued] = await db.select().from(leads).where(eq(leads.rescuedFromId, id));
  expect(rescued).toMatchObject({ contactMethod: "text", contactTime: "evening" });
});

test("the link of a withdrawn request gets the same response as an unknown one", async () => {
  const { token } = await requested();
  await call("POST", "/api/requests/withdraw", { body: { token } });
  for (const link of [token, "made-up"])
    expect(await (await setContact(link, "text")).json()).toEqual({ outcome: "gone" });
});

test("erasing a person deletes their preference and its changes", async () => {
  const email = "gone.preference@example.com";
  const preference = { contactMethod: "text", contactTime: "evening" } as const;
  const { id, token } = await requested({ ...preference, customerEmail: email });
  await sell(id);
  await setContact(token, "call");
  expect(await customerUpdatesOf(id)).toHaveLength(1);
  await erase({ email });
  expect(await customerUpdatesOf(id)).toEqual([]);
  const row = await leadRow(id);
  expect(row).toMatchObject({ contactMethod: null, contactTime: null });
});

test("one link has a limit, from any network", async () => {
  await retryIfMinuteChanges(async () => {
    const statuses = [];
    for (let i = 0; i < 31; i++) {
      const headers = { "CF-Connecting-IP": `203.0.113.${i}` };
      const body = { token: "guessed", contactMethod: "text" };
      statuses.push((await call("POST", "/api/requests/contact", { headers, body })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
