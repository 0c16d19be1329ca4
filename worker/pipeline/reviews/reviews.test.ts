/** Reviews from the sale to the public list, through the front door. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import { CONSENT_WORDING } from "../../../contract/consent.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import type { AdminReview, OwnReview, ReviewAnswer, ReviewPageAnswer } from "../../../contract/reviews.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { call, callerFor, db, testEnv } from "../../../testing/client.ts";
import { rescue } from "../../../testing/rescue.ts";
import { auditEntries, publicReviews, purchasesBy, setPurchase, setUser } from "../../../testing/facts.ts";
import {
  deliverMessages,
  erase,
  listed,
  putOnMarket,
  requestLink,
  runSweep,
} from "../../../testing/drivers.ts";
import { PublicPages } from "../../../testing/main.ts";
import { deliverAll, deliverInQuietHours, newRecipient, usePushStandIn } from "../../../testing/push.ts";
import { enableTexts, smsEnv, useSmsStandIn } from "../../../testing/sms.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  insertFreeClaim,
  insertPendingLead,
  insertProfile,
  insertTeamMember,
  insertUser,
  newId,
  PASSWORD,
} from "../../../testing/world.ts";
import {
  freeClaims,
  guaranteeCases,
  leadPurchases,
  messageChannels,
  messages,
  reviews,
} from "../../tables.ts";

const service = usePushStandIn();
const gateway = useSmsStandIn();

/** Stands for each part of a text that could identify a person. */
const BLANK = "▮▮▮";

const SOLD = Date.parse("2026-11-25T10:00:00+11:00");
const DUE = SOLD + 14 * DAY_MS;

beforeEach(async () => {
  vi.useFakeTimers({ now: SOLD, toFake: ["Date"] });
  for (const table of [messages, messageChannels, reviews]) await db.delete(table);
  // Sales of earlier tests are not due here.
  await db.update(leadPurchases).set({ reviewDueAt: null, clockDueAt: null });
  gateway.sent.length = 0;
});

let people = 0;

/** Sells a request at 10 am to a provider with a phone. Its customer has a link to their page. */
async function soldRequest(
  request: Parameters<typeof insertPendingLead>[1] = {},
  account: Parameters<typeof insertUser>[1] = {},
) {
  people += 1;
  const lead = await listed({
    consentWording: CONSENT_WORDING,
    customerName: "Casey Brown",
    customerEmail: `casey${people}@example.com`,
    customerPhone: `02 5551 ${2000 + people}`,
    ...request,
  });
  const email = `pat${people}@example.com`;
  const pat = await newRecipient(service, {
    companyName: "Green Thumbs",
    email,
    isVerified: true,
    ...account,
  });
  const body = bodyFor("POST /api/leads/:id/purchase");
  const bought = await pat.as("POST", `/api/leads/${lead.id}/purchase`, body);
  expect(bought.status).toBe(201);
  const { id: purchaseId } = await bought.json<{ id: string }>();
  const token = await requestLink(lead.id, SOLD);
  return { ...pat, lead, purchaseId, token };
}
type SoldRequest = Awaited<ReturnType<typeof soldRequest>>;

/** Sweeps at a time. The clocks of the Worker and of the test agree. */
function sweepAt(now: number) {
  vi.setSystemTime(now);
  return runSweep("review_sweep", now);
}

/** Sells a request and asks its customer for a review. */
async function invited(...options: Parameters<typeof soldRequest>) {
  const sold = await soldRequest(...options);
  expect(await sweepAt(DUE)).toEqual({ asked: 1, failed: 0 });
  return sold;
}

const dueOf = async ({ purchaseId }: Pick<SoldRequest, "purchaseId">) =>
  (await db.select().from(leadPurchases).where(eq(leadPurchases.id, purchaseId)))[0]!.reviewDueAt;

async function write(token: string, form: object = {}, options: Parameters<typeof call>[2] = {}) {
  const body = { token, stars: 4, words: "Neat edges, and on time.", ...form };
  const response = await call("POST", "/api/reviews", { body, ...options });
  expect(response.status).toBe(200);
  return (await response.json<ReviewAnswer>()).outcome;
}

const pageOf = async (token: string) =>
  (await (await call("GET", `/api/reviews?token=${token}`)).json<ReviewPageAnswer>()).review;
/** Returns what the customer's request page says about a review; null also if the page is gone. */
const reviewOnPage = async ({ token }: Pick<SoldRequest, "token">) =>
  (await (await call("GET", `/api/requests?token=${token}`)).json<RequestPageAnswer>()).request?.review ??
  null;
const rowOf = async ({ purchaseId }: Pick<SoldRequest, "purchaseId">) =>
  (await db.select().from(reviews).where(eq(reviews.purchaseId, purchaseId)))[0];
const stage = ({ as, purchaseId }: SoldRequest, salesStage: string) =>
  as("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, { salesStage });
const ownReviews = async ({ as }: Pick<SoldRequest, "as">) =>
  (await as("GET", "/api/reviews/own")).json<OwnReview[]>();
const titlesOf = ({ subscription }: Pick<SoldRequest, "subscription">) =>
  service.deliveredTo(subscription).map(({ data }) => data.notification.title);
const totals = async () => (await call("GET", "/api/reviews/totals")).json<unknown>();
const actionsOf = async (id: string) => (await auditEntries(id)).map(({ action }) => action);

test("row 77: the customer is asked once by email, two weeks after the sale, and has 60 days", async () => {
  const sold = await soldRequest();
  expect(await dueOf(sold)).toBe(DUE);
  const box = mailbox();
  const withMail = { ...testEnv, ...box.changed, SITE_HOST: "naturestrip.example" };
  expect(await sweepAt(DUE - 1)).toEqual({ asked: 0, failed: 0 });
  expect(await pageOf(sold.token)).toBeNull();
  const counts = await Promise.all([sweepAt(DUE), sweepAt(DUE)]);
  expect(counts.some(({ asked }) => asked === 1)).toBe(true);
  expect(await sweepAt(DUE + DAY_MS)).toEqual({ asked: 0, failed: 0 });
  expect(await db.$count(messages, eq(messages.template, "review_invitation"))).toBe(1);
  vi.setSystemTime(DUE);
  await deliverMessages(DUE, withMail);
  const asked = box.sent.filter(({ subject }) => subject === "How was Green Thumbs?");
  expect(asked).toHaveLength(1);
  const token = /\/review\/([\w-]+)/.exec(asked[0]!.text)![1]!;
  expect(await pageOf(token)).toMatchObject({
    provider: "Green Thumbs",
    isOpen: true,
    endsAt: DUE + 60 * DAY_MS,
  });
  vi.setSystemTime(DUE + 60 * DAY_MS);
  expect(await pageOf(token)).toMatchObject({ isOpen: false });
  expect(await write(token)).toBe("closed");
});

test("a customer without an email address is asked by text", async () => {
  await enableTexts();
  const sold = await soldRequest({ customerPhone: "0491 570 158", customerEmail: "" });
  await sweepAt(DUE);
  await deliverMessages(DUE, { ...smsEnv, SITE_HOST: "naturestrip.example" });
  const asked = gateway.sent.map(({ message }) => message).filter((text) => text.includes("review"));
  expect(asked).toHaveLength(1);
  const token = /^Naturestrip [\d ]+: How was .+\? Write a review: .+\/review\/([\w-]+)\. STOP/.exec(
    asked[0]!,
  )![1]!;
  expect(asked[0]!.length).toBeLessThanOrEqual(160);
  expect(await write(token)).toBe("written");
  expect(await rowOf(sold)).toMatchObject({ stars: 4 });
});

test("a review is on the share picture of the business's page at once", async () => {
  const { user, token } = await invited();
  const { slug } = await insertProfile(db, user);
  PublicPages.expired.length = 0;
  expect(await write(token)).toBe("written");
  expect(await write(token, { stars: 1 })).toBe("closed");
  expect(PublicPages.expired).toEqual([["council-inner-west-council", "shown-jobs", `provider-${slug}`]]);
});

test("row 75: a complete job is reviewed a day after the sale, and no business can put that off", async () => {
  const sold = await soldRequest();
  vi.setSystemTime(SOLD + HOUR_MS);
  expect((await stage(sold, "job_complete")).status).toBe(200);
  expect(await dueOf(sold)).toBe(SOLD + 24 * HOUR_MS);
  // Back to an earlier stage, declined, complete again much later, archived: the time stays.
  vi.setSystemTime(SOLD + 72 * HOUR_MS);
  for (const salesStage of ["called", "declined", "job_complete"]) await stage(sold, salesStage);
  await sold.as("POST", `/api/lead-purchases/${sold.purchaseId}/archive`);
  expect(await dueOf(sold)).toBe(SOLD + 24 * HOUR_MS);
  expect(await sweepAt(SOLD + 73 * HOUR_MS)).toEqual({ asked: 1, failed: 0 });
  expect(await write(sold.token, { stars: 1 })).toBe("written");
});

test("row 75: a business that never moves the lead, declines it, or changes the customer's details is reviewed all the same", async () => {
  const sold = await soldRequest();
  await stage(sold, "declined");
  await sold.as("PATCH", `/api/lead-purchases/${sold.purchaseId}/customer`, {
    customerPhone: "02 5550 0100",
    customerEmail: sold.user.email,
  });
  await sweepAt(DUE);
  const [asked] = await db.select().from(messages).where(eq(messages.template, "review_invitation"));
  expect(asked!.recipient).toBe(sold.lead.customerEmail);
  expect(await write(sold.token, { stars: 1 })).toBe("written");
});

test("free, given and manual leads are never reviewed", async () => {
  const owner = await insertUser(db);
  const as = await callerFor(owner.id);
  const [given, claimed] = [await insertPendingLead(db), await insertPendingLead(db)];
  for (const lead of [given, claimed]) await putOnMarket(lead);
  await insertFreeClaim(db, owner);
  expect((await as("POST", `/api/leads/${claimed.id}/claim-with-credit`)).status).toBeLessThan(300);
  const admin = (await insertAdmin()).asAdmin;
  const path = `/api/super-admin/assign-lead/${given.id}/${owner.id}`;
  expect((await admin("POST", path)).status).toBeLessThan(300);
  const bought = await purchasesBy(owner.id);
  expect(bought.map(({ mode }) => mode)).toEqual(expect.arrayContaining(["claimed", "assigned", "manual"]));
  expect(bought.map(({ reviewDueAt }) => reviewDueAt).filter(Boolean)).toEqual([]);
  const purchase = bought.find(({ mode }) => mode === "assigned");
  await as("PATCH", `/api/lead-purchases/${purchase!.id}/sales-stage`, { salesStage: "job_complete" });
  expect(await dueOf({ purchaseId: purchase!.id })).toBeNull();
});

test.each<[string, (sold: SoldRequest) => Promise<unknown>]>([
  ["called off the job", ({ token }) => call("POST", "/api/requests/withdraw", { body: { token } })],
  [
    "never asked for it",
    ({ token }) => call("POST", "/api/requests/call-answer", { body: { token, answer: "never_asked" } }),
  ],
  ["was erased", ({ lead }) => erase({ email: lead.customerEmail! }, Date.now())],
  [
    "dealt with a buyer who got a refund",
    ({ purchaseId }) => setPurchase(purchaseId, { paymentStatus: "refunded" }),
  ],
  ["got no call, so that the request was passed on", ({ lead }) => rescue(lead.id)],
])("a customer who %s is not asked, and their page promises no review", async (_, act) => {
  const sold = await soldRequest();
  expect(await reviewOnPage(sold)).toBe("later");
  await act(sold);
  expect(await reviewOnPage(sold)).toBeNull();
  expect(await sweepAt(DUE)).toEqual({ asked: 0, failed: 0 });
  expect(await dueOf(sold)).toBeNull();
  expect(await rowOf(sold)).toBeUndefined();
});

test("a review reaches the provider's phone, mailbox and list, and everyone reads the reply", async () => {
  const sold = await invited();
  expect(await reviewOnPage(sold)).toBe("open");
  expect(await write(sold.token)).toBe("written");
  expect(await reviewOnPage(sold)).toBe("written");
  const title = "You have a new review: 4 stars";
  await deliverInQuietHours(sold.as);
  expect(titlesOf(sold)).not.toContain(title);
  await deliverAll();
  expect(titlesOf(sold)).toContain(title);
  const box = mailbox();
  await deliverMessages(DUE, { ...testEnv, ...box.changed, SITE_HOST: "naturestrip.example" });
  const mail = box.sent.find(({ subject }) => subject === title);
  expect(mail!.text).toContain("https://naturestrip.example/my-reviews");
  expect(mail!.text).not.toContain("Casey");
  const [own] = await ownReviews(sold);
  expect(own).toMatchObject({ stars: 4, words: "Neat edges, and on time.", name: "Casey", reply: null });
  for (const reply of ["Thanks!", "Thank you, Casey."]) {
    const path = `/api/reviews/${own!.id}/reply`;
    expect((await sold.as("POST", path, { reply })).status).toBe(200);
  }
  expect(await publicReviews(sold.user.id)).toMatchObject({
    mean: 4,
    shown: 1,
    hidden: 0,
    reviews: [{ name: "Casey", stars: 4, reply: "Thank you, Casey.", at: DUE }],
  });
  expect(await pageOf(sold.token)).toMatchObject({ isOpen: false, stars: 4, reply: "Thank you, Casey." });
});

test("row 77: a review is written once, whatever the customer sends, and an unknown link gets the same response", async () => {
  const sold = await invited();
  const outcomes = await Promise.all([write(sold.token, { stars: 5 }), write(sold.token, { stars: 1 })]);
  expect(outcomes.toSorted()).toEqual(["closed", "written"]);
  expect(await db.$count(messages, eq(messages.template, "review_written"))).toBe(1);
  expect(await write(sold.token)).toBe("closed");
  expect(await write("made-up")).toBe("closed");
  expect(await pageOf("made-up")).toBeNull();
});

test.each([0, 6, 2.5, "five"])("%s is no number of stars", async (stars) => {
  const body = { token: "made-up", stars };
  expect((await call("POST", "/api/reviews", { body })).status).toBe(400);
});

test("hostile text: contact details are blanked, markup stays text, and 1,501 characters are refused", async () => {
  const sold = await invited();
  const words = `<script>alert(1)</script> Ring me on 0412 345 678 or casey@example.com, Brown of 12 Oak Street`;
  expect(await write(sold.token, { words })).toBe("written");
  const [own] = await ownReviews(sold);
  expect(own!.words).toContain("<script>alert(1)</script>");
  expect(own!.words).toContain(BLANK);
  for (const secret of ["0412", "casey@", "Brown", "Oak"]) expect(own!.words).not.toContain(secret);
  const long = { token: sold.token, stars: 3, words: "a".repeat(1_501) };
  expect((await call("POST", "/api/reviews", { body: long })).status).toBe(400);
});

const OWN: [string, (sold: SoldRequest) => Promise<Parameters<typeof call>[2]>][] = [
  ["their session", async ({ as }) => ({ cookie: as.cookie })],
  [
    "a team member's session",
    async ({ user }) => ({ cookie: (await callerFor((await insertTeamMember(db, user)).id)).cookie }),
  ],
  [
    "a browser that they signed in with, signed out",
    async ({ user }) => {
      const body = { username: user.username, password: PASSWORD };
      const response = await call("POST", "/api/auth/login", { body });
      expect(response.status).toBe(200);
      const device = response.headers.getSetCookie().find((text) => text.startsWith("device="))!;
      return { cookie: device.split(";")[0]! };
    },
  ],
];

test.each(OWN)("row 76: a provider cannot review themselves with %s", async (_, optionsOf) => {
  const sold = await invited();
  expect(await write(sold.token, { stars: 5 }, await optionsOf(sold))).toBe("own_business");
  expect(await rowOf(sold)).toMatchObject({ stars: null, writtenAt: null });
  expect(await actionsOf((await rowOf(sold))!.id)).toEqual(["review.refused"]);
  // The customer still can, on their own phone.
  expect(await write(sold.token, { stars: 2 })).toBe("written");
});

test.each([
  ["phone number", { customerPhone: "0491 570 156" }, { phone: "+61 491 570 156" }],
  ["email address", { customerEmail: "Sam@Example.com" }, { email: "sam@example.com" }],
  ["unconfirmed email address", { customerEmail: "sam2@example.com" }, { pendingEmail: "sam2@example.com" }],
])("row 76: a provider cannot review themselves with their own %s", async (_, request, account) => {
  const sold = await invited(request);
  // With these details before the sale, it could not have bought its own request.
  await setUser(sold.user.id, account);
  expect(await write(sold.token, { stars: 5 })).toBe("own_business");
  expect(await rowOf(sold)).toMatchObject({ writtenAt: null });
});

test("a team member's phone number is the business's too, also after they left", async () => {
  const sold = await invited({ customerPhone: "0491 570 159" });
  await insertTeamMember(db, sold.user, { phone: "0491 570 159", isActive: false, removedAt: SOLD });
  expect(await write(sold.token, { stars: 5 })).toBe("own_business");
});

test("row 76: the provider's network alone: the review is shown, and an admin looks at it", async () => {
  const sold = await invited();
  const headers = { "CF-Connecting-IP": "203.0.113.77" };
  const body = { username: sold.user.username, password: PASSWORD };
  expect((await call("POST", "/api/auth/login", { body, headers })).status).toBe(200);
  expect(await write(sold.token, { stars: 5 }, { headers })).toBe("written");
  const admin = (await insertAdmin()).asAdmin;
  const listed = async (list: string) =>
    (await (await admin("GET", `/api/super-admin/reviews?list=${list}`)).json<AdminReview[]>()).map(
      ({ flag }) => flag,
    );
  const waiting = async () =>
    (await (await admin("GET", "/api/super-admin/overview")).json<{ reviews: number }>()).reviews;
  expect(await listed("flagged")).toEqual(["provider_network"]);
  expect(await waiting()).toBe(1);
  expect(await publicReviews(sold.user.id)).toMatchObject({ shown: 1 });
  const { id } = (await rowOf(sold))!;
  expect((await admin("POST", `/api/super-admin/reviews/${id}`, { rule: null })).status).toBe(200);
  expect([await listed("flagged"), await waiting()]).toEqual([[], 0]);
});

test.each([OWN[0]!, OWN[2]!])("a rival's review with %s is flagged", async (_, optionsOf) => {
  const [sold, rival] = [await invited(), await soldRequest()];
  expect(await write(sold.token, { stars: 1 }, await optionsOf(rival))).toBe("written");
  expect((await rowOf(sold))!.flag).toMatch(/^provider_(?:session|device)$/);
});

test.each([
  ["network", {}, { headers: { "CF-Connecting-IP": "203.0.113.99" } }],
  ["contact", { customerPhone: "0491 570 313" }, {}],
  ["contact", { customerEmail: "rival@example.com" }, {}],
])("a rival's review with its own %s is flagged: %o", async (trace, request, options) => {
  const rival = await insertUser(db, { phone: "+61491570313" });
  await setUser(rival.id, { email: "Rival@example.com" });
  const body = { username: rival.username, password: PASSWORD };
  const signedIn = await call("POST", "/api/auth/login", {
    body,
    headers: { "CF-Connecting-IP": "203.0.113.99" },
  });
  expect(signedIn.status).toBe(200);
  const sold = await invited(request);
  expect(await write(sold.token, { stars: 1 }, options)).toBe("written");
  expect((await rowOf(sold))!.flag).toBe(`provider_${trace}`);
  await setUser(rival.id, { email: null, phoneKey: null });
});

test("an admin hides a review by a rule only, with a trail and a public count", async () => {
  const sold = await invited();
  await write(sold.token, { stars: 1, words: "You are a crook" });
  const { id } = (await rowOf(sold))!;
  const admin = (await insertAdmin()).asAdmin;
  const decide = (body: object) => admin("POST", `/api/super-admin/reviews/${id}`, body);
  // Only a decision about a free claim hides by that rule.
  for (const body of [{}, { rule: "too_negative" }, { rule: "" }, { rule: "free_claim" }])
    expect((await decide(body)).status).toBe(400);
  expect(await totals()).toEqual({ written: 1, hidden: {} });
  expect((await decide({ rule: "abuse" })).status).toBe(200);
  expect(await totals()).toEqual({ written: 1, hidden: { abuse: 1 } });
  expect(await publicReviews(sold.user.id)).toEqual({ mean: null, shown: 0, hidden: 1, reviews: [] });
  expect(await pageOf(sold.token)).toMatchObject({ hiddenRule: "abuse" });
  expect(await ownReviews(sold)).toMatchObject([{ hiddenRule: "abuse", stars: 1 }]);
  const hidden = "We've hidden a review of your business";
  await deliverInQuietHours(sold.as);
  expect(titlesOf(sold)).not.toContain(hidden);
  await deliverAll();
  expect(titlesOf(sold).filter((title) => title === hidden)).toEqual([hidden]);
  expect((await decide({ rule: null })).status).toBe(200);
  expect(await publicReviews(sold.user.id)).toMatchObject({ mean: 1, shown: 1, hidden: 0 });
  expect(await actionsOf(id)).toEqual(["review.written", "review.hide", "review.show"]);
  expect(
    (await admin("POST", "/api/super-admin/reviews/rev_00000000000000000000", { rule: null })).status,
  ).toBe(404);
});

/** Sends what waits by email and text, and returns the emails about hidden reviews. */
const sendHiddenReviews = async () => {
  const box = mailbox();
  const env = { ...smsEnv, ...box.changed, SITE_HOST: "naturestrip.example" };
  await deliverMessages(Date.now(), env);
  return box.sent.filter(({ subject }) => subject.startsWith("We've hidden"));
};

test("a customer learns by which rule an admin hid their review, by email or else by text", async () => {
  const admin = (await insertAdmin()).asAdmin;
  const decide = async (sold: SoldRequest, rule: string | null) => {
    vi.setSystemTime(Date.now() + MINUTE_MS);
    const path = `/api/super-admin/reviews/${(await rowOf(sold))!.id}`;
    expect((await admin("POST", path, { rule })).status).toBe(200);
  };
  const byEmail = await invited();
  await write(byEmail.token, { stars: 1 });
  await decide(byEmail, "abuse");
  const [mail, ...more] = await sendHiddenReviews();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    to: byEmail.lead.customerEmail,
    subject: "We've hidden your review of Green Thumbs",
  });
  expect(mail!.text).toContain("It insults or threatens someone.");
  expect(mail!.text).toContain("https://naturestrip.example/reviews");
  await decide(byEmail, "abuse");
  await decide(byEmail, null);
  expect(await sendHiddenReviews(), "neither the same rule again nor showing it").toEqual([]);
  await decide(byEmail, "personal_data");
  await decide(byEmail, null);
  expect(await sendHiddenReviews(), "shown again before the email was sent").toEqual([]);

  vi.setSystemTime(SOLD);
  await enableTexts();
  const byText = await invited({ customerEmail: null, customerPhone: "0491 570 110" });
  await write(byText.token, { stars: 1 });
  gateway.sent.length = 0;
  await decide(byText, "not_about_work");
  expect(await sendHiddenReviews()).toEqual([]);
  expect(gateway.sent.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(
      "We've hidden your review of Green Thumbs. It isn't about this provider's call, quote or work",
    ),
  );
});

test("a business can reply only to a written review, and no other business lists it", async () => {
  const sold = await invited();
  const { id } = (await rowOf(sold))!;
  const reply = { reply: "Thanks" };
  expect((await sold.as("POST", `/api/reviews/${id}/reply`, reply)).status).toBe(404);
  await write(sold.token);
  const rival = await callerFor((await insertUser(db)).id);
  expect(await (await rival("GET", "/api/reviews/own")).json()).toEqual([]);
});

test("a reply names neither the customer nor a number, and an admin removes it alone", async () => {
  const sold = await invited({ customerAddress: "12 Oak Street" });
  await write(sold.token, { stars: 1 });
  const { id } = (await rowOf(sold))!;
  const path = `/api/reviews/${id}/reply`;
  for (const reply of ["Ring 0412 345 678", `${sold.lead.customerPhone} lies`, "See pats-mowing.com.au"])
    expect((await sold.as("POST", path, { reply })).status, reply).toBe(400);
  expect((await sold.as("POST", path, { reply: "Casey Brown of 12 Oak Street owes me" })).status).toBe(200);
  const [shown] = (await publicReviews(sold.user.id)).reviews;
  expect(shown!.reply).toContain(BLANK);
  for (const secret of ["Brown", "Oak"]) expect(shown!.reply).not.toContain(secret);

  const admin = (await insertAdmin()).asAdmin;
  expect((await admin("DELETE", `/api/super-admin/reviews/${id}/reply`)).status).toBe(200);
  expect((await admin("DELETE", `/api/super-admin/reviews/${id}/reply`)).status).toBe(404);
  expect(await publicReviews(sold.user.id)).toMatchObject({ shown: 1, reviews: [{ reply: null }] });
  expect(await actionsOf(id)).toContain("review.remove_reply");

  await erase({ email: sold.lead.customerEmail! }, DUE + MINUTE_MS);
  expect((await sold.as("POST", path, { reply: "Casey again" })).status).toBe(404);
});

test.each([
  ["no_answer", 1],
  ["withdrawn", 0],
] as const)("a free claim by the rule %s: %s asked", async (rule, asked) => {
  const sold = await soldRequest();
  const { purchaseId, lead, user } = sold;
  const row = { purchaseId, leadId: lead.id, buyerId: user.id, createdAt: SOLD };
  await db.insert(guaranteeCases).values({ ...row, rule, state: "granted", updatedAt: SOLD });
  const priceCents = lead.priceCents;
  await db
    .insert(freeClaims)
    .values({ id: newId("clm"), buyerId: user.id, purchaseId, priceCents, createdAt: SOLD });
  expect(await reviewOnPage(sold)).toBe(asked ? "later" : null);
  expect(await sweepAt(DUE)).toEqual({ asked, failed: 0 });
});

test("an invitation that fails waits, so that it does not stop the others", async () => {
  const sold = await soldRequest();
  vi.spyOn(db, "batch").mockRejectedValueOnce(new Error("D1 is down"));
  expect(await sweepAt(DUE)).toEqual({ asked: 0, failed: 1 });
  expect(await dueOf(sold)).toBe(DUE + 10 * MINUTE_MS);
  expect(await sweepAt(DUE + 10 * MINUTE_MS)).toEqual({ asked: 1, failed: 0 });
});

test("erasing the customer keeps the stars and the month, without words, name, suburb and reply", async () => {
  const sold = await invited();
  await write(sold.token);
  const { id } = (await rowOf(sold))!;
  await sold.as("POST", `/api/reviews/${id}/reply`, { reply: "Thank you, Casey Brown" });
  await erase({ email: sold.lead.customerEmail! }, DUE + MINUTE_MS);
  const erased = await publicReviews(sold.user.id);
  expect(erased).toMatchObject({
    mean: 4,
    shown: 1,
    reviews: [{ stars: 4, words: null, name: null, suburb: null, reply: null }],
  });
  const month = Date.parse("2026-12-01T01:00:00+11:00");
  expect(erased.reviews[0]!.at).toBe(month);
  expect(await pageOf(sold.token)).toBeNull();
});

test("erasing the customer closes an invitation", async () => {
  const sold = await invited();
  await erase({ email: sold.lead.customerEmail! }, DUE + MINUTE_MS);
  expect(await rowOf(sold)).toMatchObject({ endsAt: DUE + MINUTE_MS, writtenAt: null });
  expect(await write(sold.token)).toBe("closed");
});

test("the invitation of a purchase that an admin removed opens no review", async () => {
  const sold = await invited();
  const { asAdmin } = await insertAdmin();
  expect((await asAdmin("DELETE", `/api/lead-purchases/${sold.purchaseId}`)).status).toBe(204);
  expect(await pageOf(sold.token)).toBeNull();
  expect(await write(sold.token)).toBe("closed");
  expect(await rowOf(sold)).toMatchObject({ writtenAt: null });
});

test("erasing the business deletes its replies, but not what customers wrote", async () => {
  const sold = await invited();
  await write(sold.token);
  const { id } = (await rowOf(sold))!;
  await sold.as("POST", `/api/reviews/${id}/reply`, { reply: "Thank you from Pat" });
  await erase({ email: null, username: sold.user.username }, DUE + MINUTE_MS);
  expect(await rowOf(sold)).toMatchObject({ reply: null, words: "Neat edges, and on time.", stars: 4 });
});
