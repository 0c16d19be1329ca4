/** Visitors and account owners get one email about their own request or account. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { describeLegalEntity } from "../../contract/legal-entity.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { buyer } from "../../testing/cards.ts";
import { call, callerFor, callWith, db, testEnv, testContext } from "../../testing/client.ts";
import { setLead } from "../../testing/facts.ts";
import {
  deliverMessages,
  erase,
  listed,
  putOnMarket,
  recordDecision,
  runSweep,
} from "../../testing/drivers.ts";
import { ERASED_CUSTOMER, ERASED_EMAIL, tracesIn } from "../../testing/erased-customer.ts";
import { mailbox } from "../../testing/stand-ins/mailbox.ts";
import { bookingRequest, insertPendingLead, insertReview, insertUser } from "../../testing/world.ts";
import { messageChannels, messages, providerChecks } from "../tables.ts";
import type { Bindings } from "../platform/env.ts";

beforeEach(async () => {
  await db.delete(messages);
  await db.delete(messageChannels);
});

type Box = ReturnType<typeof mailbox>;
const envOf = ({ changed }: Box): Bindings => ({ ...testEnv, ...changed });
const sendAll = (box: Box, now = Date.now()) => deliverMessages(now, envOf(box));
const subjects = ({ sent }: Box) => sent.map(({ subject }) => subject);

/** Lists a request of the customer whom tests erase. */
const requested = (overrides: Parameters<typeof listed>[0] = {}) =>
  listed({ ...ERASED_CUSTOMER, ...overrides });

async function buy(leadId: string, company = "Green & Sons <Lawns>") {
  const rival = await buyer({ companyName: company });
  await buyAs(rival.as, leadId);
}

/** Buys a lead. Returns the purchase's ID. */
async function buyAs(as: Awaited<ReturnType<typeof buyer>>["as"], leadId: string): Promise<string> {
  const bought = await as("POST", `/api/leads/${leadId}/purchase`, bodyFor("POST /api/leads/:id/purchase"));
  expect(bought.status).toBe(201);
  return (await bought.json<{ id: string }>()).id;
}

test("a visitor gets emails when their request is listed and bought, without any typed text", async () => {
  const box = mailbox();
  const lead = await requested();
  await sendAll(box);
  expect(box.sent).toMatchObject([
    { to: ERASED_EMAIL, subject: expect.stringMatching(/^We've got your request for .+ in Leichhardt/) },
  ]);
  await buy(lead.id);
  await sendAll(box);
  expect(subjects(box)[1]).toBe("Green & Sons <Lawns> has taken your request");
  expect(box.sent[1]!.html).toContain("Green &amp; Sons &lt;Lawns&gt;");
  expect(box.sent[1]!.html).not.toMatch(/<img|src=|<script|Lawns>/);
  for (const { text, html, to: _, ...rest } of box.sent) {
    expect(tracesIn(text + html + JSON.stringify(rest))).toEqual([]);
    expect(text).toContain(
      `Naturestrip\n1800 975 711\nhello@naturestrip.example\n${describeLegalEntity(testContext.settings.legalEntity)}`,
    );
  }
  // Repeats send no second email.
  await putOnMarket(lead);
  await sendAll(box);
  expect(box.sent).toHaveLength(2);
});

test("a provider's name written from right to left is isolated in the subject and the text", async () => {
  const box = mailbox();
  const lead = await requested();
  await sendAll(box);
  await buy(lead.id, "حدائق محمد");
  await sendAll(box);
  expect(subjects(box)[1]).toBe("\u2068حدائق محمد\u2069 has taken your request");
  expect(box.sent[1]!.text).toContain("\u2068حدائق محمد\u2069 has taken");
});

test("a name with contact details or line breaks does not reach the customer's email", async () => {
  const box = mailbox();
  for (const [company, subject] of [
    ["Refunds call 0900 111 222 evil.example", "Pat has taken your request"],
    ["Green\u202E\r\nLawns", "Green Lawns has taken your request"],
  ] as const) {
    const lead = await requested();
    await buy(lead.id, company);
    await sendAll(box);
    expect(subjects(box)).toContain(subject);
  }
  expect(JSON.stringify(box.sent)).not.toMatch(/0900|evil\.example/);
});

test("a quarantined request, or one that is gone before its email, sends nothing", async () => {
  const box = mailbox();
  const kept = await insertPendingLead(db, ERASED_CUSTOMER);
  await setLead(kept.id, { listingState: "quarantined" });
  const gone = await requested();
  await setLead(gone.id, { status: "withdrawn" });
  await insertPendingLead(db, { ...ERASED_CUSTOMER, customerEmail: null }).then((lead) => putOnMarket(lead));
  await sendAll(box);
  expect(box.sent).toEqual([]);
});

test("the visitor of a withdrawn or expired request gets an email about what to do", async () => {
  const box = mailbox();
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const withdrawn = await requested();
  await sendAll(box);
  const path = `/api/super-admin/leads/${withdrawn.id}/withdraw`;
  expect((await admin("POST", path, { reason: "Marta Quillfeather asked" })).status).toBe(200);
  const expired = await requested();
  const { generation, priceCents, expiresAt } = expired;
  const terms = { leadId: expired.id, generation, priceCents, expiresAt };
  const word = { ...terms, version: 9, state: "expired", sale: null, departure: null };
  for (let i = 0; i < 2; i++) await recordDecision(word as never);
  await sendAll(box);
  expect(subjects(box).slice(1).toSorted()).toEqual([
    expect.stringMatching(/^No provider has taken your request/),
    expect.stringMatching(/^Your request for .+ is off our list$/),
  ]);
  for (const { text } of box.sent) expect(tracesIn(text)).toEqual([]);
});

const book = async (overrides: object = {}) => {
  const inspection = { serviceType: "pink_slip_inspection", suburbId: "sub_parramatta" };
  const person = { email: ERASED_EMAIL, vehicle: "Toyota Corolla 2015" };
  const body = { ...bookingRequest(), ...inspection, ...person, ...overrides };
  const response = await call("POST", "/api/bookings", { body });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: string; reference: string };
};

test("an inspection booking sends one confirmation with its reference and no typed text", async () => {
  const box = mailbox();
  const submissionId = crypto.randomUUID();
  const { reference } = await book({ submissionId });
  expect((await book({ submissionId })).reference).toBe(reference);
  await sendAll(box);
  expect(box.sent).toMatchObject([
    { to: ERASED_EMAIL, subject: "We've got your booking for a pink slip inspection in Parramatta 2150" },
  ]);
  const { text, html } = box.sent[0]!;
  expect(text).toContain(`Your reference is ${reference}.`);
  expect(text + html).not.toContain("Corolla");
});

test("an inspection booked by a bot or by an erased visitor sends nothing", async () => {
  const box = mailbox();
  await book({ homepage: "https://spam.example" });
  expect(await db.$count(messages)).toBe(0);
  await book();
  await erase({ email: ERASED_EMAIL });
  expect(await db.$count(messages)).toBe(0);
  await sendAll(box);
  expect(box.sent).toEqual([]);
});

test("strangers can trigger at most five emails a day about requests to one mailbox, whatever the plus tag and Gmail's dots", async () => {
  const box = mailbox();
  const spellings = ["jo.citizen+1@gmail.com", "J.o.citizen@googlemail.com", "jocitizen+x+y@gmail.com"];
  for (const [i, customerEmail] of [...spellings, ...spellings].entries())
    await requested({ customerEmail, customerAddress: `${i + 1} Norton Street, Leichhardt NSW 2040` });
  const lead = await requested({ customerEmail: "jo.citizen@gmail.com" });
  await sendAll(box);
  expect(box.sent, "of one kind").toHaveLength(3);
  for (let i = 0; i < 3; i++) await book({ email: `jo.citi.zen+${i}@gmail.com` });
  await sendAll(box);
  expect(box.sent).toHaveLength(5);
  await buy(lead.id);
  await sendAll(box);
  expect(subjects(box)[5], "a provider's act is news").toMatch(/ has taken your request$/);
  box.sent.pop();
  await requested({ customerEmail: "jo.citizen@example.com" });
  await requested({ customerEmail: "jocitizen@example.com" });
  await sendAll(box);
  expect(box.sent, "dots matter elsewhere").toHaveLength(7);
});

test("a failed email is retried with backoff, and a permanently refused one is not", async () => {
  const brokenMail = mailbox({ isFailing: true });
  const box = mailbox();
  await requested();
  const start = Date.now();
  expect(await sendAll(brokenMail, start)).toMatchObject({ waiting: 1 });
  expect(await sendAll(box, start + 5_000)).not.toHaveProperty("sent");
  expect(await sendAll(box, start + MINUTE_MS)).toMatchObject({ sent: 1 });
  await requested();
  const suppressed = Object.assign(new Error("suppressed"), { code: "E_RECIPIENT_SUPPRESSED" });
  const env = { ...envOf(box), EMAIL: { send: () => Promise.reject(suppressed) } } as unknown as Bindings;
  expect(await deliverMessages(Date.now(), env)).toMatchObject({ failed: 1 });
  expect(await sendAll(box, Date.now() + HOUR_MS)).not.toHaveProperty("sent");
});

test("a crashed run's emails are sent after the lease, and two concurrent runs send once", async () => {
  const box = mailbox();
  await requested();
  const start = Date.now();
  // Leased by a worker that crashed.
  await db.update(messages).set({ attempts: 1, due: start + 2 * MINUTE_MS });
  await sendAll(box, start);
  expect(box.sent).toEqual([]);
  await Promise.all([sendAll(box, start + 3 * MINUTE_MS), sendAll(box, start + 3 * MINUTE_MS)]);
  expect(box.sent).toHaveLength(1);
});

test("when the service accepts no more emails, the rest waits without further calls", async () => {
  let asked = 0;
  const busy = Object.assign(new Error("daily limit"), { code: "E_DAILY_LIMIT_EXCEEDED" });
  const send = () => {
    asked += 1;
    return Promise.reject(busy);
  };
  for (let i = 1; i <= 8; i++) await requested({ customerEmail: `visitor${i}@example.com` });
  const env = { ...envOf(mailbox()), EMAIL: { send } } as unknown as Bindings;
  expect(await deliverMessages(Date.now(), env)).toMatchObject({ waiting: 8 });
  expect(asked, "one group").toBeLessThanOrEqual(6);
});

test("a channel that is off sends nothing, and its late messages expire", async () => {
  const box = mailbox();
  await db.insert(messageChannels).values({ channel: "email", isOn: false, mostADay: 9 });
  await requested();
  await sendAll(box);
  expect(await db.select().from(messages)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  await runSweep("message_sweep", Date.now() + DAY_MS, envOf(box));
  expect(await db.select().from(messages)).toMatchObject([{ state: "expired" }]);
  expect(box.sent).toEqual([]);
});

test("a password link that the service refused goes out with the next run, and no row contains one", async () => {
  const user = await insertUser(db, { email: "later@example.com" });
  const ask = { body: { username: user.username } };
  await callWith(mailbox({ isFailing: true }).changed, "POST", "/api/auth/forgot-password", ask);
  const [row] = await db.select().from(messages);
  expect(row).toMatchObject({ template: "password_link", state: "waiting", recipient: "later@example.com" });
  expect(Object.keys(row!.payload).toSorted()).toEqual(["linkId", "origin"]);
  const box = mailbox();
  await sendAll(box, Date.now() + MINUTE_MS);
  const token = /\/reset-password\/([\w-]{43})/.exec(box.sent[0]!.text)![1]!;
  expect(JSON.stringify(await db.select().from(messages))).not.toContain(token);
  const newPassword = "chosen by link";
  const body = { token, newPassword, confirmPassword: newPassword };
  expect((await callWith({}, "POST", "/api/auth/reset-password", { body })).status).toBe(200);
});

test("an erased person gets no more emails, and no row contains their address", async () => {
  const box = mailbox();
  await requested();
  await insertUser(db, { email: "holder@example.com" });
  expect(tracesIn(JSON.stringify(await db.select().from(messages)))).not.toEqual([]);
  await erase({ email: ERASED_EMAIL });
  expect(await db.$count(messages)).toBe(0);
  await sendAll(box);
  expect(box.sent).toEqual([]);
});

test("the email about a taken request has the provider's number, rating and checks, and by when they call", async () => {
  onTestFinished(() => void vi.useRealTimers());
  // A Saturday. Two of the four hours count on that day, and two on Sunday.
  vi.useFakeTimers({ now: Date.parse("2026-11-21T18:00:00+11:00"), toFake: ["Date"] });
  const box = mailbox();
  const { as, user } = await buyer({ companyName: "Green & Sons", phone: "02 5550 4321" });
  const takenBy = async () => {
    const lead = await requested({ urgency: "urgent", customerEmail: "sam@example.com" });
    const purchaseId = await buyAs(as, lead.id);
    await sendAll(box);
    return { purchaseId, text: box.sent.at(-1)!.text };
  };
  const first = await takenBy();
  expect(first.text).toContain("They'll call you by Sunday 9:00 am, and the two of you");
  expect(first.text).toContain("Their number is 02 5550 4321.");
  expect(first.text).not.toMatch(/out of 5|reviews|What we know/);
  await insertReview(db, first.purchaseId, { stars: 4 });
  const seen = { state: "valid", seenOn: "2026-11-03", createdAt: Date.now() } as const;
  await db.insert(providerChecks).values({ ...seen, id: "chk_taken", businessId: user.id, kind: "abn" });
  const second = await takenBy();
  expect(second.text).toContain("- 4.0 out of 5 from one review\n- ABN: checked on 3 November 2026");
});
