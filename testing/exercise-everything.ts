/** Calls everything in the Worker once: each route of testing/routes, each operator job and the sweeps of a minute. */
import { and, eq, sql } from "drizzle-orm";
import { expect } from "vitest";

import { DAY_MS, MINUTE_MS } from "../contract/durations.ts";
import { getPauseDayRange } from "../contract/lead-alerts.ts";
import { requestChangeSchema } from "../contract/request-links.ts";
import { SAVE_CARD_CONSENT } from "../contract/payments.ts";
import { sydneyDay } from "../contract/sydney-time.ts";
import {
  contactLog,
  freeClaims,
  badLeadReports,
  guaranteeCases,
  leadPurchases,
  messages,
  providerChecks,
  reviews,
} from "../worker/tables.ts";
import { endOffer, payingBuyer, rescuedLead } from "./rescue.ts";
import type { PhotoAnswer } from "../contract/photos.ts";
import { pngPhoto } from "./photos.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { signStop } from "../worker/messages/stop-rules.ts";
import { mailbox } from "./stand-ins/mailbox.ts";
import type { PushStandIn } from "./stand-ins/push-stand-in.ts";
import { makeAuthenticator } from "./stand-ins/authenticator.ts";
import { API_ROUTES, bodyFor, fillPath, type IdKind, idKindOf, UNKNOWN_IDS } from "./routes/api.ts";
import { buyer, endHold, listedLead, runAlarm, soldLead, stripe, typeCard, webhook } from "./cards.ts";
import { call, callerFor, callWith, db, testEnv } from "./client.ts";
import { storeJob } from "./operator.ts";
import { allowNotifications, usePushStandIn, deliverAll, newRecipient, PUSH_SETTINGS } from "./push.ts";
import { QueueStandIn } from "./queue.ts";
import { useSmsStandIn, smsEnv, enableTexts, SMS_SETTINGS } from "./sms.ts";
import {
  addPasskey,
  signInToSecondStep,
  browser,
  browserOf,
  RELYING_PARTY,
  signChallenge,
} from "./passkeys.ts";
import {
  insertBadLeadReport,
  insertBooking,
  insertManualPurchase,
  insertPendingLead,
  insertProfile,
  insertReview,
  insertTeamMember,
  insertUser,
  newId,
  PASSWORD,
  quoteRequest,
} from "./world.ts";
import { deliverMessages, listed, listLink, raise, requestLink, runSweep, runSweeps } from "./drivers.ts";
import { publicReviews } from "./facts.ts";

/** Names the next operation. */
type NameOperation = (what: string) => void;

const LONG_TEXT =
  "The lawn behind the shed has grown a bit wild since the winter, and the gate at the side needs a push before it opens.";

const MAIL = { EMAIL_FROM: "hello@naturestrip.test" };
/** Returns a small photo as a request's body. */
const image = () => ({ body: new Blob([pngPhoto(8, 6)]).stream() });

/** The checks of visitors' requests, with their default limits. Other tests disable them. */
const CHECKS = {
  DUPLICATE_DAYS: undefined,
  REQUESTS_PER_ADDRESS: undefined,
  FASTEST_FORM_SECONDS: undefined,
  SUSPICION_POINTS: undefined,
  ORIGIN_HASH_KEY: "k".repeat(32),
};

/** A provider with years of history: their ID, a purchase, a lead and a region's cursor. */
type OldProvider = { providerId: string; purchaseId: string; leadId: string; paymentId: string };

const expectSuccess = async (answer: Promise<Response>) => {
  const response = await answer;
  const body = await response.clone().text();
  expect(response.status, `${response.url} ${body.slice(0, 300)}`).toBeLessThan(400);
  return response;
};

/** Only admins pass the gate. */
const isForAdmins = (route: string) => API_ROUTES[route]!.gets[2] === 403;

/** Calls every route. Most calls succeed, and some are rejected. */
async function callEveryRoute(nameOperation: NameOperation, oldProvider: OldProvider): Promise<void> {
  const admin = await insertUser(db, { isSuperAdmin: true });
  await insertProfile(db, { id: oldProvider.providerId }, { slug: "leichhardt" });
  for (const [route, { body }] of Object.entries(API_ROUTES)) {
    const [method = ""] = route.split(" ");
    const owner = await insertUser(db);
    const others = { leadId: oldProvider.leadId, providerId: owner.id };
    const url = fillPath(route, await subjectOf(route, owner, oldProvider), others);
    const isOld = method === "GET" && !route.includes("password-link");
    const caller = isForAdmins(route) ? admin.id : isOld ? oldProvider.providerId : owner.id;
    const { cookie } = await callerFor(caller);
    nameOperation(route);
    await callWith({ ...MAIL, ...CHECKS }, method, url, { cookie, body: body?.() });
  }
}

/** Creates what a route's ID names. */
async function subjectOf(
  route: string,
  owner: Awaited<ReturnType<typeof insertUser>>,
  oldProvider: OldProvider,
): Promise<string> {
  const bought = () => insertManualPurchase(db, owner, { stage: "called", startedAt: Date.now() });
  if (route.endsWith("/release") || route.endsWith("/drop"))
    return (await insertPendingLead(db, {}, Date.now(), ["honeypot"])).id;
  if (route.endsWith("/api/lead-purchases/:id")) return oldProvider.purchaseId;
  const create: Partial<Record<IdKind, () => string | Promise<string>>> = {
    leads: async () => (await insertPendingLead(db)).id,
    claims: async () => (await insertPendingLead(db)).id,
    purchases: bought,
    checks: () => submitCheck(owner),
    badLeads: async () => insertBadLeadReport(db, owner, await bought()),
    reviews: async () => insertReview(db, await bought()),
    bookings: () => insertBooking(db),
    users: async () => (route.includes("team-members") ? (await insertTeamMember(db, owner)).id : owner.id),
    payments: () => oldProvider.paymentId,
    regions: () => "blacktown",
  };
  const kind = idKindOf(route);
  return (await create[kind]?.()) ?? UNKNOWN_IDS[kind];
}

/** Sends a certificate as this business. Returns the ID of its check. */
async function submitCheck(owner: Awaited<ReturnType<typeof insertUser>>): Promise<string> {
  const { cookie } = await callerFor(owner.id);
  const path = "/api/user/checks/insurance?number=PL-77&endsOn=2099-12-31";
  const headers = { "Content-Type": "application/pdf" };
  await expectSuccess(callWith(MAIL, "POST", path, { cookie, headers, body: "%PDF-1.7" }));
  const [check] = await db.select().from(providerChecks).where(eq(providerChecks.businessId, owner.id));
  return check!.id;
}

/** Approves a check, reminds its business, ends it and deletes its file. */
async function runEveryCheck(nameOperation: NameOperation): Promise<void> {
  nameOperation("a check until its end");
  const owner = await insertUser(db, { email: "checked@example.com" });
  const { cookie } = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const [id, today] = [await submitCheck(owner), sydneyDay(Date.now())];
  const body = { decision: "valid", seenOn: today, endsOn: today };
  await expectSuccess(callWith(MAIL, "POST", `/api/super-admin/checks/${id}/decision`, { cookie, body }));
  await submitCheck(owner);
  await submitCheck(owner);
  const env = { ...testEnv, ...mailbox().changed } as Bindings;
  for (const days of [0, 2, 3]) await runSweep("check_sweep", Date.now() + days * DAY_MS, env);
  await deliverMessages(Date.now(), env);
}

/** Loads lists with their filters and second pages, as users with a long history do. */
async function loadEveryList(nameOperation: NameOperation, oldProvider: OldProvider): Promise<void> {
  const provider = await callerFor(oldProvider.providerId);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const load = async (as: typeof admin, example: string, isExample = true) => {
    const { providerId, purchaseId, leadId, paymentId } = oldProvider;
    const url = example
      .replace("{provider}", providerId)
      .replace("{purchase}", purchaseId)
      .replace("{lead}", leadId)
      .replace("{payment}", paymentId);
    nameOperation(`GET ${example}`);
    const first = isExample ? await expectSuccess(as("GET", url)) : await as("GET", url);
    const [, next] = /<([^>]+)>/.exec(first.headers.get("Link") ?? "") ?? [];
    if (next) await expectSuccess(as("GET", next));
  };
  for (const [route, { examples = [] }] of Object.entries(API_ROUTES)) {
    const [, path = ""] = route.split(" ");
    const caller = isForAdmins(route) ? admin : provider;
    // Some of these need a token or keys. `worker/roles.test.ts` checks their statuses.
    if (route.startsWith("GET") && !path.includes(":")) await load(caller, path, false);
    for (const example of examples) await load(caller, example);
  }
  await load(admin, "/api/leads?limit=10");
}

/** Buys by card, with every possible outcome. */
async function makeEveryPayment(nameOperation: NameOperation): Promise<void> {
  nameOperation("buying with a card");
  const pat = await buyer();
  const bought = await pat.opened(await listedLead());
  await pat.as("POST", "/api/payments/keep-card", { holdId: bought.holdId, consent: SAVE_CARD_CONSENT });
  await typeCard(bought, "4242424242424242");
  await webhook("payment_intent.succeeded", bought.intentId);
  await pat.settle(bought.holdId);
  nameOperation("paying with a kept card");
  const [card] = (await (await pat.as("GET", "/api/payments/cards")).json()) as { id: string }[];
  const again = await pat.opened(await listedLead());
  await expectSuccess(pat.as("POST", "/api/payments/pay-saved", { holdId: again.holdId, cardId: card!.id }));
  await pat.settle(again.holdId);
  nameOperation("a payment refunded and disputed");
  stripe.refundInDashboard(bought.intentId);
  await webhook("charge.refunded", bought.intentId);
  stripe.dispute(again.intentId);
  await webhook("charge.dispute.created", again.intentId);
  nameOperation("a lead taken first, and paid after");
  const quick = await buyer();
  const taken = await listedLead();
  await quick.mustTake(taken);
  await expectSuccess(quick.open(taken, "its-own-key"));
  nameOperation("holds that come to nothing");
  const unpaid = await listedLead();
  await quick.mustTake(unpaid);
  await endHold(unpaid);
  await runAlarm(unpaid);
  const left = await pat.opened(await listedLead());
  await pat.close(left.holdId);
  const lapsing = await listedLead();
  await pat.opened(lapsing);
  await endHold(lapsing);
  await runAlarm(lapsing);
  await runSweeps(Date.now() + 10 * 60_000);
  nameOperation("a third hold");
  for (let i = 0; i < 3; i++) await pat.open(await listedLead(), "the-same-key-for-all");
}

const sweepCases = () => runSweep("guarantee_sweep", Date.now() + 2 * DAY_MS);

/** Decides a case by each rule, contests one and answers it. @param link to a request that `taker` bought */
async function decideEveryCase(
  nameOperation: NameOperation,
  taker: Awaited<ReturnType<typeof newRecipient>>,
  link: string,
): Promise<void> {
  const now = Date.now();
  const answer = (said: string) =>
    expectSuccess(call("POST", "/api/requests/guarantee", { body: { token: link, answer: said } }));
  nameOperation("a case is refused, because the customer changed their mind");
  await sweepCases();
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.buyerId, taker.user.id));
  const path = `/api/lead-purchases/${purchase!.id}`;
  nameOperation("a decision is contested and answered");
  await expectSuccess(taker.as("POST", `${path}/contest`, { note: "Please look again" }));
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const decision = { decision: "granted" };
  await expectSuccess(admin("POST", `/api/super-admin/guarantee/${purchase!.id}/answer`, decision));
  await db.delete(guaranteeCases).where(eq(guaranteeCases.purchaseId, purchase!.id));
  nameOperation("the customer is asked about unanswered calls");
  const isThis = eq(leadPurchases.id, purchase!.id);
  await db
    .update(leadPurchases)
    .set({ purchasedAt: now - 5 * DAY_MS })
    .where(isThis);
  for (const days of [4, 2, 0]) {
    const tried = { outcome: "no_answer", entryKey: crypto.randomUUID(), at: now - days * DAY_MS };
    await expectSuccess(taker.as("POST", `${path}/contacts`, tried));
    // As if each was logged at once.
    await db
      .update(contactLog)
      .set({ loggedAt: sql`at` })
      .where(eq(contactLog.purchaseId, purchase!.id));
  }
  await deliverMessages(Date.now(), { ...testEnv, ...mailbox().changed });
  await answer("missed");
  await sweepCases();
  await db.update(guaranteeCases).set({ state: "asked" }).where(eq(guaranteeCases.purchaseId, purchase!.id));
  await answer("not_missed");
  nameOperation("a wrong number");
  await answer("wrong_number");
  await sweepCases();
}

/** Reports a bad lead, decides it and spends the free claim. */
async function reportEveryBadLead(nameOperation: NameOperation): Promise<void> {
  nameOperation("a bad lead and its free claim");
  const pat = await buyer();
  const leadId = await listedLead();
  const bought = await expectSuccess(
    pat.as("POST", `/api/leads/${leadId}/purchase`, bodyFor("POST /api/leads/:id/purchase")),
  );
  const { id } = (await bought.json()) as { id: string };
  await expectSuccess(pat.as("POST", `/api/lead-purchases/${id}/bad-lead`, { reason: "disconnected" }));
  const [report] = await db.select().from(badLeadReports).where(eq(badLeadReports.purchaseId, id));
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  await expectSuccess(
    admin("POST", `/api/super-admin/bad-leads/${report!.id}/answer`, { decision: "granted" }),
  );
  await expectSuccess(pat.as("POST", `/api/leads/${await listedLead()}/claim-with-credit`));
  nameOperation("a free claim that was cut off");
  const purchaseId = await insertManualPurchase(db, pat.user, { stage: "called", startedAt: 1 });
  const freeClaim = { id: newId("clm"), buyerId: pat.user.id, purchaseId, priceCents: 5000, createdAt: 1 };
  await db.insert(freeClaims).values({ ...freeClaim, usedAt: 1, usedForLeadId: await listedLead() });
  await runSweeps();
}

/** Runs super admins' actions on leads and users. */
async function performEveryAdminAct(nameOperation: NameOperation): Promise<void> {
  nameOperation("admins' acts");
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const provider = await insertUser(db);
  await expectSuccess(admin("POST", `/api/super-admin/claim-lead/${await listedLead()}`));
  await expectSuccess(admin("POST", `/api/super-admin/assign-lead/${await listedLead()}/${provider.id}`));
  await expectSuccess(
    admin("POST", `/api/super-admin/leads/${await listedLead()}/move`, { region: "blacktown" }),
  );
  await expectSuccess(
    admin("POST", `/api/super-admin/leads/${await listedLead()}/withdraw`, {
      reason: "They found someone.",
    }),
  );
  const { id: quarantinedId, revision } = await insertPendingLead(db, {}, Date.now(), ["honeypot"]);
  await expectSuccess(admin("POST", `/api/super-admin/leads/${quarantinedId}/release`, { revision }));
  await raise("refund_failed", "pay_00000000000000000000", "A refund is still owed", 1);
  await expectSuccess(
    admin("POST", "/api/super-admin/attention/resolve", {
      kind: "refund_failed",
      subjectId: "pay_00000000000000000000",
    }),
  );
  const left = await buyer();
  await left.opened(await listedLead());
  await expectSuccess(admin("PATCH", `/api/super-admin/providers/${left.user.id}`, { isActive: false }));
  await expectSuccess(admin("POST", "/api/auth/impersonate", { targetUserId: provider.id }));
}

const login = (username: string, password: string) =>
  call("POST", "/api/auth/login", { body: { username, password } });

/** Signs in and out in every way. */
async function signInEveryWay(nameOperation: NameOperation): Promise<void> {
  nameOperation("signing in");
  const user = await insertUser(db, { email: "walker@example.com" });
  // Another account's, because a wrong password delays the next attempt.
  await login((await insertUser(db)).username, "not it");
  await expectSuccess(login(user.username, PASSWORD));
  nameOperation("passkeys");
  const [at, key] = [await browserOf(user.id), await makeAuthenticator(RELYING_PARTY)];
  const { passkey, recoveryCodes } = await addPasskey(at, key);
  const second = await signInToSecondStep(user.username);
  await expectSuccess(second.call("GET", "/api/auth/second-factor"));
  await expectSuccess(
    second.call(
      "POST",
      "/api/auth/second-factor",
      await signChallenge(second, "/api/auth/second-factor", key),
    ),
  );
  const alone = browser();
  await expectSuccess(
    alone.call("POST", "/api/auth/passkey", await signChallenge(alone, "/api/auth/passkey", key)),
  );
  const confirm = "/api/auth/confirm/passkey";
  await expectSuccess(alone.call("POST", confirm, await signChallenge(alone, confirm, key)));
  await expectSuccess(alone.call("PATCH", `/api/passkeys/${passkey.id}`, { name: "Tablet" }));
  const lost = await signInToSecondStep(user.username);
  await expectSuccess(lost.call("POST", "/api/auth/recovery-code", { code: recoveryCodes![0] }));
  await expectSuccess(lost.call("DELETE", `/api/passkeys/${passkey.id}`));
  nameOperation("password links");
  const member = await insertTeamMember(db, user);
  const owner = await callerFor(user.id);
  const link = await expectSuccess(owner("POST", `/api/team-members/${member.id}/password-link`));
  const token = ((await link.json()) as { path: string }).path.split("/").at(-1)!;
  await expectSuccess(call("GET", `/api/auth/password-link?token=${token}`));
  const body = { token, newPassword: "chosen by link", confirmPassword: "chosen by link" };
  await expectSuccess(call("POST", "/api/auth/reset-password", { body }));
  await callWith(MAIL, "POST", "/api/auth/forgot-password", { body: { username: user.username } });
  await expectSuccess(owner("DELETE", "/api/user/sessions"));
  await expectSuccess(owner("POST", "/api/auth/logout"));
  const live = await callerFor(user.id);
  nameOperation("live windows");
  for (const path of ["/api/exchange/inner-west/live", "/api/business/live"]) {
    const headers = { Upgrade: "websocket" };
    const { webSocket, status } = await call("GET", path, { cookie: live.cookie, headers });
    expect(status).toBe(101);
    webSocket!.accept();
    webSocket!.close();
  }
  await expectSuccess(live("POST", "/api/auth/logout"));
}

/** Runs operator jobs, and the tasks of every minute and every night. */
async function runEveryJob(nameOperation: NameOperation): Promise<void> {
  const person = { phone: "0400000100", email: "anna100@example.com" };
  const erased = await insertUser(db, { username: "walker-erased" });
  await insertTeamMember(db, erased);
  await insertManualPurchase(db, erased, { stage: "called", startedAt: 1 });
  const jobs = [
    { kind: "erase_person", input: person },
    { kind: "erase_person", input: { phone: null, email: null, username: erased.username } },
    { kind: "region", input: { region: "blacktown", pause: "A look at it" } },
    { kind: "region", input: { region: "blacktown", pause: null } },
    { kind: "reconcile", input: { since: Date.now() - 60 * 24 * 60 * 60_000, isFix: true, region: null } },
    { kind: "public_figures", input: {} },
  ] as const;
  for (const job of jobs) {
    nameOperation(`job: ${job.kind}`);
    await storeJob(job);
    await runSweep("operator_jobs");
  }
  nameOperation("the minute's sweeps");
  await insertPendingLead(db, {}, Date.now() - 3_600_000);
  for (const days of [0, 1, 100, 400]) await runSweeps(Date.now() + days * 24 * 60 * 60_000);
}

/** As a provider with a phone: buys a lead, lets one hold expire and pays for one too late. */
async function sendEveryBuyerAlert(nameOperation: NameOperation, service: PushStandIn): Promise<void> {
  const pat = await buyer();
  await allowNotifications(pat.as.cookie, await service.subscribe());
  nameOperation("a hold is about to lapse");
  const lapsing = await listedLead();
  const { holdId, intentId, holdExpiresAt } = await pat.opened(lapsing);
  await deliverAll(holdExpiresAt - MINUTE_MS);
  nameOperation("a hold has lapsed");
  await endHold(lapsing);
  await runAlarm(lapsing);
  await deliverAll();
  nameOperation("a payment came too late");
  stripe.intents.get(intentId)!.status = "requires_payment_method";
  stripe.confirm(intentId, "good");
  await pat.settle(holdId);
  await deliverAll();
  nameOperation("a lead was won");
  const won = await pat.opened(await listedLead());
  stripe.confirm(won.intentId, "good");
  await pat.settle(won.holdId);
  await deliverAll();
}

/** Notifies a team member of a bought lead and of a mention in its notes. */
async function sendEveryTeamAlert(nameOperation: NameOperation, service: PushStandIn): Promise<void> {
  const pat = await buyer();
  const sam = await insertTeamMember(db, pat.user, { firstName: "Sam" });
  await allowNotifications((await callerFor(sam.id)).cookie, await service.subscribe());
  const alerts = { sales: true, mentions: true };
  await expectSuccess(pat.as("PUT", `/api/team-members/${sam.id}/alerts`, alerts));
  nameOperation("a team hears of a sale");
  const body = bodyFor("POST /api/leads/:id/purchase");
  const bought = await expectSuccess(pat.as("POST", `/api/leads/${await listedLead()}/purchase`, body));
  const { id } = (await bought.json()) as { id: string };
  await deliverAll();
  nameOperation("a team mate is mentioned");
  await expectSuccess(
    pat.as("PATCH", `/api/lead-purchases/${id}/sales-stage`, { salesNotes: "@Sam please ring" }),
  );
  await deliverAll(Date.now() + MINUTE_MS);
}

/**
 * Lists a new lead, which alerts one device while another is busy. Lists more leads, and one device sends
 * itself a test.
 */
async function sendEveryMessage(nameOperation: NameOperation): Promise<void> {
  const service = usePushStandIn();
  const first = await newRecipient(service);
  await newRecipient(service);
  nameOperation("a lead is announced");
  await listedLead();
  service.fail({ status: 429, retryAfter: "30" });
  await deliverAll();
  await listedLead();
  await deliverAll(Date.now() + MINUTE_MS);
  nameOperation("a pause is set with a lead on its way, and ended");
  const pause = (pausedUntil: string | null) =>
    expectSuccess(first.as("PUT", "/api/notifications/lead-alerts", { urgencies: ["urgent"], pausedUntil }));
  const { first: tomorrow, last } = getPauseDayRange(Date.now());
  await pause(last);
  await listedLead();
  await deliverAll();
  await pause(tomorrow);
  await pause(last);
  await deliverAll(Date.now() + 2 * 24 * 60 * MINUTE_MS);
  await pause(null);
  await deliverAll();
  nameOperation("emails are sent");
  await raise("refund_failed", newId("pay"), "Still owed", Date.now());
  const withEmail = { ...testEnv, ...mailbox().changed };
  await runSweep("attention_sweep", Date.now(), withEmail);
  await deliverMessages(Date.now(), withEmail);
  nameOperation("a customer follows and withdraws their request");
  const request = await call("POST", "/api/leads", { body: quoteRequest() });
  const { id: leadId, token: requestToken } = await request.json<{ id: string; token: string }>();
  await expectSuccess(call("GET", `/api/requests?token=${requestToken}`));
  const sentLink = { token: await requestLink(leadId, Date.now(), { sentBy: "email" }) };
  await expectSuccess(call("POST", "/api/requests/opened", { body: sentLink }));
  const preference = { token: requestToken, contactMethod: "text", contactTime: "evening" };
  await expectSuccess(call("POST", "/api/requests/contact", { body: preference }));
  nameOperation("a customer's list of requests");
  const email = "anna.brown@example.com";
  await expectSuccess(callWith(withEmail, "POST", "/api/my-requests/links", { body: { email } }));
  await deliverMessages(Date.now(), withEmail);
  const ownList = { token: await listLink(email) };
  const opening = await expectSuccess(call("POST", "/api/my-requests/open", { body: ownList }));
  const opened = await opening.json<{ token: string }>();
  await expectSuccess(call("GET", `/api/my-requests?token=${opened.token}`));
  await expectSuccess(call("POST", "/api/my-requests/request-links", { body: { ...opened, leadId } }));
  const asCustomer = await callerFor((await insertUser(db, { userType: "customer", email })).id);
  await expectSuccess(asCustomer("GET", "/api/my-requests"));
  await expectSuccess(asCustomer("GET", "/api/my-requests/export.json"));
  await expectSuccess(asCustomer("POST", "/api/user/closure", { password: PASSWORD }));
  await runSweep("access_sweep", Date.now() + DAY_MS);
  nameOperation("a customer adds and deletes photos of their garden");
  const sent = { ...image(), headers: { "Content-Type": "image/png", "Request-Token": requestToken } };
  const added = await expectSuccess(call("POST", "/api/photos", sent));
  const { photo } = await added.json<PhotoAnswer>();
  await expectSuccess(call("GET", `/api/photos/${photo.id}/small?token=${requestToken}`));
  const removal = { body: { token: requestToken } };
  await expectSuccess(call("POST", `/api/photos/${photo.id}/removal`, removal));
  const early = { ...image(), headers: { "Content-Type": "image/png", "Upload-Token": crypto.randomUUID() } };
  await expectSuccess(call("POST", "/api/photos", early));
  await runSweep("photo_sweep", Date.now() + 2 * DAY_MS);
  nameOperation("a request is withdrawn");
  await expectSuccess(call("POST", "/api/requests/withdraw", { body: { token: requestToken } }));
  nameOperation("a customer says whether the provider called");
  const taken = await listedLead();
  const taker = await newRecipient(service);
  await expectSuccess(
    taker.as("POST", `/api/leads/${taken}/purchase`, bodyFor("POST /api/leads/:id/purchase")),
  );
  const link = await requestLink(taken);
  const [bought] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, taken));
  const asTaker = { ...image(), headers: { "Content-Type": "image/png" }, cookie: taker.as.cookie };
  const work = await expectSuccess(call("POST", `/api/photos/purchases/${bought!.id}/after`, asTaker));
  const workId = (await work.json<PhotoAnswer>()).photo.id;
  await expectSuccess(taker.as("PATCH", `/api/photos/${workId}`, { isOffered: true }));
  const agreement = { body: { token: link, isAgreed: true } };
  await expectSuccess(call("POST", `/api/photos/${workId}/agreement`, agreement));
  await expectSuccess(taker.as("DELETE", `/api/photos/${workId}`));
  await expectSuccess(call("POST", "/api/photos/own/logo", { ...asTaker, ...image() }));
  await expectSuccess(taker.as("GET", "/api/photos/own/logo"));
  for (const answer of ["never_asked", "called", "not_yet"])
    await expectSuccess(call("POST", "/api/requests/call-answer", { body: { token: link, answer } }));
  await decideEveryCase(nameOperation, taker, link);
  for (const hours of [0, 48, 72]) {
    await runSweep("call_clock_sweep", Date.now() + hours * 60 * MINUTE_MS);
    await deliverMessages(Date.now(), withEmail);
  }
  nameOperation("a customer reviews the provider");
  const { leadId: reviewedId } = await soldLead();
  const reviewLink = await requestLink(reviewedId);
  const fortnight = Date.now() + 14 * DAY_MS;
  await runSweep("review_sweep", fortnight);
  await deliverMessages(fortnight, withEmail);
  await expectSuccess(call("GET", `/api/reviews?token=${reviewLink}`));
  const written = { token: reviewLink, stars: 4, words: LONG_TEXT.slice(0, 1_000) };
  await expectSuccess(call("POST", "/api/reviews", { body: written }));
  await deliverMessages(Date.now(), withEmail);
  const [sold] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, reviewedId));
  const [review] = await db.select().from(reviews).where(eq(reviews.purchaseId, sold!.id));
  const reviewed = await callerFor(review!.businessId);
  await expectSuccess(reviewed("POST", `/api/reviews/${review!.id}/reply`, { reply: "Thanks" }));
  await publicReviews(review!.businessId, 2);
  const moderator = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  for (const rule of ["abuse", null])
    await expectSuccess(moderator("POST", `/api/super-admin/reviews/${review!.id}`, { rule }));
  await expectSuccess(moderator("DELETE", `/api/super-admin/reviews/${review!.id}/reply`));
  nameOperation("a request is passed on");
  const runnerUp = await payingBuyer();
  const { leadId: rescuedId } = await rescuedLead([runnerUp]);
  const rescuedToken = await requestLink(rescuedId);
  await expectSuccess(runnerUp.as("GET", "/api/leads/offers"));
  await expectSuccess(runnerUp.as("GET", `/api/leads/own-customers?ids=${rescuedId}`));
  await expectSuccess(call("GET", `/api/requests?token=${rescuedToken}`));
  await deliverMessages(Date.now(), withEmail);
  await endOffer(rescuedId);
  await expectSuccess(call("POST", "/api/requests/withdraw", { body: { token: rescuedToken } }));
  nameOperation("a customer changes, calls off and deletes a sold request");
  const { leadId: soldLeadId } = await soldLead();
  const ownToken = await requestLink(soldLeadId);
  const own = { token: ownToken, lastDigits: "0123" };
  const ownJob = requestChangeSchema.parse(
    quoteRequest({ urgency: "urgent", specificRequests: LONG_TEXT, customerName: "Kim Newname" }),
  );
  await expectSuccess(call("POST", "/api/requests/change", { body: { ...own, ...ownJob } }));
  const newPhone = { ...own, customerPhone: "02 5550 0123", customerEmail: "new.address@example.com" };
  await expectSuccess(call("POST", "/api/requests/phone", { body: newPhone }));
  await expectSuccess(call("POST", "/api/requests/withdraw", { body: own }));
  await expectSuccess(call("POST", "/api/requests/erase", { body: { ...own, lastDigits: "9999" } }));
  await expectSuccess(call("POST", "/api/requests/erase", { body: own }));
  nameOperation("emails about requests are stopped");
  const token = signStop(CHECKS.ORIGIN_HASH_KEY, "anna100@example.com");
  for (const isStopped of [true, false])
    await expectSuccess(callWith(CHECKS, "POST", "/api/email-stops", { body: { token, isStopped } }));
  await expectSuccess(callWith(CHECKS, "GET", `/api/email-stops?token=${token}`));
  const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  for (const address of ["anna100@example.com", "0491 570 158"])
    for (const isStopped of [true, false])
      await expectSuccess(asAdmin("PUT", "/api/super-admin/messages/stops", { address, isStopped }));
  nameOperation("kept cards are looked at");
  for (const year of ["2034", sydneyDay(Date.now()).slice(0, 4)]) {
    const stripeCustomerId = stripe.book.vault.addCustomer({}).id;
    const expiry = {
      "payment_method_data[card][exp_year]": year,
      "payment_method_data[card][exp_month]": sydneyDay(Date.now()).slice(5, 7),
    };
    stripe.book.vault.addMethod("4242424242424242", new URLSearchParams(expiry)).customer = stripeCustomerId;
    await insertUser(db, { email: `${stripeCustomerId}@example.com`, stripeCustomerId });
  }
  stripe.fail("list_cards", "lost");
  await runSweep("card_sweep", Date.now(), withEmail);
  await deliverMessages(Date.now(), withEmail);
  nameOperation("what is due goes through the queue");
  await listedLead();
  const queue = new QueueStandIn();
  const withQueue: Bindings = { ...withEmail, ...PUSH_SETTINGS, MESSAGE_QUEUE: queue.binding };
  await runSweep("message_sweep", Date.now(), withQueue);
  await queue.drain(withQueue);
  nameOperation("a text is sent");
  useSmsStandIn();
  await enableTexts();
  const lead = await listed({ customerPhone: "0491 570 158", customerEmail: "" });
  const body = bodyFor("POST /api/leads/:id/purchase");
  const reached = await buyer();
  await allowNotifications(reached.as.cookie, await service.subscribe());
  await expectSuccess(reached.as("POST", `/api/leads/${lead.id}/purchase`, body));
  await deliverMessages(Date.now(), smsEnv);
  // The product sends texts only by day, but this walk also runs at night.
  await db
    .update(messages)
    .set({ state: "sent", attempts: 1 })
    .where(and(eq(messages.leadId, lead.id), eq(messages.channel, "sms")));
  for (const word of [
    { custom_ref: "msg_walk", status: "delivered" },
    { type: "inbound", sender: "61491570158", message: "Can you come on Friday?" },
    { type: "inbound", sender: "61491570158", message: "Can you come on Friday?" },
    { type: "inbound", sender: "61491570158", message: "Hello?", original_custom_ref: "msg_walk" },
    { type: "unsubscribe", sender: "61491570158" },
  ])
    await expectSuccess(
      callWith(SMS_SETTINGS, "POST", `/api/sms/webhook/${SMS_SETTINGS.SMS_WEBHOOK_SECRET}`, { body: word }),
    );
  nameOperation("a customer wrote back");
  await deliverAll();
  nameOperation("a test is sent");
  const path = `/api/notifications/devices/${first.deviceId}`;
  await expectSuccess(callWith(PUSH_SETTINGS, "POST", `${path}/test`, { cookie: first.as.cookie }));
  await expectSuccess(first.as("GET", "/api/notifications"));
  await expectSuccess(first.as("DELETE", path));
  await sendEveryBuyerAlert(nameOperation, service);
  await sendEveryTeamAlert(nameOperation, service);
}

/** @param oldProvider data of a provider with years of history */
export async function exerciseEverything(
  nameOperation: NameOperation,
  oldProvider: OldProvider,
): Promise<void> {
  await loadEveryList(nameOperation, oldProvider);
  await callEveryRoute(nameOperation, oldProvider);
  await makeEveryPayment(nameOperation);
  await reportEveryBadLead(nameOperation);
  await runEveryCheck(nameOperation);
  await performEveryAdminAct(nameOperation);
  await signInEveryWay(nameOperation);
  await sendEveryMessage(nameOperation);
  await runEveryJob(nameOperation);
}
