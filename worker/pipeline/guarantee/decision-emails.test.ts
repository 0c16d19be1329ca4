/** The emails and notifications that tell a business about decisions under the guarantee, through the front door. */
import { beforeEach, expect, test, vi } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { call, db, testEnv } from "../../../testing/client.ts";
import { leadRow, purchaseRow } from "../../../testing/facts.ts";
import { deliverMessages, requestLink, runSweep } from "../../../testing/drivers.ts";
import { insertClockedSale } from "../../../testing/clocked-sales.ts";
import { deliverAll, newRecipient, usePushStandIn } from "../../../testing/push.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { guaranteeCases, messages } from "../../tables.ts";

const service = usePushStandIn();
const NOW = Date.parse("2026-11-25T10:00:00+11:00");

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  for (const table of [messages, guaranteeCases]) await db.delete(table);
});

let people = 0;

/** Stores a provider with an email address. */
function insertBusiness() {
  people += 1;
  return insertProvider({ email: `pat.${people}@example.com`, firstName: "Pat" });
}
type Business = Pick<Awaited<ReturnType<typeof insertBusiness>>, "user" | "as">;

/** Stores an hour-old sale with a running call clock. */
async function sell({ user }: Business) {
  const purchasedAt = Date.now() - HOUR_MS;
  const purchaseId = await insertClockedSale(db, user, { purchasedAt, clockEndsAt: Date.now() + DAY_MS });
  const row = await purchaseRow(purchaseId);
  const { leadId } = row;
  return { purchaseId, leadId, token: await requestLink(leadId) };
}
type Sale = Awaited<ReturnType<typeof sell>>;

async function post(path: string, body: object) {
  const response = await call("POST", `/api/requests/${path}`, { body });
  expect(response.status, path).toBe(200);
}
const withdraw = ({ token }: Sale) => post("withdraw", { token });
const respond = ({ token }: Sale, answer: string) => post("call-answer", { token, answer });

/** Runs the sweep a minute later. */
function sweep() {
  vi.setSystemTime(Date.now() + MINUTE_MS);
  return runSweep("guarantee_sweep");
}

/** Sends what waits, and returns the emails to a business. */
async function mailsTo({ user }: Business) {
  const box = mailbox();
  await deliverMessages(Date.now(), { ...testEnv, ...box.changed, SITE_HOST: "naturestrip.example" });
  return box.sent.filter(({ to }) => to === user.email);
}

type Phone = Pick<Awaited<ReturnType<typeof newRecipient>>, "subscription">;

/** Sends what waits, and returns the notifications about free claims that a phone has received, oldest first. */
async function shownOn({ subscription }: Phone) {
  await deliverAll();
  const shown = service.deliveredTo(subscription).map(({ data }) => data.notification);
  return shown.filter(({ title }) => title?.includes("free claim"));
}
const titlesOn = async (phone: Phone) => (await shownOn(phone)).map(({ title }) => title);

async function answer({ purchaseId }: Sale, body: object) {
  const admin = await insertAdmin();
  const path = `/api/super-admin/guarantee/${purchaseId}/answer`;
  expect((await admin.asAdmin("POST", path, body)).status).toBe(200);
}

test("a granted claim, one over the cap, and an admin's decision about it reach the business", async () => {
  const business = await insertBusiness();
  const first = await sell(business);
  const second = await sell(business);
  await withdraw(first);
  await sweep();
  const [granted, ...more] = await mailsTo(business);
  expect(more).toEqual([]);
  expect(granted!.subject).toBe("You got a free claim");
  expect(granted!.text).toContain("Hello Pat,");
  expect(granted!.text).toContain("lawn mowing in Leichhardt 2040");
  expect(granted!.text).toContain("Withdrawn before you called: You got a free claim.");
  expect(granted!.text).toContain(`https://naturestrip.example/dashboard?tab=leads&lead=${first.purchaseId}`);
  expect(granted!.text).not.toContain("contest");
  await withdraw(second);
  await sweep();
  const [capped] = await mailsTo(business);
  expect(capped!.subject).toBe("Our team is looking at your free claim");
  expect(capped!.text).toContain("20% of your leads in 90 days");
  await sweep();
  expect(await mailsTo(business), "one email for each decision").toEqual([]);
  await answer(second, { decision: "refused", answer: "Two are enough." });
  const [refused] = await mailsTo(business);
  expect(refused!.subject).toBe("No free claim for your lead");
  expect(refused!.text).toContain("No free claim. Two are enough.");
  expect(refused!.text).toContain("You can contest this once.");
});

test("a refusal by the customer's word, and the decision after a contest, reach the business", async () => {
  const business = await insertBusiness();
  const sale = await sell(business);
  for (const hours of [0, 24, 48]) {
    vi.setSystemTime(NOW + hours * HOUR_MS);
    const body = { outcome: "no_answer", entryKey: crypto.randomUUID(), at: Date.now() };
    const path = `/api/lead-purchases/${sale.purchaseId}/contacts`;
    expect((await business.as("POST", path, body)).status).toBe(200);
  }
  expect(await mailsTo(business), "nothing is decided yet").toEqual([]);
  await post("guarantee", { token: sale.token, answer: "not_missed" });
  const [refused] = await mailsTo(business);
  expect(refused!.subject).toBe("No free claim for your lead");
  expect(refused!.text).toContain(
    "No answer to your calls: No free claim. The customer says that isn't what happened",
  );
  const path = `/api/lead-purchases/${sale.purchaseId}/contest`;
  expect((await business.as("POST", path, { note: "I have the call records" })).status).toBe(200);
  expect(await mailsTo(business), "the business contested it itself").toEqual([]);
  vi.setSystemTime(Date.now() + MINUTE_MS);
  await answer(sale, { decision: "granted", answer: "They show three calls." });
  const [granted] = await mailsTo(business);
  expect(granted!.subject).toBe("You got a free claim");
  expect(granted!.text).toContain("You got a free claim. They show three calls.");
});

test("the business learns that we took a free claim back, and gets no email that is no longer true", async () => {
  const business = await insertBusiness();
  const sale = await sell(business);
  await respond(sale, "never_asked");
  await sweep();
  await respond(sale, "not_yet");
  await sweep();
  // Both emails wait, and only the second is still true.
  const [revoked, ...more] = await mailsTo(business);
  expect(more).toEqual([]);
  expect(revoked!.subject).toBe("We've taken back a free claim");
  expect(revoked!.text).toContain("You can contest this once.");
});

test.each([
  ["granted", "You got a free claim", "You got a free claim. We agree."],
  ["refused", "No free claim for your lead", "Declined. We agree."],
] as const)("the business learns that its bad-lead report is %s", async (decision, subject, text) => {
  const business = await insertBusiness();
  const sale = await sell(business);
  const reported = await business.as("POST", `/api/lead-purchases/${sale.purchaseId}/bad-lead`, {
    reason: "fake",
  });
  const { id } = await reported.json<{ id: string }>();
  const admin = await insertAdmin();
  const body = { decision, answer: "We agree." };
  expect((await admin.asAdmin("POST", `/api/super-admin/bad-leads/${id}/answer`, body)).status).toBe(200);
  const [mail, ...more] = await mailsTo(business);
  expect(more).toEqual([]);
  expect(mail!.subject).toBe(subject);
  expect(mail!.text).toContain(`Bad-lead report: ${text}`);
});

test("each decision reaches the owner's phone, and opens the lead", async () => {
  const business = await newRecipient(service);
  const [first, second] = [await sell(business), await sell(business)];
  await respond(first, "never_asked");
  await sweep();
  const [granted] = await shownOn(business);
  expect(granted).toMatchObject({
    title: "You got a free claim",
    body: "Leichhardt 2040 · Lawn mowing",
    navigate: expect.stringContaining(`/dashboard?tab=leads&lead=${first.purchaseId}`),
  });
  await withdraw(second);
  await sweep();
  await titlesOn(business);
  vi.setSystemTime(Date.now() + MINUTE_MS);
  await answer(second, { decision: "refused", answer: "Two are enough." });
  await titlesOn(business);
  await respond(first, "not_yet");
  await sweep();
  expect(await titlesOn(business)).toEqual([
    "You got a free claim",
    "Our team is looking at your free claim",
    "No free claim for your lead",
    "We've taken back a free claim",
  ]);
});

test("during quiet hours a decision waits, and the phone shows only the last one", async () => {
  vi.setSystemTime(Date.parse("2026-11-25T15:00:00+11:00"));
  const business = await newRecipient(service, {}, { startsAt: "15:00", endsAt: "07:00" });
  const sale = await sell(business);
  await respond(sale, "never_asked");
  await sweep();
  expect(await titlesOn(business)).toEqual([]);
  await respond(sale, "not_yet");
  await sweep();
  expect(await titlesOn(business)).toEqual([]);
  vi.setSystemTime(Date.parse("2026-11-26T07:01:00+11:00"));
  expect(await titlesOn(business)).toEqual(["We've taken back a free claim"]);
});

test("a customer's deletion before any call gives a free claim, and the phone shows it without the customer", async () => {
  const business = await newRecipient(service);
  const sale = await sell(business);
  const lead = await leadRow(sale.leadId);
  await post("erase", { token: sale.token, lastDigits: lead.customerPhone.replaceAll(/\D/g, "").slice(-4) });
  await sweep();
  const shown = await shownOn(business);
  expect(shown.map(({ title }) => title)).toEqual(["You got a free claim"]);
  expect(JSON.stringify(shown)).not.toContain(lead.customerName);
});
