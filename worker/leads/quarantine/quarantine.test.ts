/** Suspicious requests are stored but not listed. Only an admin decides about them. */
import { DAY_MS } from "../../../contract/durations.ts";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { AdminLead } from "../../../contract/admin-leads.ts";
import type { LeadRequestInput } from "../../../contract/leads.ts";
import { customerUpdates, leads } from "../../tables.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { auditEntries, leadRow } from "../../../testing/facts.ts";
import { racing } from "../../../testing/faulty-db.ts";
import { changed, outcomeOf, read } from "../../../testing/customer-requests.ts";
import { openForm, requestLink, runSweeps } from "../../../testing/drivers.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { eventually } from "../../../testing/eventually.ts";
import {
  bookingRequest,
  insertFreeClaim,
  insertPendingLead,
  insertTeamMember,
  insertUser,
  PASSWORD,
  quoteRequest,
} from "../../../testing/world.ts";

const SCREENING_ON = {
  DUPLICATE_DAYS: "14",
  REQUESTS_PER_ADDRESS: "3",
  FASTEST_FORM_SECONDS: "3",
  ORIGIN_HASH_KEY: "a long random text for tests",
};

const admin = await insertUser(db, { isSuperAdmin: true });
const asAdmin = await callerFor(admin.id);
let streets = 0;

/** Returns a new request, unless the test overrides its fields. */
function freshRequest(overrides: Partial<LeadRequestInput> = {}): LeadRequestInput {
  streets += 1;
  return quoteRequest({ customerAddress: `${streets} Wattle Road, Leichhardt NSW 2040`, ...overrides });
}

let senders = 0;

/** Sends a request from a new network address, unless the test sets one. */
async function ask(request: object, from: Record<string, string> = {}, path = "/api/leads") {
  senders += 1;
  const headers = { "CF-Connecting-IP": `198.51.100.${senders}`, ...from };
  const response = await callWith(SCREENING_ON, "POST", path, { body: request, headers });
  expect(response.status).toBe(201);
  return { answer: (await response.json()) as { id: string }, keys: response.headers };
}

async function submit(request: object, headers?: Record<string, string>) {
  return leadRow((await ask(request, headers)).answer.id);
}

test("a duplicate request is stored and quarantined, and its sender gets the usual thank-you page", async () => {
  const request = freshRequest();
  const first = await ask(request);
  const second = await ask({ ...request, customerAddress: request.customerAddress.replace("Road", "Rd") });
  expect(Object.keys(second.answer)).toEqual(Object.keys(first.answer));
  const row = await leadRow(second.answer.id);
  expect(row).toMatchObject({ listingState: "quarantined", quarantineReasons: ["duplicate"] });
  await eventually(async () => {
    expect(await leadRow(first.answer.id)).toMatchObject({ listingState: "listed", quarantineReasons: [] });
  });
});

test("the same email address with another phone number is a duplicate", async () => {
  const request = freshRequest({ customerEmail: "twice@example.com" });
  await ask(request);
  const row = await submit({ ...request, customerPhone: "0491 570 156", customerEmail: "TWICE@example.com" });
  expect(row.quarantineReasons).toEqual(["duplicate"]);
});

test("a housemate at the same address who requests the same service is listed at once", async () => {
  const request = freshRequest();
  await ask(request);
  const mate = { customerPhone: "0491 570 159", customerEmail: "mate@example.com" };
  expect((await submit({ ...request, ...mate })).quarantineReasons).toEqual([]);
});

/** Signs in and out of a browser. Returns the cookie that it keeps. */
async function browserOf({ username }: { username: string }): Promise<string> {
  const response = await call("POST", "/api/auth/login", { body: { username, password: PASSWORD } });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .find((text) => text.startsWith("device="))!
    .split(";")[0]!;
}

test("a provider's own request is set aside, and its business cannot buy it", async () => {
  const owner = await insertUser(db, { phone: "0491 570 737" });
  const as = await callerFor(owner.id);
  const member = await insertTeamMember(db, owner, { phone: "0491 570 110", email: "Crew@example.com" });
  const asMember = await callerFor(member.id);
  for (const [reason, change, cookie] of [
    ["provider_session", {}, as.cookie],
    ["provider_session", {}, asMember.cookie],
    ["provider_device", {}, await browserOf(owner)],
    ["provider_device", {}, await browserOf(member)],
    ["provider_contact", { customerPhone: "+61 491 570 737" }, null],
    ["provider_contact", { customerPhone: "0491570110" }, null],
    ["provider_contact", { customerEmail: "crew@example.com" }, null],
  ] as const) {
    const row = await submit(freshRequest(change), cookie ? { Cookie: cookie } : {});
    expect(row).toMatchObject({ listingState: "quarantined", quarantineReasons: [reason] });
    const release = { revision: row.revision };
    expect((await asAdmin("POST", `/api/super-admin/leads/${row.id}/release`, release)).status).toBe(200);
    await eventually(async () => expect(await leadRow(row.id)).toMatchObject({ listingState: "listed" }));
    const buy = (by: typeof as) =>
      by("POST", `/api/leads/${row.id}/purchase`, bodyFor("POST /api/leads/:id/purchase"));
    expect(await (await buy(as)).json()).toMatchObject({ code: "own_request" });
    await insertFreeClaim(db, owner);
    const claimed = await as("POST", `/api/leads/${row.id}/claim-with-credit`);
    expect(await claimed.json()).toMatchObject({ code: "own_request" });
    expect((await buy(await callerFor((await insertUser(db)).id))).status).toBe(201);
  }
});

test("the sender's own business cannot buy a request that was passed on", async () => {
  const owner = await insertUser(db);
  const as = await callerFor(owner.id);
  const own = await submit(freshRequest(), { Cookie: await browserOf(owner) });
  const rescued = await submit(freshRequest());
  const { id: excludedBusinessId } = await insertUser(db);
  await db.update(leads).set({ rescuedFromId: own.id, excludedBusinessId }).where(eq(leads.id, rescued.id));
  const body = bodyFor("POST /api/leads/:id/purchase");
  const bought = await as("POST", `/api/leads/${rescued.id}/purchase`, body);
  expect(await bought.json()).toMatchObject({ code: "own_request" });
});

/** Returns a form start that was signed this many milliseconds ago. */
const startedBefore = (ms: number) => openForm(SCREENING_ON.ORIGIN_HASH_KEY, Date.now() - ms);

test("a form's start is signed and not stored", async () => {
  const answer = await callWith(SCREENING_ON, "GET", "/api/forms/start");
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
  const { startToken } = (await answer.json()) as { startToken: string };
  // No person fills in a form in the short time between the two calls.
  const row = await submit({ ...freshRequest(), startToken });
  expect(row).toMatchObject({ listingState: "quarantined", quarantineReasons: ["too_fast"] });
  expect(JSON.stringify(row)).not.toContain(startToken);
  expect((await callWith({}, "GET", "/api/forms/start")).status).toBe(204);
});

test("form starts are rate limited by network", async () => {
  const keys: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    keys.push(key);
    return { success: keys.filter((earlier) => earlier === key).length <= 2 };
  };
  const vars = { ...SCREENING_ON, START_PER_ADDRESS: { limit } };
  const ask = (address: string) =>
    callWith(vars, "GET", "/api/forms/start", { headers: { "CF-Connecting-IP": address } });
  const responses = [
    await ask("2001:db8:1:2::1"),
    await ask("2001:db8:1:2::2"),
    await ask("2001:db8:1:2::3"),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(keys.filter((key) => key === "2001:db8:1:2")).toHaveLength(3);
});

test("the time spent on a form comes from the signed start, not from the sender", async () => {
  const body = { ...freshRequest(), openMs: 90_000, startToken: await startedBefore(1_000) };
  expect((await submit(body)).quarantineReasons).toEqual(["too_fast"]);
});

test("only one of many concurrent requests can use a start, and a retry of that request still can", async () => {
  const startToken = await startedBefore(60_000);
  const requests = Array.from({ length: 6 }, () => ({
    ...freshRequest({ submissionId: crypto.randomUUID() }),
    startToken,
  }));
  const rows = await Promise.all(requests.map((request) => submit(request)));
  const found = rows.map((row) => row.quarantineReasons.join());
  expect(found.toSorted()).toEqual(["", ...Array.from({ length: 5 }, () => "start_reused")]);
  const winner = requests[found.indexOf("")]!;
  const again = await submit(winner);
  expect(again).toMatchObject({ id: rows[found.indexOf("")]!.id, quarantineReasons: [] });
});

test("too many requests from one IP address are quarantined, and the address is not stored", async () => {
  const headers = { "CF-Connecting-IP": "203.0.113.77" };
  const rows = [];
  for (let i = 0; i < 4; i++) rows.push(await submit(freshRequest(), headers));
  expect(rows.map((row) => row.quarantineReasons)).toEqual([[], [], [], ["many_from_address"]]);
  expect(JSON.stringify(rows)).not.toContain("203.0.113.77");
  expect(new Set(rows.map((row) => row.originKey)).size).toBe(1);
  expect((await submit(freshRequest(), { "CF-Connecting-IP": "203.0.113.78" })).quarantineReasons).toEqual(
    [],
  );
});

test("a garden booking is screened too, and an inspection does not become a lead", async () => {
  const booking = bookingRequest({ phone: "+999 1234 5679", suburbId: "sub_manly" });
  await ask(booking, {}, "/api/bookings");
  const rows = await db.select().from(leads).where(eq(leads.customerPhone, "+999 1234 5679"));
  expect(rows).toMatchObject([{ listingState: "quarantined", quarantineReasons: ["impossible_phone"] }]);
});

/** Releases a request as an admin read it. */
const release = ({ id, revision }: Pick<AdminLead, "id" | "revision">) =>
  asAdmin("POST", `/api/super-admin/leads/${id}/release`, { revision });

test("an admin releases only what they have read: a text that changed since needs another look", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000, ["link"]);
  const readLead = async () => {
    const list = await asAdmin("GET", `/api/super-admin/leads?q=${lead.id}`);
    return ((await list.json()) as AdminLead[])[0]!;
  };
  const seen = await readLead();
  const specificRequests = "Buy at https://win.example";
  const token = await requestLink(lead.id);
  expect(await changed(token, { specificRequests })).toBe("changed");
  expect((await read(token))!.steps, "the customer does not see the quarantine").toHaveLength(1);
  const refused = await release(seen);
  expect(await refused.json()).toMatchObject({
    status: 409,
    code: "lead_changed",
    detail: "This request has changed since you read it. Please read it again.",
  });
  expect(await leadRow(lead.id)).toMatchObject({ listingState: "quarantined", reviewedAt: null });
  const again = await readLead();
  expect(again).toMatchObject({ specificRequests });
  // A change is stored before it is written.
  const id = `pending_change_${lead.id}`;
  await db.insert(customerUpdates).values({ id, leadId: lead.id, kind: "pending_change", at: Date.now() });
  expect((await release(again)).status).toBe(409);
  await db.delete(customerUpdates).where(eq(customerUpdates.id, id));
  expect((await release(again)).status).toBe(200);
});

test("a change that races the release is checked like any other", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000, ["link"]);
  const token = await requestLink(lead.id);
  const { job } = (await read(token))!;
  const releasing = racing(`insert into "customer_updates"`, async () => {
    expect((await release(lead)).status).toBe(200);
  });
  const body = { token, ...job, specificRequests: "Buy at https://win.example" };
  const settings = { ...releasing, SUSPICION_POINTS: "1" };
  const answer = await callWith(settings, "POST", "/api/requests/change", { body });
  expect(await outcomeOf(answer)).toBe("call_us");
  expect(await leadRow(lead.id)).toMatchObject({ specificRequests: lead.specificRequests });
});

test("no sweep lists a quarantined request; an admin sees it and releases it once", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000, ["honeypot"]);
  await runSweeps();
  expect((await leadRow(lead.id)).listingState).toBe("quarantined");
  const list = await asAdmin("GET", "/api/super-admin/leads?state=quarantined");
  const seen = ((await list.json()) as AdminLead[]).find(({ id }) => id === lead.id);
  expect(seen).toMatchObject({ quarantineReasons: ["honeypot"], customerName: "Anna Brown" });

  expect((await release(seen!)).status).toBe(200);
  await eventually(async () => {
    expect(await leadRow(lead.id)).toMatchObject({ listingState: "listed", reviewedAt: expect.any(Number) });
  });
  // The lead's lifetime on the market starts with the release.
  expect((await leadRow(lead.id)).expiresAt).toBeGreaterThan(Date.now() + 13.9 * DAY_MS);
  const again = await release(seen!);
  expect(await again.json()).toMatchObject({ status: 409, code: "lead_changed" });
  const lines = await auditEntries(lead.id);
  const releases = lines.filter(({ action }) => action === "lead.release");
  expect(releases.map(({ actorUserId }) => actorUserId)).toEqual([admin.id]);
});

test("a dropped request stays stored and is never listed", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000, ["too_fast"]);
  const path = `/api/super-admin/leads/${lead.id}/drop`;
  expect((await asAdmin("POST", path, { reason: "A robot" })).status).toBe(200);
  await runSweeps();
  expect(await leadRow(lead.id)).toMatchObject({
    listingState: "closed",
    status: "withdrawn",
    withdrawnReason: "A robot",
    customerName: "Anna Brown",
  });
  expect((await release(lead)).status).toBe(409);
  const [line] = await auditEntries(lead.id);
  expect(line).toMatchObject({ action: "lead.drop", actorUserId: admin.id });
  expect(JSON.stringify(line)).not.toContain("robot");
});

test("when two admins decide at once, only one succeeds", async () => {
  const lead = await insertPendingLead(db, {}, Date.now(), ["duplicate"]);
  const responses = await Promise.all([
    release(lead),
    asAdmin("POST", `/api/super-admin/leads/${lead.id}/drop`, { reason: null }),
  ]);
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("a request that waits or was dropped makes no other a duplicate; one that an admin released does", async () => {
  const request = freshRequest();
  const junk = await submit({ ...request, homepage: "https://spam.example" });
  expect(
    (await asAdmin("POST", `/api/super-admin/leads/${junk.id}/drop`, { reason: "A robot" })).status,
  ).toBe(200);
  const waiting = await submit({ ...request, homepage: "https://spam.example" });
  expect(waiting.quarantineReasons).toEqual(["honeypot"]);
  expect((await submit(request)).quarantineReasons).toEqual([]);

  const other = freshRequest();
  await release(await submit({ ...other, homepage: "https://spam.example" }));
  expect((await submit(other)).quarantineReasons).toEqual(["duplicate"]);
});
