/** Tests that a customer's reply to a text message reaches only the business that bought the request. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { insertAdmin, startImpersonation } from "../../../testing/admins.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { buyer } from "../../../testing/cards.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { purchaseRow, setLead, setPurchase } from "../../../testing/facts.ts";
import { deliverMessages, erase, listed, runSweep } from "../../../testing/drivers.ts";
import { ERASED_CUSTOMER, tracesIn } from "../../../testing/erased-customer.ts";
import { dumpD1 } from "../../../testing/operator.ts";
import { allowNotifications, usePushStandIn, deliverAll, messagesFor } from "../../../testing/push.ts";
import { useSmsStandIn, smsEnv, enableTexts, SMS_SETTINGS } from "../../../testing/sms.ts";
import { openSocket } from "../../../testing/sockets.ts";
import { insertPendingLead, insertTeamMember, insertUser } from "../../../testing/world.ts";
import { customerAnswers, messageChannels, messages, pushDevices, messageStops } from "../../tables.ts";

const gateway = useSmsStandIn();
const service = usePushStandIn();
const NOON = Date.parse("2026-11-23T12:00:00+11:00");
const NUMBER = "61491570158";

beforeEach(async () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  for (const table of [customerAnswers, messages, messageChannels, messageStops, pushDevices])
    await db.delete(table);
  gateway.sent.length = 0;
  service.delivered.length = 0;
  await enableTexts();
});

/** Returns a sold request whose visitor received a text about it. */
async function textedRequest(
  request: Parameters<typeof insertPendingLead>[1] = {},
  pat: Awaited<ReturnType<typeof buyer>> | null = null,
) {
  const lead = await listed({ customerPhone: "0491 570 158", customerEmail: "", ...request });
  const by = pat ?? (await buyer({ companyName: "Green Thumbs" }));
  const bought = await by.as(
    "POST",
    `/api/leads/${lead.id}/purchase`,
    bodyFor("POST /api/leads/:id/purchase"),
  );
  const { id: purchaseId } = (await bought.json()) as { id: string };
  await deliverMessages(Date.now(), smsEnv);
  return { ...by, lead, purchaseId, textId: gateway.sent.at(-1)!.custom_ref };
}
type TextedRequest = Awaited<ReturnType<typeof textedRequest>>;

let noticeCount = 0;
/** Returns a reply from the gateway, received one second after the previous reply. */
function reply(message: string, more: Record<string, unknown> = {}) {
  noticeCount += 1;
  const body = {
    to: "61491570157",
    sender: NUMBER,
    message,
    received_at: new Date(NOON + noticeCount * 1_000).toISOString().slice(0, 19).replace("T", " "),
    type: "inbound",
    original_message_id: "",
    original_custom_ref: "",
    ...more,
  };
  return { body, send: () => postWebhook(body) };
}

async function postWebhook(body: unknown): Promise<void> {
  const path = `/api/sms/webhook/${SMS_SETTINGS.SMS_WEBHOOK_SECRET}`;
  // With a host, texts have links.
  const settings = { ...SMS_SETTINGS, SITE_HOST: "localhost:8787" };
  expect((await callWith(settings, "POST", path, { body })).status).toBe(200);
}
const answer = (message: string, more?: Record<string, unknown>) => reply(message, more).send();

type Detail = {
  answeredAt: number | null;
  answersSeenAt: number | null;
  answers: { id: string; at: number; words: string }[];
};
const detailOf = async ({ as, purchaseId }: Pick<TextedRequest, "as" | "purchaseId">) =>
  (await (await as("GET", `/api/lead-purchases/${purchaseId}`)).json()) as Detail;
const wordsTo = async (texted: TextedRequest) => (await detailOf(texted)).answers.map(({ words }) => words);
const rowOf = ({ purchaseId }: TextedRequest) => purchaseRow(purchaseId);
const countStored = () => db.$count(customerAnswers);

/** Impersonates a user as an admin. @returns the session's cookie */
async function impersonate(targetUserId: string): Promise<string> {
  const { asAdmin } = await insertAdmin();
  return startImpersonation(asAdmin.cookie, targetUserId);
}

/** Captures log lines. A reply that matches no business is logged. */
function captureLogs(): string[] {
  const lines: string[] = [];
  for (const level of ["log", "info", "warn"] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(String(line)));
    onTestFinished(() => spy.mockRestore());
  }
  return lines;
}
const unmatchedIn = (lines: string[]) => lines.filter((line) => line.includes("text_answer_unplaced"));

test("a customer's replies reach the buyer of the request, their team and their windows, newest first", async () => {
  const pat = await textedRequest();
  const { socket, frame } = await openSocket("/api/business/live", pat.as.cookie);
  onTestFinished(() => socket.close());
  await frame(0);
  await answer("Can you come on Friday?");
  expect(await frame(1)).toMatchObject({
    type: "purchase_changed",
    purchaseId: pat.purchaseId,
    isAnswer: true,
  });
  await answer("The gate is open.\nCall 0491 570 158", { original_custom_ref: pat.textId });
  expect(await wordsTo(pat)).toEqual(["The gate is open.\nCall 0491 570 158", "Can you come on Friday?"]);
  const member = await callerFor((await insertTeamMember(db, pat.user)).id);
  expect(await wordsTo({ ...pat, as: member as typeof pat.as })).toHaveLength(2);
  const stranger = await callerFor((await insertUser(db)).id);
  expect((await stranger("GET", `/api/lead-purchases/${pat.purchaseId}`)).status).toBe(404);
  const changes = await pat.as("GET", `/api/pipeline/changes?since=${NOON}`);
  expect(await changes.json()).toMatchObject({
    items: [{ id: pat.purchaseId, answeredAt: expect.any(Number), answersSeenAt: null }],
  });
});

test("the gateway's text ID identifies the request; without one it is the newest text that reached the number", async () => {
  const first = await textedRequest();
  vi.setSystemTime(NOON + HOUR_MS);
  const second = await textedRequest({ customerAddress: "8 Norton Street, Leichhardt NSW 2040" });
  await answer("To the first", { original_custom_ref: first.textId });
  await answer("To the newest");
  expect(await wordsTo(first)).toEqual(["To the first"]);
  expect(await wordsTo(second)).toEqual(["To the newest"]);
  // A reply does not refer to an undelivered text, unless the gateway reports that text's ID.
  await db.update(messages).set({ state: "failed" }).where(eq(messages.id, second.textId));
  await answer("The one I got");
  expect(await wordsTo(first)).toEqual(["The one I got", "To the first"]);
  await answer("That very one", { original_custom_ref: second.textId });
  expect(await wordsTo(second)).toEqual(["That very one", "To the newest"]);
});

test("row 50: a reply without a request is not stored, and is counted without text or number", async () => {
  const pat = await textedRequest();
  const lines = captureLogs();
  await answer("From someone else", { sender: "61491570159" });
  await answer("To another's text", { original_custom_ref: "msg_of_nobody" });
  await answer("Their text, another phone", { sender: "61491570159", original_custom_ref: pat.textId });
  vi.setSystemTime(NOON + 7 * DAY_MS + 1);
  await answer("Too late");
  expect(await countStored()).toBe(0);
  expect(unmatchedIn(lines)).toHaveLength(4);
  expect(unmatchedIn(lines).join()).not.toMatch(/49157|somebody|Their|late"/);
});

test("row 50: repeated gateway calls store nothing new, however many arrive at once", async () => {
  const pat = await textedRequest();
  const lines = captureLogs();
  const { body, send } = reply("Yes please");
  await Promise.all([send(), send(), postWebhook(structuredClone(body))]);
  const before = await rowOf(pat);
  await send();
  expect(await wordsTo(pat)).toEqual(["Yes please"]);
  expect(await rowOf(pat)).toEqual(before);
  expect(unmatchedIn(lines)).toEqual([]);
});

test("row 50: twenty replies per purchase and day are stored", async () => {
  const pat = await textedRequest();
  for (let i = 1; i <= 20; i++) await answer(`Number ${i}`);
  const lines = captureLogs();
  await answer("Number 21");
  expect(await wordsTo(pat)).toHaveLength(20);
  expect(await wordsTo(pat)).not.toContain("Number 21");
  expect(unmatchedIn(lines)).toHaveLength(1);
  vi.setSystemTime(NOON + DAY_MS + MINUTE_MS);
  await answer("The next day");
  expect((await wordsTo(pat))[0]).toBe("The next day");
});

test("STOP unsubscribes and is not shown; a longer reply with the word goes to the provider", async () => {
  const pat = await textedRequest();
  await answer("STOP");
  expect(await countStored()).toBe(0);
  expect(await db.$count(messageStops)).toBe(1);
  await db.delete(messageStops);
  for (const words of ["End of the week suits me", "Cancel my request please, I found someone"]) {
    await answer(words);
    expect((await wordsTo(pat))[0]).toBe(words);
  }
  expect(await db.$count(messageStops)).toBe(0);
  await answer("Please stop");
  expect(await db.$count(messageStops)).toBe(1);
  // A customer who unsubscribed from texts can still reach the provider.
  await answer("But thanks for asking");
  expect(await wordsTo(pat)).toHaveLength(3);
});

test('a yes or no to "Has your provider called?" answers the question; any other reply goes to the provider', async () => {
  const pat = await textedRequest({ urgency: "urgent" });
  const answerOf = async () => (await rowOf(pat)).callClock?.answer;
  await answer("No");
  expect(await answerOf(), "a reply to the text about the sale").toBeUndefined();
  expect(await wordsTo(pat)).toEqual(["No"]);
  vi.setSystemTime(NOON + 3 * HOUR_MS);
  await runSweep("call_clock_sweep");
  await deliverMessages(Date.now(), { ...smsEnv, SITE_HOST: "naturestrip.example" });
  expect(gateway.sent.at(-1)!.message).toContain("called you yet?");
  await answer("No idea, sorry");
  expect(await answerOf()).toBeUndefined();
  await answer("No, he never called");
  expect(await answerOf()).toBe("not_yet");
  await answer("Yep!", { original_custom_ref: gateway.sent.at(-1)!.custom_ref });
  expect(await answerOf()).toBe("called");
  expect(await wordsTo(pat)).toEqual(["No idea, sorry", "No"]);
  // The number was corrected, so another person got the text.
  await setLead(pat.lead.id, { phoneKey: "61491570159" });
  await answer("No");
  expect(await answerOf()).toBe("called");
});

test("an unclear reply to the question gets the link once, and an automatic reply to that gets nothing", async () => {
  const site = { ...smsEnv, SITE_HOST: "localhost:8787" };
  const pat = await textedRequest({ urgency: "urgent" });
  vi.setSystemTime(NOON + 3 * HOUR_MS);
  await runSweep("call_clock_sweep");
  await deliverMessages(Date.now(), site);
  const asked = gateway.sent.length;
  const sorry = "Sorry, I can't talk right now.";
  for (let i = 0; i < 3; i++) {
    await answer(sorry, { original_custom_ref: gateway.sent.at(-1)!.custom_ref });
    await deliverMessages(Date.now(), site);
  }
  expect(gateway.sent).toHaveLength(asked + 1);
  expect(gateway.sent.at(-1)!.message).toMatch(
    /Was that a yes or a no\? Tell us: http:\S+\/request\/\S+\. STOP/,
  );
  expect(await wordsTo(pat)).toHaveLength(3);
  await answer("nah", { original_custom_ref: gateway.sent.at(-1)!.custom_ref });
  expect((await rowOf(pat)).callClock?.answer).toBe("not_yet");
});

test("row 50: a removed purchase loses its replies, and gets no more", async () => {
  const pat = await textedRequest();
  await answer("Hello?");
  const { asAdmin } = await insertAdmin();
  expect((await asAdmin("DELETE", `/api/lead-purchases/${pat.purchaseId}`)).status).toBe(204);
  const lines = captureLogs();
  await answer("Anybody there?");
  expect(await countStored()).toBe(0);
  expect(unmatchedIn(lines)).toHaveLength(1);
});

test("row 50: a reply goes to the lead's current buyer, and to no one after the number was corrected", async () => {
  const pat = await textedRequest();
  const { asAdmin } = await insertAdmin();
  await asAdmin("DELETE", `/api/lead-purchases/${pat.purchaseId}`);
  const jo = await buyer();
  const { purchaseId: other } = await textedRequest({ customerPhone: "0491 570 159" }, jo);
  await setPurchase(other, { leadId: pat.lead.id });
  await answer("Who has it now?", { original_custom_ref: pat.textId });
  const [row] = await db.select().from(customerAnswers);
  expect(row).toMatchObject({ purchaseId: other });
  await setLead(pat.lead.id, { phoneKey: "+61491570110" });
  await answer("Wrong number", { original_custom_ref: pat.textId });
  expect(await countStored()).toBe(1);
});

test("an erased person's replies are deleted, and later ones are not stored", async () => {
  const pat = await textedRequest({ ...ERASED_CUSTOMER, customerEmail: "" });
  await allowNotifications(pat.as.cookie, await service.subscribe());
  const sender = "61491571266";
  await answer("Marta Quillfeather here, 0491 571 266, quokkaword", { sender });
  expect(await countStored()).toBe(1);
  expect(
    tracesIn(JSON.stringify(await db.select().from(messages).where(eq(messages.channel, "push")))),
  ).toEqual([]);
  await erase({ phone: ERASED_CUSTOMER.customerPhone }, NOON, smsEnv);
  expect(tracesIn(await dumpD1())).toEqual([]);
  expect(await rowOf(pat)).toMatchObject({ answeredAt: null, answersSeenAt: null });
  await answer("Marta again", { sender });
  expect(tracesIn(await dumpD1())).toEqual([]);
});

test("an erased provider has no replies left", async () => {
  const pat = await textedRequest();
  await answer("For you alone");
  await erase({ username: pat.user.username }, NOON);
  expect(await countStored()).toBe(0);
  expect(await rowOf(pat)).toMatchObject({ answeredAt: null });
  const lines = captureLogs();
  await answer("Are you still coming?", { original_custom_ref: pat.textId });
  expect(await countStored()).toBe(0);
  expect(await rowOf(pat)).toMatchObject({ answeredAt: null });
  expect(unmatchedIn(lines)).toHaveLength(1);
});

test("the mark stays until a user of the business has read the newest reply; an impersonating admin does not count", async () => {
  const pat = await textedRequest();
  const markSeen = (as: typeof pat.as, upTo: number) =>
    as("POST", `/api/lead-purchases/${pat.purchaseId}/answers-seen`, { upTo });
  await answer("One");
  const { answeredAt: first } = await detailOf(pat);
  await answer("Two");
  const two = await detailOf(pat);
  expect(two.answeredAt).toBe(two.answers[0]!.at);
  expect(two.answeredAt).toBeGreaterThan(first!);
  // A later answer is not marked as seen, and a time without an answer is not stored.
  await markSeen(pat.as, first!);
  expect(await detailOf(pat)).toMatchObject({ answersSeenAt: first });
  await markSeen(pat.as, two.answeredAt! + 7);
  expect(await detailOf(pat)).toMatchObject({ answersSeenAt: first });
  const cookie = await impersonate(pat.user.id);
  const path = `/api/lead-purchases/${pat.purchaseId}/answers-seen`;
  const response = await call("POST", path, { cookie, body: { upTo: two.answeredAt } });
  expect(response.status).toBe(200);
  expect(await detailOf(pat)).toMatchObject({ answersSeenAt: first });
  const member = await callerFor((await insertTeamMember(db, pat.user)).id);
  const { socket, frame } = await openSocket("/api/business/live", pat.as.cookie);
  await frame(0);
  const answered = await markSeen(member as typeof pat.as, two.answeredAt!);
  expect(await answered.json()).toMatchObject({ answersSeenAt: two.answeredAt });
  expect(await frame(1)).toMatchObject({ type: "purchase_changed", purchaseId: pat.purchaseId });
  socket.close();
  const { updatedAt } = await rowOf(pat);
  await markSeen(pat.as, first!);
  expect(await rowOf(pat)).toMatchObject({ answersSeenAt: two.answeredAt, updatedAt });
});

/** Like `textedRequest`, and the owner has a phone with notifications. */
async function withPhone(request: Parameters<typeof textedRequest>[0] = {}) {
  const pat = await textedRequest(request);
  const subscription = await service.subscribe();
  const allowed = await allowNotifications(pat.as.cookie, subscription);
  const { id: deviceId } = (await allowed.json()) as { id: string };
  const receivedNotifications = () => service.deliveredTo(subscription).map(({ data }) => data.notification);
  return { ...pat, deviceId, receivedNotifications };
}

test("the owner's phone gets a masked notification whose tap opens the purchase; three replies in a row send one", async () => {
  const pat = await withPhone({ ...ERASED_CUSTOMER, customerEmail: "", customerPhone: "0491 570 158" });
  await answer("Marta Quillfeather, quokkaword");
  expect(await messagesFor(pat.deviceId)).toMatchObject([
    { template: "customer_answered", expiresAt: NOON + 12 * HOUR_MS },
  ]);
  await deliverAll();
  expect(pat.receivedNotifications()).toMatchObject([
    {
      title: "Your customer wrote back",
      body: "Leichhardt 2040 · Lawn mowing",
      navigate: `http://naturestrip.test/dashboard?tab=leads&lead=${pat.purchaseId}`,
    },
  ]);
  expect(tracesIn(JSON.stringify(service.delivered))).toEqual([]);
  await answer("And");
  vi.setSystemTime(NOON + 4 * MINUTE_MS);
  await answer("another thing");
  await deliverAll();
  expect(pat.receivedNotifications()).toHaveLength(1);
  vi.setSystemTime(NOON + 5 * MINUTE_MS + 1);
  await answer("Are you there?");
  await deliverAll();
  expect(pat.receivedNotifications()).toHaveLength(2);
});

test("a user who is watching or has read it gets no alert; two customers cause one each", async () => {
  const pat = await withPhone();
  await answer("Seen at once");
  const { answeredAt } = await detailOf(pat);
  await pat.as("POST", `/api/lead-purchases/${pat.purchaseId}/answers-seen`, { upTo: answeredAt });
  await deliverAll();
  const { socket } = await openSocket("/api/business/live", pat.as.cookie);
  await answer("On the screen");
  await deliverAll();
  expect(pat.receivedNotifications()).toEqual([]);
  expect((await messagesFor(pat.deviceId)).map(({ state }) => state)).toEqual(["dropped", "dropped"]);
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await closed;
  const number = "0491 570 159";
  await textedRequest({ customerPhone: number }, pat);
  await answer("One");
  await answer("Other", { sender: "61491570159" });
  const replyNotifications = () =>
    pat.receivedNotifications().filter(({ title }) => title!.endsWith("wrote back"));
  await expect.poll(async () => (await deliverAll(), replyNotifications().length)).toBe(2);
});

test("an impersonating admin suppresses no notification", async () => {
  const pat = await withPhone();
  const cookie = await impersonate(pat.user.id);
  const { socket, frame } = await openSocket("/api/business/live", cookie);
  onTestFinished(() => socket.close());
  await frame(0);
  await answer("Is anybody there?");
  await deliverAll();
  expect(pat.receivedNotifications()).toHaveLength(1);
});

test("at night the notification waits for the morning, if its newest reply is still recent enough", async () => {
  const pat = await withPhone();
  const quiet = { isOn: true, startsAt: "18:00", endsAt: "08:00" };
  await pat.as("PUT", "/api/notifications/quiet-hours", quiet);
  vi.setSystemTime(NOON + 6.5 * HOUR_MS);
  await answer("Late");
  await deliverAll();
  vi.setSystemTime(NOON + 10 * HOUR_MS);
  await answer("Later");
  await deliverAll();
  expect(pat.receivedNotifications()).toEqual([]);
  expect(await messagesFor(pat.deviceId)).toMatchObject([{ state: "waiting", due: NOON + 20 * HOUR_MS }]);
  vi.setSystemTime(NOON + 20 * HOUR_MS);
  await deliverAll();
  expect(pat.receivedNotifications()).toHaveLength(1);
});
