/** Signs in with a passkey alone, with a passkey after a password, and with a recovery code. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { HOUR_MS } from "../../../contract/durations.ts";
import type { UserRow } from "../../platform/caller.ts";
import { oneTimeSecrets, passkeys } from "../../tables.ts";
import { makeAuthenticator } from "../../../testing/stand-ins/authenticator.ts";
import { db, rowCounts } from "../../../testing/client.ts";
import { runSweep } from "../../../testing/drivers.ts";
import { passkeysOf, sessionsOf, setUser, signInsOf } from "../../../testing/facts.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  signInToSecondStep,
  browser,
  type Browser,
  RELYING_PARTY,
  signChallenge,
  insertPasskeyUser,
} from "../../../testing/passkeys.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";

const ALONE = "/api/auth/passkey";
const SECOND = "/api/auth/second-factor";

const me = async (at: Browser) => (await at.call("GET", "/api/auth/me")).status;

async function userWithPasskey(overrides: Parameters<typeof insertUser>[1] = {}) {
  const user = await insertUser(db, overrides);
  return { user, ...(await insertPasskeyUser(user.id)) };
}

const lastSignIn = async (userId: string) => (await signInsOf(userId)).at(-1);

test("after the right password, the user's passkey is required and signs them in", async () => {
  const { user, key } = await userWithPasskey();
  const at = await signInToSecondStep(user.username);
  expect(await me(at)).toBe(401);
  expect(await at.json("GET", SECOND)).toEqual({ firstName: user.firstName, hasRecoveryCodes: true });
  const response = await at.call("POST", SECOND, await signChallenge(at, SECOND, key));
  expect(await response.json()).toMatchObject({ id: user.id });
  expect(await me(at)).toBe(200);
  expect([...at.jar.keys()].toSorted()).toEqual(["device", "session"]);
  expect(await lastSignIn(user.id)).toMatchObject({ method: "password_and_passkey", succeeded: true });
});

test("a passkey alone signs its owner in", async () => {
  const { user, key } = await userWithPasskey();
  const member = await insertTeamMember(db, user);
  const theirs = await insertPasskeyUser(member.id);
  for (const [person, device] of [
    [user, key],
    [member, theirs.key],
  ] as const) {
    const at = browser();
    const response = await at.call("POST", ALONE, await signChallenge(at, ALONE, device));
    expect(await response.json()).toMatchObject({ id: person.id });
    expect(await me(at)).toBe(200);
    expect(await lastSignIn(person.id)).toMatchObject({ method: "passkey", succeeded: true });
  }
});

test("the response to a wrong password does not reveal passkeys", async () => {
  const { user } = await userWithPasskey();
  const at = browser();
  const response = await at.call("POST", "/api/auth/login", { username: user.username, password: "not it" });
  expect(response.status).toBe(401);
  expect(at.jar.size).toBe(0);
});

const TAMPERINGS = {
  "on another site": { origin: "http://naturestrip.evil" },
  "with another scheme": { origin: "https://naturestrip.test" },
  "for another host": { rpId: "naturestrip.evil" },
  "without user verification": { isVerified: false },
  "with another signature": { isForged: true },
  "with a registration response": { type: "webauthn.create" },
} as const;

test.each(Object.entries(TAMPERINGS))("a passkey used %s does not sign in", async (_, tampering) => {
  const { user, key } = await userWithPasskey();
  for (const [path, at] of [
    [ALONE, browser()],
    [SECOND, await signInToSecondStep(user.username)],
  ] as const) {
    const response = await at.call("POST", path, await signChallenge(at, path, key, tampering));
    expect(await response.json(), path).toMatchObject({ status: 401, code: "passkey_refused" });
    expect(await me(at)).toBe(401);
  }
});

test("a passkey response is accepted once", async () => {
  const { user, key } = await userWithPasskey();
  for (const [path, at] of [
    [ALONE, browser()],
    [SECOND, await signInToSecondStep(user.username)],
  ] as const) {
    const answer = await signChallenge(at, path, key);
    const again = browser({}, Object.fromEntries(at.jar));
    expect((await at.call("POST", path, answer)).status, path).toBe(200);
    expect(await again.json("POST", path, answer), path).toMatchObject({
      status: 410,
      code: "sign_in_ended",
    });
    expect(await me(again)).toBe(401);
  }
});

test("of two concurrent responses to one challenge, only one signs in", async () => {
  const { user, key } = await userWithPasskey();
  const path = SECOND;
  const at = await signInToSecondStep(user.username);
  const answer = await signChallenge(at, path, key);
  const other = browser({}, Object.fromEntries(at.jar));
  const both = await Promise.all([at.call("POST", path, answer), other.call("POST", path, answer)]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a passkey response is refused in another browser and after five minutes", async () => {
  const { key } = await userWithPasskey();
  const at = browser();
  const answer = await signChallenge(at, ALONE, key);
  for (const other of [browser(), browser({}, { "sign-in": "t".repeat(43) })]) {
    expect(await other.json("POST", ALONE, answer)).toMatchObject({ code: "sign_in_ended" });
  }
  await db.update(oneTimeSecrets).set({ expiresAt: Date.now() });
  expect(await at.json("POST", ALONE, answer)).toMatchObject({ code: "sign_in_ended" });
});

test("a challenge for one purpose is refused for another", async () => {
  const { user, key } = await userWithPasskey();
  const at = browser();
  const alone = await signChallenge(at, ALONE, key);
  expect(await at.json("POST", SECOND, alone)).toMatchObject({ code: "sign_in_ended" });
  const second = await signInToSecondStep(user.username);
  expect(await second.json("POST", ALONE, await signChallenge(second, SECOND, key))).toMatchObject({
    code: "sign_in_ended",
  });
});

test("another account's passkey is refused as a second step", async () => {
  const [mine, theirs] = [await userWithPasskey(), await userWithPasskey()];
  const at = await signInToSecondStep(mine.user.username);
  expect(await at.json("POST", SECOND, await signChallenge(at, SECOND, theirs.key))).toMatchObject({
    code: "passkey_refused",
  });
  expect(await lastSignIn(mine.user.id)).toMatchObject({ succeeded: false });
  // The account's own passkey still works.
  expect((await at.call("POST", SECOND, await signChallenge(at, SECOND, mine.key))).status).toBe(200);
});

test("an unknown passkey does not sign in, and stores nothing", async () => {
  const key = await makeAuthenticator(RELYING_PARTY);
  const at = browser();
  const answer = await signChallenge(at, ALONE, key);
  const before = await rowCounts();
  expect(await at.json("POST", ALONE, answer)).toMatchObject({ code: "passkey_refused" });
  expect(await rowCounts()).toEqual(before);
});

test("a passkey with a counter that does not increase is refused; one without a counter is accepted", async () => {
  const { user, key } = await userWithPasskey();
  const signInWithPasskey = async (counter: number) => {
    const at = browser();
    return (await at.call("POST", ALONE, await signChallenge(at, ALONE, key, { counter }))).status;
  };
  expect(await signInWithPasskey(7)).toBe(200);
  for (const behind of [7, 6, 0]) expect(await signInWithPasskey(behind), `${behind}`).toBe(401);
  expect(await signInWithPasskey(8)).toBe(200);
  const [row] = await passkeysOf(user.id);
  expect(row).toMatchObject({ counter: 8, lastUsedAt: expect.any(Number) });

  await db.update(passkeys).set({ counter: 0 }).where(eq(passkeys.userId, user.id));
  expect(await signInWithPasskey(0)).toBe(200);
  expect(await signInWithPasskey(0)).toBe(200);
});

test("a deactivated user, or a deactivated owner's team, cannot sign in with a passkey", async () => {
  const { user, key } = await userWithPasskey();
  const member = await insertTeamMember(db, user);
  const theirs = await insertPasskeyUser(member.id);
  const waiting = await signInToSecondStep(member.username);
  await setUser(user.id, { isActive: false });
  for (const device of [key, theirs.key]) {
    const at = browser();
    expect((await at.call("POST", ALONE, await signChallenge(at, ALONE, device))).status).toBe(410);
    expect(await me(at)).toBe(401);
  }
  expect((await waiting.call("POST", SECOND, await signChallenge(waiting, SECOND, theirs.key))).status).toBe(
    410,
  );
});

test("a recovery code works once as a second step, and the user gets an email", async () => {
  const { sent, changed } = mailbox();
  const { user, codes } = await userWithPasskey({ email: "recovers@example.com" });
  expect(codes).toHaveLength(10);
  const [code] = codes as [string];
  const at = await signInToSecondStep(user.username, changed);
  const typed = ` ${code.toUpperCase().replaceAll("-", " ")} `;
  expect((await at.call("POST", "/api/auth/recovery-code", { code: typed })).status).toBe(200);
  expect(await me(at)).toBe(200);
  expect(sent).toMatchObject([
    { to: "recovers@example.com", subject: expect.stringContaining("recovery code") },
  ]);
  expect(await lastSignIn(user.id)).toMatchObject({ method: "recovery_code", succeeded: true });

  const again = await signInToSecondStep(user.username);
  expect(await again.json("POST", "/api/auth/recovery-code", { code })).toMatchObject({
    status: 401,
    code: "wrong_code",
    errors: { code: expect.any(String) },
  });
  const stored = await db.select().from(oneTimeSecrets).where(eq(oneTimeSecrets.userId, user.id));
  const left = stored.filter(({ purpose, usedAt }) => purpose === "recovery_code" && usedAt === null);
  expect(left).toHaveLength(9);
  expect(JSON.stringify(stored)).not.toContain(codes[1]);
  await runSweep("access_sweep", Date.now() + HOUR_MS);
  const kept = await db.select().from(oneTimeSecrets).where(eq(oneTimeSecrets.userId, user.id));
  expect(kept.map(({ id }) => id).toSorted(), "the used code is deleted after an hour").toEqual(
    left.map(({ id }) => id).toSorted(),
  );
});

test("another account's recovery code, or one without a password, does not sign in", async () => {
  const [mine, theirs] = [await userWithPasskey(), await userWithPasskey()];
  const at = await signInToSecondStep(mine.user.username);
  expect(await at.json("POST", "/api/auth/recovery-code", { code: theirs.codes[0] })).toMatchObject({
    code: "wrong_code",
  });
  expect(await browser().json("POST", "/api/auth/recovery-code", { code: mine.codes[0] })).toMatchObject({
    code: "sign_in_ended",
  });
});

test("five wrong recovery codes end the second step, and the user must enter the password again", async () => {
  const { user, codes } = await userWithPasskey();
  const at = await signInToSecondStep(user.username);
  const wrong = { code: "aaaa-aaaa-aaaa-aaaa" };
  for (let i = 0; i < 5; i++) {
    expect(await at.json("POST", "/api/auth/recovery-code", wrong)).toMatchObject({ code: "wrong_code" });
  }
  for (const code of [wrong.code, codes[0]]) {
    expect(await at.json("POST", "/api/auth/recovery-code", { code })).toMatchObject({
      code: "sign_in_ended",
    });
  }
  expect((await at.call("GET", SECOND)).status).toBe(410);
  expect(await at.json("POST", `${SECOND}/options`)).toMatchObject({ code: "sign_in_ended" });
});

test("when two requests use one recovery code at once, only one signs in", async () => {
  const { user, codes } = await userWithPasskey();
  const both = [await signInToSecondStep(user.username), await signInToSecondStep(user.username)];
  const responses = await Promise.all(
    both.map((at) => at.call("POST", "/api/auth/recovery-code", { code: codes[0] })),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

test("the second step ends after ten minutes", async () => {
  const { user, key } = await userWithPasskey();
  const at = await signInToSecondStep(user.username);
  const answer = await signChallenge(at, SECOND, key);
  await db.update(oneTimeSecrets).set({ expiresAt: Date.now() }).where(eq(oneTimeSecrets.userId, user.id));
  expect(await at.json("POST", SECOND, answer)).toMatchObject({ code: "sign_in_ended" });
});

test("a session by passkey counts as confirmed with a second factor", async () => {
  const { user, key } = await userWithPasskey();
  const at = browser();
  await at.call("POST", ALONE, await signChallenge(at, ALONE, key));
  const rows = await sessionsOf(user.id);
  expect(rows.at(-1)).toMatchObject({ secondFactorAt: expect.any(Number) });
  const plain: UserRow = await insertUser(db);
  await browser().call("POST", "/api/auth/login", { username: plain.username, password: PASSWORD });
  const [byPassword] = await sessionsOf(plain.id);
  expect(byPassword).toMatchObject({ secondFactorAt: null });
});
