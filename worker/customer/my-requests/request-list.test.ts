/** All requests of an email address: the link, what it opens and for how long. Through the front door. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { LeadRequestInput } from "../../../contract/leads.ts";
import type { MyRequestsAnswer } from "../../../contract/my-requests.ts";
import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { setLead } from "../../../testing/facts.ts";
import { deliverMessages, erase, runSweep } from "../../../testing/drivers.ts";
import { insertClockedSale } from "../../../testing/clocked-sales.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertManualPurchase, insertUser, quoteRequest } from "../../../testing/world.ts";
import { leadPurchases, messages, oneTimeSecrets } from "../../tables.ts";

let people = 1000 + Math.floor(Math.random() * 8000);

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(oneTimeSecrets);
});

const newAddress = () => `lee${people++}@example.com`;

/** Sends a request, as a stranger or as a signed-in customer. @returns its lead's id */
async function send(overrides: Partial<LeadRequestInput>, cookie?: string): Promise<string> {
  const n = people++;
  const body = quoteRequest({
    customerName: `Lee Number${n}`,
    customerPhone: `02 5552 ${n}`,
    customerAddress: `${n} Norton Street, Leichhardt NSW 2040`,
    specificRequests: null,
    ...overrides,
  });
  const response = await call("POST", "/api/leads", { body, ...(cookie && { cookie }) });
  expect(response.status).toBe(201);
  return (await response.json<{ id: string }>()).id;
}

type Box = ReturnType<typeof mailbox>;

/** Asks for a link. The response is the same for every address. */
async function ask(box: Box, email: string) {
  const response = await callWith(box.changed, "POST", "/api/my-requests/links", { body: { email } });
  expect([response.status, await response.text()]).toEqual([202, '{"ok":true}']);
}

const LINK = /\/my-requests\/([\w-]{43})/;

/** Asks for a link and returns the secret in the email. */
async function receiveLink(email: string): Promise<string> {
  const box = mailbox();
  await ask(box, email);
  const mail = box.sent.find(({ subject }) => subject === "Your requests at Naturestrip");
  expect(mail!.to).toBe(email);
  return LINK.exec(mail!.text)![1]!;
}

const open = (token: string) => call("POST", "/api/my-requests/open", { body: { token } });

async function openList(token: string): Promise<string> {
  const response = await open(token);
  expect(response.status).toBe(200);
  return (await response.json<{ token: string }>()).token;
}

async function read(token: string) {
  const response = await call("GET", `/api/my-requests?token=${token}`);
  return (await response.json<MyRequestsAnswer>()).requests;
}

const openRequest = (token: string, leadId: string) =>
  call("POST", "/api/my-requests/request-links", { body: { token, leadId } });

test("a link shows every request of its address, newest first, and opens each one's page", async () => {
  const email = newAddress();
  const first = await send({ customerEmail: email });
  const second = await send({ customerEmail: ` ${email.toUpperCase()}` });
  await send({ customerEmail: newAddress() });
  await setLead(first, { createdAt: 1 });
  const list = await openList(await receiveLink(email));
  const requests = (await read(list))!;
  expect(requests.map(({ leadId }) => leadId)).toEqual([second, first]);
  expect(requests[0]).toMatchObject({
    services: ["lawn_mowing"],
    place: "Leichhardt 2040",
    status: "available",
  });
  const { token } = await (await openRequest(list, first)).json<{ token: string }>();
  const page = await call("GET", `/api/requests?token=${token}`);
  expect((await page.json<RequestPageAnswer>()).request!.reference).toBe(requests[1]!.reference);
});

test("an address without requests gets the same response and no email", async () => {
  const box = mailbox();
  await ask(box, newAddress());
  const owner = await insertUser(db);
  const email = newAddress();
  await insertManualPurchase(db, owner, { stage: "called", startedAt: 1, request: { customerEmail: email } });
  await ask(box, email);
  expect(box.sent).toEqual([]);
  expect(await db.select().from(messages)).toEqual([]);
});

test("a link works once, whatever opens it first, and a secret of the list is no link", async () => {
  const email = newAddress();
  await send({ customerEmail: email });
  const token = await receiveLink(email);
  expect(await read(token), "reading does not open a link").toBeNull();
  const statuses = await Promise.all([1, 2, 3].map(async () => open(token)));
  expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
  const { token: list } = await statuses.find(({ status }) => status === 200)!.json<{ token: string }>();
  expect(await read(list)).toHaveLength(1);
  expect((await open(list)).status).toBe(410);
  expect((await open("made-up")).status).toBe(410);
});

test("links and lists end after an hour, and the sweep deletes them", async () => {
  const email = newAddress();
  await send({ customerEmail: email });
  const token = await receiveLink(email);
  const list = await openList(token);
  expect(await runSweep("access_sweep")).toMatchObject({ secrets: 0 });
  await db.update(oneTimeSecrets).set({ expiresAt: Date.now() });
  expect(await read(list)).toBeNull();
  expect((await openRequest(list, await send({ customerEmail: email }))).status).toBe(404);
  expect(await runSweep("access_sweep", Date.now() + HOUR_MS)).toMatchObject({ secrets: 1 });
});

test("D1 stores no link's secret", async () => {
  const email = newAddress();
  await send({ customerEmail: email });
  const token = await receiveLink(email);
  const rows = [await db.select().from(oneTimeSecrets), await db.select().from(messages)];
  expect(JSON.stringify(rows)).toContain(email);
  expect(JSON.stringify(rows)).not.toContain(token);
});

/** Makes the emails with links older. */
const ageEmails = (ms: number) =>
  db
    .update(messages)
    .set({ createdAt: Date.now() - ms })
    .where(eq(messages.template, "request_list"));

test("a mailbox gets one link in five minutes and three a day, also from many networks at once", async () => {
  const email = newAddress();
  await send({ customerEmail: email });
  const box = mailbox();
  await Promise.all([1, 2, 3, 4].map(async () => ask(box, email)));
  const links = () => box.sent.filter(({ text }) => LINK.test(text)).length;
  expect(links()).toBe(1);
  for (const expected of [2, 3, 3]) {
    await ageEmails(6 * MINUTE_MS);
    await ask(box, email);
    expect(links()).toBe(expected);
  }
  await ageEmails(DAY_MS + MINUTE_MS);
  await ask(box, email);
  expect(links()).toBe(4);
});

test("a list opens no other customer's request", async () => {
  const email = newAddress();
  await send({ customerEmail: email });
  const other = await send({ customerEmail: newAddress() });
  const list = await openList(await receiveLink(email));
  expect((await openRequest(list, other)).status).toBe(404);
  expect((await openRequest("made-up", other)).status).toBe(404);
});

test("a request that was passed on shows what became of its newest lead; withdrawn ones are not listed", async () => {
  const email = newAddress();
  const first = await send({ customerEmail: email });
  const rescued = await send({ customerEmail: email });
  const withdrawn = await send({ customerEmail: email });
  await setLead(first, { status: "sold" });
  await setLead(rescued, { rescuedFromId: first });
  await setLead(withdrawn, { status: "withdrawn" });
  const list = await openList(await receiveLink(email));
  expect(await read(list)).toMatchObject([{ leadId: first, status: "available" }]);
  await setLead(rescued, { status: "withdrawn" });
  expect(await read(list)).toEqual([]);
});

test("a request says that the job is done only if its current provider does", async () => {
  const email = newAddress();
  const first = await send({ customerEmail: email });
  const buyer = await insertUser(db, { email: newAddress() });
  await setLead(first, { status: "sold" });
  const list = await openList(await receiveLink(email));
  const statusOf = async () => (await read(list))![0]!.status;
  const id = await insertClockedSale(db, buyer, { purchasedAt: Date.now() });
  const isSale = eq(leadPurchases.id, id);
  await db.update(leadPurchases).set({ leadId: first }).where(isSale);
  expect(await statusOf()).toBe("sold");
  await db.update(leadPurchases).set({ jobCompleteAt: Date.now() }).where(isSale);
  expect(await statusOf()).toBe("done");
  const rescued = await send({ customerEmail: email });
  await setLead(rescued, { rescuedFromId: first });
  expect(await statusOf()).toBe("available");
});

test("a signed-in customer sees the requests of their account without a link", async () => {
  const email = newAddress();
  const customer = await insertUser(db, { userType: "customer", email });
  const as = await callerFor(customer.id);
  const own = await send({ customerEmail: email }, as.cookie);
  // Sent by a stranger with this address. The customer may not have sent it.
  await send({ customerEmail: email });
  const { requests } = await (await as("GET", "/api/my-requests")).json<MyRequestsAnswer>();
  expect(requests!.map(({ leadId }) => leadId)).toEqual([own]);
  expect((await as("POST", "/api/my-requests/request-links", { leadId: own })).status).toBe(200);
  const stranger = await callerFor((await insertUser(db, { userType: "customer", email: newAddress() })).id);
  expect((await stranger("POST", "/api/my-requests/request-links", { leadId: own })).status).toBe(404);
  const provider = await callerFor((await insertUser(db, { email: newAddress() })).id);
  expect(await (await provider("GET", "/api/my-requests")).json()).toEqual({ requests: null });
});

test("erasing a person deletes their links and lists", async () => {
  const email = newAddress();
  await send({ customerEmail: email });
  const list = await openList(await receiveLink(email));
  await erase({ email });
  expect(await db.select().from(oneTimeSecrets)).toEqual([]);
  expect(await read(list)).toBeNull();
  expect(JSON.stringify(await db.select().from(messages))).not.toContain(email);
});

test("an email that could not be sent goes out later with a working link", async () => {
  const email = newAddress();
  await send({ customerEmail: email });
  await db.delete(messages);
  await ask(mailbox({ isFailing: true }), email);
  const box = mailbox();
  await deliverMessages(Date.now() + 2 * MINUTE_MS, { ...testEnv, ...box.changed });
  const mail = box.sent.find(({ text }) => LINK.test(text));
  expect(await read(await openList(LINK.exec(mail!.text)![1]!))).toHaveLength(1);
});
