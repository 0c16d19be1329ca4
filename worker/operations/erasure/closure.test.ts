/** An owner closes their own account in Settings. The cron then erases it as an operator's command does. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { HOUR_MS } from "../../../contract/durations.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import {
  buyer,
  exchange,
  listedLead,
  runAlarm,
  typeCard,
  UNREACHABLE_STRIPE_URL,
} from "../../../testing/cards.ts";
import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { requestLink, runSweep, runSweeps } from "../../../testing/drivers.ts";
import { auditEntries, purchasesBy, setUser, userRow } from "../../../testing/facts.ts";
import { PROVIDER, signUpForm } from "../../../testing/email-links.ts";
import { jobRow, runJob } from "../../../testing/operator.ts";
import { openSocket } from "../../../testing/sockets.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  insertFreeClaim,
  insertProfile,
  insertTeamMember,
  insertUser,
  PASSWORD,
} from "../../../testing/world.ts";
import { CLOSE } from "../../../contract/exchange.ts";
import { users } from "../../tables.ts";

const CLOSURE = "/api/user/closure";

const close = (as: Awaited<ReturnType<typeof callerFor>>, password = PASSWORD) =>
  as("POST", CLOSURE, { password });

const canSignIn = async (username: string) =>
  (await call("POST", "/api/auth/login", { body: { username, password: PASSWORD } })).status === 200;

test("an owner closes the account: it ends at once, and the cron erases it with its team", async () => {
  const { user, as, opened, settle } = await buyer({ username: "leaving", email: "leaving@example.com" });
  const member = await insertTeamMember(db, user, { username: "hand@example.com" });
  const { slug } = await insertProfile(db, user);
  const rival = await buyer();
  const leadId = await listedLead();
  const payment = await opened(leadId);
  await typeCard(payment, "4242 4242 4242 4242");
  expect(await settle(payment.holdId)).toMatchObject({ status: "sold" });
  const page = async () => (await call("GET", `/api/profiles/${slug}`)).status;
  expect(await page()).toBe(200);
  const asMember = await callerFor(member.id);
  const socket = await openSocket("/api/business/live", asMember.cookie);

  const { sent, changed } = mailbox();
  const closed = await callWith(changed, "POST", CLOSURE, {
    cookie: as.cookie,
    body: { password: PASSWORD },
  });
  expect(closed.status).toBe(200);
  expect(closed.headers.getSetCookie().filter((cookie) => cookie.includes("Max-Age=0"))).toHaveLength(2);
  expect(sent).toMatchObject([{ to: "leaving@example.com", subject: "Your Naturestrip account is closed" }]);
  for (const gone of [as, asMember]) expect((await gone("GET", "/api/auth/me")).status).toBe(401);
  expect((await socket.closed).code).toBe(CLOSE.signedOut);
  expect(await canSignIn("leaving")).toBe(false);
  expect(await canSignIn("hand@example.com")).toBe(false);
  expect(await page()).toBe(404);

  const now = Date.now();
  await runSweeps(now);
  expect(await userRow(user.id)).toMatchObject({ username: `erased-${user.id}`, firstName: "Erased" });
  expect(await userRow(member.id)).toMatchObject({ username: `erased-${member.id}` });
  expect(await page()).toBe(404);
  const trail = await auditEntries(user.id);
  expect(trail.map(({ action, actorUserId }) => [action, actorUserId])).toEqual(
    expect.arrayContaining([
      ["user.closed", user.id],
      ["user.erased", null],
    ]),
  );
  const token = await requestLink(leadId, now);
  expect(await (await call("GET", `/api/requests?token=${token}`)).json()).toMatchObject({
    request: { provider: { name: "A local provider" } },
  });
  // No other business gets the customer.
  expect(await (await rival.as("GET", "/api/my-purchased-leads")).json()).toEqual([]);
  // The username can be used again.
  await insertUser(db, { username: "leaving" });
});

test("a wrong password closes nothing and counts as a failed sign-in", async () => {
  const user = await insertUser(db);
  const as = await callerFor(user.id);
  expect(await (await close(as, "not it")).json()).toMatchObject({
    status: 400,
    errors: { password: "That password isn't right. Please try again." },
  });
  await runSweeps();
  expect(await userRow(user.id)).toEqual(user);
  expect(await (await as("GET", "/api/user/sign-ins")).json()).toMatchObject([
    { succeeded: false },
    { succeeded: true },
  ]);
});

test("a team member cannot close the owner's account, and nor can a super admin close their own", async () => {
  const owner = await insertUser(db);
  const admin = await insertUser(db, { isSuperAdmin: true });
  for (const { id } of [await insertTeamMember(db, owner), admin])
    expect(await (await close(await callerFor(id))).json()).toMatchObject({ status: 403, code: "forbidden" });
  await runSweeps();
  expect(await userRow(owner.id)).toEqual(owner);
  expect(await userRow(admin.id)).toEqual(admin);
});

test("an owner who is buying a lead has to pay for it or release it first", async () => {
  const { user, as, opened, close: release } = await buyer();
  const leadId = await listedLead();
  const { holdId } = await opened(leadId);
  expect(await (await close(as)).json()).toMatchObject({
    status: 409,
    code: "open_purchase",
    detail: "You're buying a lead. Finish or close the payment first. Then you can close your account.",
  });
  expect((await as("GET", "/api/auth/me")).status).toBe(200);
  await release(holdId);
  await runAlarm(leadId);
  expect(await exchange.listHolds()).toEqual([]);
  expect((await close(as)).status).toBe(200);
  await runSweeps();
  expect(await userRow(user.id)).toMatchObject({ firstName: "Erased" });
});

test("if the erasure keeps failing, admins are alerted, and the alert closes after an operator's erasure", async () => {
  const { list } = await insertAdmin();
  const alerts = () => list<{ kind: string }>("/api/super-admin/attention");
  const user = await insertUser(db, { stripeCustomerId: "cus_unreachable" });
  expect((await close(await callerFor(user.id))).status).toBe(200);
  const away = { ...testEnv, STRIPE_API_HOST: UNREACHABLE_STRIPE_URL };
  const now = Date.now();
  for (let hours = 0; hours < 16; hours += 2) {
    expect(await alerts()).toEqual([]);
    await runSweep("operator_jobs", now + hours * HOUR_MS, away);
  }
  expect(await jobRow(`job_closure_${user.id}`)).toMatchObject({ state: "failed", input: null });
  expect(await alerts()).toMatchObject([{ kind: "closure_failed", subjectId: user.id }]);

  // An admin reactivates the account, and its owner closes it again.
  await setUser(user.id, { isActive: true });
  expect((await close(await callerFor(user.id))).status).toBe(200);
  await runSweep("operator_jobs", now);
  expect(await userRow(user.id)).toMatchObject({ firstName: "Erased" });
  await runSweep("attention_sweep", now);
  expect(await alerts()).toEqual([]);
});

test("a retry of the erasure spares a new account with the same username", async () => {
  const username = "comes-back";
  const user = await insertUser(db, { username, stripeCustomerId: "cus_unreachable" });
  expect((await close(await callerFor(user.id))).status).toBe(200);
  const away = { ...testEnv, STRIPE_API_HOST: UNREACHABLE_STRIPE_URL };
  const now = Date.now();
  await runSweep("operator_jobs", now, away);
  await runJob({ kind: "erase_person", input: { phone: null, email: null, username } }, now);
  expect(await userRow(user.id)).toMatchObject({ firstName: "Erased" });
  const signUp = await call("POST", PROVIDER, { body: signUpForm({ username, email: null }) });
  expect(signUp.status).toBe(200);
  await runSweep("operator_jobs", now + 2 * HOUR_MS);
  expect(await jobRow(`job_closure_${user.id}`)).toMatchObject({ state: "done" });
  expect(await db.$count(users, eq(users.username, username))).toBe(1);
});

test.each(["provider", "customer"] as const)(
  "the email about a %s's closure outlives the erasure if the mail service was down",
  async (userType) => {
    const email = `unlucky-${userType}@example.com`;
    const user = await insertUser(db, { email, userType });
    const { cookie } = await callerFor(user.id);
    const away = mailbox({ isFailing: true });
    const body = { password: PASSWORD };
    expect((await callWith(away.changed, "POST", CLOSURE, { cookie, body })).status).toBe(200);
    const { sent, changed } = mailbox();
    const now = Date.now();
    await runSweeps(now, { ...testEnv, ...changed });
    expect(await userRow(user.id)).toMatchObject({ firstName: "Erased" });
    const mine = () => sent.filter(({ to }) => to === email);
    expect(mine()).toEqual([]);
    await runSweeps(now + HOUR_MS, { ...testEnv, ...changed });
    expect(mine()).toMatchObject([{ text: expect.stringMatching(/^Hello,/) }]);
  },
);

test("an account that closes while a free claim gets a lead keeps no name on the purchase", async () => {
  const { user, as } = await buyer();
  await insertFreeClaim(db, user);
  const leadId = await listedLead();
  const [, closed] = await Promise.all([as("POST", `/api/leads/${leadId}/claim-with-credit`), close(as)]);
  // The closure is refused if the claim came first and is not finished.
  expect([200, 409]).toContain(closed.status);
  if (closed.status === 409) expect((await close(as)).status).toBe(200);
  await runSweeps(Date.now() + HOUR_MS);
  expect(await userRow(user.id)).toMatchObject({ firstName: "Erased" });
  for (const purchase of await purchasesBy(user.id))
    expect(purchase).toMatchObject({ buyerName: "Erased provider", buyerPhone: null });
});
