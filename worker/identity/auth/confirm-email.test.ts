/** If email is configured, an address is used only after confirmation. */
import { expect, test } from "vitest";

import { call, callWith, db, rowCounts } from "../../../testing/client.ts";
import { auditEntries, setUser } from "../../../testing/facts.ts";
import {
  backdateEmails,
  confirm,
  login,
  MINUTE_MS,
  newcomer,
  PROVIDER,
  signUpForm,
  stored,
  tokenIn,
  requestEmailChange,
} from "../../../testing/email-links.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { browserOf } from "../../../testing/passkeys.ts";
import { insertUser } from "../../../testing/world.ts";

const CUSTOMER = "/api/auth/customer/signup";

test("a taken address is refused as without email: nothing is stored or sent", async () => {
  await insertUser(db, { email: "owner@example.com" });
  await insertUser(db, { username: "named@example.com" });
  const { sent, changed } = mailbox();
  for (const path of [PROVIDER, CUSTOMER]) {
    for (const email of ["Owner@Example.com", "named@example.com"]) {
      const before = await rowCounts();
      const response = await callWith(changed, "POST", path, { body: signUpForm({ email }) });
      expect(await response.json()).toMatchObject({
        status: 409,
        code: "email_taken",
        errors: { email: "Email already registered" },
      });
      expect(await rowCounts()).toEqual(before);
    }
  }
  expect(sent).toEqual([]);
});

test("with a taken username, a sign-up reveals nothing about the address", async () => {
  const taken = await insertUser(db, { email: "behind-a-name@example.com" });
  const { changed } = mailbox();
  for (const email of [taken.email, "free-behind-a-name@example.com"]) {
    const body = signUpForm({ username: taken.username, email });
    const response = await callWith(changed, "POST", PROVIDER, { body });
    expect(await response.json()).toMatchObject({ status: 409, code: "username_taken" });
  }
});

test("a mailbox gets at most one email in five minutes, from all accounts together", async () => {
  const email = "flooded-box@example.com";
  const first = await newcomer(email);
  expect(first.sent).toHaveLength(1);
  const [second, third] = await Promise.all([requestEmailChange(email), requestEmailChange(email)]);
  expect([...second.sent, ...third.sent]).toEqual([]);
  await backdateEmails(first.user.id, 5 * MINUTE_MS);
  const later = await Promise.all([requestEmailChange(email), requestEmailChange(email)]);
  expect(later.flatMap(({ sent }) => sent)).toHaveLength(1);
});

test("an unconfirmed address gives no sign-in and no password link, and blocks no other account", async () => {
  const { sent, at, user, changed } = await newcomer("waiting@example.com");
  expect(user).toMatchObject({ email: null, pendingEmail: "waiting@example.com" });
  expect((await login(user.username)).status).toBe(200);
  expect((await login("waiting@example.com")).status).toBe(401);
  const requestPasswordLink = (username: string) =>
    callWith(changed, "POST", "/api/auth/forgot-password", { body: { username } });
  await requestPasswordLink("waiting@example.com");
  await requestPasswordLink(user.username);
  expect(sent).toHaveLength(1);
  expect(await at.json("GET", "/api/auth/me")).toMatchObject({
    email: null,
    pendingEmail: "waiting@example.com",
  });

  const token = tokenIn(sent[0]);
  const link = await call("GET", `/api/auth/email-link?token=${token}`);
  expect(await link.json()).toEqual({
    firstName: "Nora",
    username: user.username,
    email: "waiting@example.com",
  });
  const confirmed = await confirm(token, changed);
  expect([confirmed.status, confirmed.headers.getSetCookie()]).toEqual([200, []]);
  expect((await login("Waiting@example.com")).status).toBe(200);
  await requestPasswordLink("waiting@example.com");
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    ["waiting@example.com", "Confirm your email for Naturestrip"],
    ["waiting@example.com", "Choose a new password for Naturestrip"],
  ]);
  expect(await at.json("GET", "/api/auth/me")).toMatchObject({
    email: "waiting@example.com",
    pendingEmail: null,
  });
  const trail = await auditEntries(user.id);
  expect(trail.map(({ action, actorUserId }) => [action, actorUserId])).toEqual([
    ["user.created", user.id],
    ["user.email_confirmed", user.id],
    ["user.password_link_issued", null],
  ]);
  expect(JSON.stringify(trail)).not.toMatch(/waiting@|@example/);
});

test("a link works once and for 24 hours, and opening it does not use it up", async () => {
  const { sent, user } = await requestEmailChange("once@example.com");
  const token = tokenIn(sent[0]);
  for (let i = 0; i < 2; i++)
    expect((await call("GET", `/api/auth/email-link?token=${token}`)).status).toBe(200);
  const answers = await Promise.all([confirm(token), confirm(token), confirm(token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
  expect(await (await confirm(token)).json()).toMatchObject({ status: 410, code: "link_ended" });
  expect((await call("GET", `/api/auth/email-link?token=${token}`)).status).toBe(410);
  const trail = await auditEntries(user.id);
  expect(trail.filter(({ action }) => action === "user.email_confirmed")).toHaveLength(1);

  const late = await requestEmailChange("late@example.com");
  await backdateEmails(late.user.id, 24 * 60 * MINUTE_MS);
  expect((await confirm(tokenIn(late.sent[0]))).status).toBe(410);
  expect((await confirm("t".repeat(43))).status).toBe(410);
  expect(await stored(late.user.username)).toMatchObject({ email: null, pendingEmail: "late@example.com" });
});

test("when two accounts have the same pending address, the first to confirm gets it", async () => {
  const one = await requestEmailChange("shared@example.com");
  await backdateEmails(one.user.id, 5 * MINUTE_MS);
  const two = await requestEmailChange("shared@example.com");
  const tokens = [tokenIn(one.sent[0]), tokenIn(two.sent[0])];
  const answers = await Promise.all(tokens.map((token) => confirm(token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const lost = answers.findIndex(({ status }) => status === 409);
  const before = await rowCounts();
  const again = await confirm(tokens[lost]!);
  expect(await again.json()).toMatchObject({
    status: 409,
    code: "email_taken",
    detail: expect.stringContaining("belongs to another account"),
  });
  expect(await rowCounts()).toEqual(before);
  expect(await stored([one, two][lost]!.user.username)).toMatchObject({
    email: null,
    pendingEmail: "shared@example.com",
  });
});

test("a pending address that another user has taken as a username belongs to that user", async () => {
  const { sent } = await requestEmailChange("squatted@example.com");
  await insertUser(db, { username: "Squatted@example.com" });
  expect(await (await confirm(tokenIn(sent[0]))).json()).toMatchObject({ status: 409, code: "email_taken" });
});

test("the link of a closed account confirms nothing", async () => {
  const { sent, user } = await requestEmailChange("closed@example.com");
  await setUser(user.id, { isActive: false });
  expect((await confirm(tokenIn(sent[0]))).status).toBe(410);
});

test("a username cannot be an address, because no one confirms it", async () => {
  const { changed } = mailbox();
  for (const path of [PROVIDER, CUSTOMER]) {
    const before = await rowCounts();
    const body = signUpForm({ username: "free-name@example.com", email: "" });
    const response = await callWith(changed, "POST", path, { body });
    expect(await response.json()).toMatchObject({
      status: 400,
      errors: { username: expect.stringContaining("without @") },
    });
    expect(await rowCounts()).toEqual(before);
  }
});

test("a provider created by a super admin gets the address at once", async () => {
  const { changed, sent } = mailbox();
  await insertUser(db, { email: "admins-taken@example.com" });
  const admin = await browserOf((await insertUser(db, { isSuperAdmin: true })).id, changed);
  expect(await admin.json("POST", PROVIDER, signUpForm({ email: "admins-taken@example.com" }))).toMatchObject(
    {
      status: 409,
      code: "email_taken",
    },
  );
  expect(await admin.json("POST", PROVIDER, signUpForm({ email: "admins-new@example.com" }))).toMatchObject({
    email: "admins-new@example.com",
    pendingEmail: null,
  });
  expect(sent).toEqual([]);
});

test("an account without an address needs no confirmation, and an email outage locks no user out", async () => {
  const { changed, sent } = mailbox();
  expect((await callWith(changed, "POST", PROVIDER, { body: signUpForm({ email: "" }) })).status).toBe(200);
  expect(sent).toEqual([]);
  const brokenMail = mailbox({ isFailing: true }).changed;
  const response = await callWith(brokenMail, "POST", PROVIDER, {
    body: signUpForm({ email: "unreached-new@example.com" }),
  });
  expect(response.status).toBe(200);
});
