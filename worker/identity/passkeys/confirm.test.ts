/** The user must confirm their identity before actions that a stolen session must not take. */
import { MINUTE_MS } from "../../../contract/durations.ts";
import { expect, test } from "vitest";

import { makeAuthenticator } from "../../../testing/stand-ins/authenticator.ts";
import { db } from "../../../testing/client.ts";
import { bankDetailsOf, passkeysOf, setSessions, userRow } from "../../../testing/facts.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  type Browser,
  browserOf,
  RELYING_PARTY,
  signChallenge,
  insertPasskeyUser,
} from "../../../testing/passkeys.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";

const CONFIRM = "/api/auth/confirm";

/** Moves the start of a user's sessions back by `ms`. */
async function ageSession(userId: string, ms: number): Promise<void> {
  const at = Date.now() - ms;
  await setSessions(userId, { signedInAt: at, confirmedAt: at });
}

const info = { firstName: "Pat", lastName: "Provider", phone: "0491 570 006" };
const bank = { bankName: "Harbour Bank", accountName: "Pat", bsb: "062-000", accountNumber: "12345678" };

const PROTECTED_ACTIONS: [what: string, act: (at: Browser, keyId: string) => Promise<Response>][] = [
  ["bank details", (at) => at.call("PUT", "/api/user/bank-details", bank)],
  [
    "the email address",
    (at) => at.call("PUT", "/api/user/personal-info", { ...info, email: "new@example.com" }),
  ],
  ["adding a passkey", (at) => at.call("POST", "/api/passkeys/options")],
  ["removing a passkey", (at, keyId) => at.call("DELETE", `/api/passkeys/${keyId}`)],
  ["recovery codes", (at) => at.call("POST", "/api/passkeys/recovery-codes")],
];

test.each(PROTECTED_ACTIONS)(
  "%s: a sign-in ten minutes ago is too old, and a new confirmation allows it",
  async (_, act) => {
    const user = await insertUser(db);
    const { at, passkeyId } = await insertPasskeyUser(user.id);
    await ageSession(user.id, 10 * MINUTE_MS);
    expect(await (await act(at, passkeyId)).json()).toMatchObject({ status: 403, code: "confirm_needed" });
    expect((await at.call("POST", `${CONFIRM}/password`, { password: PASSWORD })).status).toBe(200);
    const done = await act(at, passkeyId);
    expect(done.ok, `${done.status}`).toBe(true);
  },
);

test("a nine-minute-old sign-in is recent enough, and other changes need no confirmation", async () => {
  const user = await insertUser(db);
  const at = await browserOf(user.id);
  await ageSession(user.id, 9 * MINUTE_MS);
  expect((await at.call("PUT", "/api/user/bank-details", bank)).status).toBe(200);
  await ageSession(user.id, 30 * 24 * 60 * MINUTE_MS);
  expect((await at.call("PUT", "/api/user/personal-info", info)).status).toBe(200);
  expect((await at.call("GET", "/api/user/bank-details")).status).toBe(200);
  expect((await at.call("GET", "/api/passkeys")).status).toBe(200);
});

test("a confirmation counts only for its own session", async () => {
  const user = await insertUser(db);
  const [here, there] = [await browserOf(user.id), await browserOf(user.id)];
  await ageSession(user.id, 60 * MINUTE_MS);
  await here.call("POST", `${CONFIRM}/password`, { password: PASSWORD });
  expect((await here.call("PUT", "/api/user/bank-details", bank)).status).toBe(200);
  expect((await there.call("PUT", "/api/user/bank-details", bank)).status).toBe(403);
});

test("a refused change changes nothing", async () => {
  const user = await insertUser(db, { email: "stays@example.com" });
  const at = await browserOf(user.id);
  await ageSession(user.id, 60 * MINUTE_MS);
  const change = { ...info, firstName: "Changed", email: "thief@example.com" };
  expect((await at.call("PUT", "/api/user/personal-info", change)).status).toBe(403);
  const row = await userRow(user.id);
  expect(row).toMatchObject({ email: "stays@example.com", firstName: user.firstName });
  await at.call("PUT", "/api/user/bank-details", bank);
  expect(await bankDetailsOf(user.id)).toEqual([]);
});

test("a wrong password confirms nothing and is refused at its field", async () => {
  const user = await insertUser(db);
  const at = await browserOf(user.id);
  await ageSession(user.id, 60 * MINUTE_MS);
  expect(await at.json("POST", `${CONFIRM}/password`, { password: "not it" })).toMatchObject({
    status: 400,
    errors: { password: "That password isn't right. Please try again." },
  });
  expect((await at.call("PUT", "/api/user/bank-details", bank)).status).toBe(403);
});

test("for an account with a passkey, a password-only session cannot be confirmed by password", async () => {
  const user = await insertUser(db);
  const old = await browserOf(user.id);
  const { key } = await insertPasskeyUser(user.id);
  await ageSession(user.id, 60 * MINUTE_MS);
  expect(await old.json("GET", CONFIRM)).toEqual({ byPasskey: true, byPassword: false });
  expect(await old.json("POST", `${CONFIRM}/password`, { password: PASSWORD })).toMatchObject({
    status: 403,
    code: "passkey_needed",
  });
  const proof = await signChallenge(old, `${CONFIRM}/passkey`, key);
  expect((await old.call("POST", `${CONFIRM}/passkey`, proof)).status).toBe(200);
  expect((await old.call("PUT", "/api/user/bank-details", bank)).status).toBe(200);
  expect(await old.json("GET", CONFIRM)).toEqual({ byPasskey: true, byPassword: true });
  // Each challenge works once.
  expect(await old.json("POST", `${CONFIRM}/passkey`, proof)).toMatchObject({ code: "sign_in_ended" });
});

test("another user's passkey confirms nothing", async () => {
  const [user, other] = [await insertUser(db), await insertUser(db)];
  const { at } = await insertPasskeyUser(user.id);
  const theirs = await insertPasskeyUser(other.id);
  const proof = await signChallenge(at, `${CONFIRM}/passkey`, theirs.key);
  expect(await at.json("POST", `${CONFIRM}/passkey`, proof)).toMatchObject({ code: "passkey_refused" });
});

test("the account's address gets an email about new bank details, without them", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "before@example.com" });
  const at = await browserOf(user.id, changed);
  await at.call("PUT", "/api/user/bank-details", bank);
  expect(sent).toMatchObject([
    { to: "before@example.com", subject: "The bank details on your Naturestrip account were changed" },
  ]);
  expect(JSON.stringify(sent)).not.toMatch(/12345678|062-?000/);
});

const DEMANDED = { ADMIN_PASSKEYS: "required" };

test("when passkeys are required, a super admin without one has no admin rights until they add one", async () => {
  const admin = await insertUser(db, { isSuperAdmin: true });
  const at = await browserOf(admin.id, DEMANDED);
  expect(await at.json("GET", "/api/auth/me")).toMatchObject({ isSuperAdmin: false, needsPasskey: true });
  for (const path of ["/api/super-admin/overview", "/api/users/providers", "/api/super-admin/audit"]) {
    expect(await at.json("GET", path), path).toMatchObject({ status: 403, code: "passkey_needed" });
  }
  const target = await insertUser(db);
  expect(await at.json("POST", "/api/auth/impersonate", { targetUserId: target.id })).toMatchObject({
    code: "passkey_needed",
  });
  expect(await at.json("GET", "/api/passkeys")).toMatchObject({ isDemanded: true });
  const key = await makeAuthenticator(RELYING_PARTY);
  const options = await at.json<{ challenge: string; user: { id: string } }>("POST", "/api/passkeys/options");
  await at.call("POST", "/api/passkeys", { credential: await key.create(options) });
  expect(await at.json("GET", "/api/auth/me")).toMatchObject({ isSuperAdmin: true, needsPasskey: false });
  expect((await at.call("GET", "/api/super-admin/overview")).status).toBe(200);
});

test("when passkeys are required, a super admin's older session also needs the passkey", async () => {
  const admin = await insertUser(db, { isSuperAdmin: true });
  const old = await browserOf(admin.id, DEMANDED);
  const { key } = await insertPasskeyUser(admin.id, DEMANDED);
  expect((await old.call("GET", "/api/super-admin/overview")).status).toBe(403);
  await old.call("POST", `${CONFIRM}/passkey`, await signChallenge(old, `${CONFIRM}/passkey`, key));
  expect((await old.call("GET", "/api/super-admin/overview")).status).toBe(200);
});

test("when passkeys are required, impersonating and returning does not ask for one again", async () => {
  const [admin, target] = [await insertUser(db, { isSuperAdmin: true }), await insertUser(db)];
  const { at } = await insertPasskeyUser(admin.id, DEMANDED);
  expect((await at.call("POST", "/api/auth/impersonate", { targetUserId: target.id })).status).toBe(200);
  expect(await at.json("GET", "/api/auth/me")).toMatchObject({ id: target.id, isImpersonating: true });
  await at.call("POST", "/api/auth/stop-impersonation");
  expect((await at.call("GET", "/api/super-admin/overview")).status).toBe(200);
});

test("when passkeys are required, a super admin cannot remove their last one", async () => {
  const admin = await insertUser(db, { isSuperAdmin: true });
  const { at, passkeyId } = await insertPasskeyUser(admin.id, DEMANDED);
  expect(await at.json("DELETE", `/api/passkeys/${passkeyId}`)).toMatchObject({
    status: 409,
    code: "last_passkey",
  });
  expect(await passkeysOf(admin.id)).toHaveLength(1);
});

test("when passkeys are required, providers and team members do not need one", async () => {
  const owner = await insertUser(db);
  for (const { id } of [owner, await insertTeamMember(db, owner)]) {
    const at = await browserOf(id, DEMANDED);
    expect(await at.json("GET", "/api/auth/me")).toMatchObject({ needsPasskey: false });
    expect((await at.call("GET", "/api/leads")).status).toBe(200);
    expect(await at.json("GET", "/api/passkeys")).toMatchObject({ isDemanded: false });
  }
});
