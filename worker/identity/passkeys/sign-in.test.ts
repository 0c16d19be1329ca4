/** Signs in with a passkey alone, with a passkey after a password, and with a recovery code. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { UserRow } from "../../platform/session.ts";
import { challenges, passkeys, recoveryCodes, sessions, signIns, users } from "../../platform/db/schema.ts";
import { makeAuthenticator } from "../../../testing/stand-ins/authenticator.ts";
import { db, rowCounts } from "../../../testing/client.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  atSecondStep,
  browser,
  type Browser,
  PARTY,
  signed,
  withPasskey,
} from "../../../testing/passkeys.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";

const ALONE = "/api/auth/passkey";
const SECOND = "/api/auth/second-factor";

const me = async (at: Browser) => (await at.call("GET", "/api/auth/me")).status;

async function someone(overrides: Parameters<typeof insertUser>[1] = {}) {
  const user = await insertUser(db, overrides);
  return { user, ...(await withPasskey(user.id)) };
}

const lastSignIn = async (userId: string) =>
  (await db.select().from(signIns).where(eq(signIns.userId, userId))).at(-1);

test("after the right password, the user's passkey is required and signs them in", async () => {
  const { user, key } = await someone();
  const at = await atSecondStep(user.username);
  expect(await me(at)).toBe(401);
  expect(await at.json("GET", SECOND)).toEqual({ firstName: user.firstName, hasRecoveryCodes: true });
  const response = await at.call("POST", SECOND, await signed(at, SECOND, key));
  expect(await response.json()).toMatchObject({ id: user.id });
  expect(await me(at)).toBe(200);
  expect([...at.jar.keys()].toSorted()).toEqual(["device", "session"]);
  expect(await lastSignIn(user.id)).toMatchObject({ method: "password_and_passkey", succeeded: true });
});

test("a passkey alone signs its owner in", async () => {
  const { user, key } = await someone();
  const member = await insertTeamMember(db, user);
  const theirs = await withPasskey(member.id);
  for (const [person, device] of [
    [user, key],
    [member, theirs.key],
  ] as const) {
    const at = browser();
    const response = await at.call("POST", ALONE, await signed(at, ALONE, device));
    expect(await response.json()).toMatchObject({ id: person.id });
    expect(await me(at)).toBe(200);
    expect(await lastSignIn(person.id)).toMatchObject({ method: "passkey", succeeded: true });
  }
});

test("a user without a passkey signs in with the password alone", async () => {
  const { username } = await insertUser(db);
  const at = browser();
  const response = await at.call("POST", "/api/auth/login", { username, password: PASSWORD });
  expect(response.status).toBe(200);
  expect([...at.jar.keys()].toSorted()).toEqual(["device", "session"]);
});

test("the response to a wrong password does not reveal passkeys", async () => {
  const { user } = await someone();
  const at = browser();
  const response = await at.call("POST", "/api/auth/login", { username: user.username, password: "not it" });
  expect(response.status).toBe(401);
  expect(at.jar.size).toBe(0);
});

const TWISTS = {
  "on another site": { origin: "http://naturestrip.evil" },
  "with another scheme": { origin: "https://naturestrip.test" },
  "for another host": { rpId: "naturestrip.evil" },
  "without user verification": { isVerified: false },
  "with another signature": { isForged: true },
  "with a registration response": { type: "webauthn.create" },
} as const;

test.each(Object.entries(TWISTS))("a passkey used %s does not sign in", async (_, twist) => {
  const { user, key } = await someone();
  for (const [path, at] of [
    [ALONE, browser()],
    [SECOND, await atSecondStep(user.username)],
  ] as const) {
    const response = await at.call("POST", path, await signed(at, path, key, twist));
    expect(await response.json(), path).toMatchObject({ status: 401, code: "passkey_refused" });
    expect(await me(at)).toBe(401);
  }
});

test("a passkey response is accepted once", async () => {
  const { user, key } = await someone();
  for (const [path, at] of [
    [ALONE, browser()],
    [SECOND, await atSecondStep(user.username)],
  ] as const) {
    const answer = await signed(at, path, key);
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
  const { user, key } = await someone();
  const path = SECOND;
  const at = await atSecondStep(user.username);
  const answer = await signed(at, path, key);
  const other = browser({}, Object.fromEntries(at.jar));
  const both = await Promise.all([at.call("POST", path, answer), other.call("POST", path, answer)]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a passkey response is refused in another browser and after five minutes", async () => {
  const { key } = await someone();
  const at = browser();
  const answer = await signed(at, ALONE, key);
  for (const other of [browser(), browser({}, { "sign-in": "t".repeat(43) })]) {
    expect(await other.json("POST", ALONE, answer)).toMatchObject({ code: "sign_in_ended" });
  }
  await db.update(challenges).set({ expiresAt: Date.now() });
  expect(await at.json("POST", ALONE, answer)).toMatchObject({ code: "sign_in_ended" });
});

test("a challenge for one purpose is refused for another", async () => {
  const { user, key } = await someone();
  const at = browser();
  const alone = await signed(at, ALONE, key);
  expect(await at.json("POST", SECOND, alone)).toMatchObject({ code: "sign_in_ended" });
  const second = await atSecondStep(user.username);
  expect(await second.json("POST", ALONE, await signed(second, SECOND, key))).toMatchObject({
    code: "sign_in_ended",
  });
});

test("another account's passkey is refused as a second step", async () => {
  const [mine, theirs] = [await someone(), await someone()];
  const at = await atSecondStep(mine.user.username);
  expect(await at.json("POST", SECOND, await signed(at, SECOND, theirs.key))).toMatchObject({
    code: "passkey_refused",
  });
  expect(await lastSignIn(mine.user.id)).toMatchObject({ succeeded: false });
  // The account's own passkey still works.
  expect((await at.call("POST", SECOND, await signed(at, SECOND, mine.key))).status).toBe(200);
});

test("an unknown passkey does not sign in, and stores nothing", async () => {
  const key = await makeAuthenticator(PARTY);
  const at = browser();
  const answer = await signed(at, ALONE, key);
  const before = await rowCounts();
  expect(await at.json("POST", ALONE, answer)).toMatchObject({ code: "passkey_refused" });
  expect(await rowCounts()).toEqual(before);
});

test("a passkey with a counter that does not increase is refused; one without a counter is accepted", async () => {
  const { user, key } = await someone();
  const use = async (counter: number) => {
    const at = browser();
    return (await at.call("POST", ALONE, await signed(at, ALONE, key, { counter }))).status;
  };
  expect(await use(7)).toBe(200);
  for (const behind of [7, 6, 0]) expect(await use(behind), `${behind}`).toBe(401);
  expect(await use(8)).toBe(200);
  const [row] = await db.select().from(passkeys).where(eq(passkeys.userId, user.id));
  expect(row).toMatchObject({ counter: 8, lastUsedAt: expect.any(Number) });

  await db.update(passkeys).set({ counter: 0 }).where(eq(passkeys.userId, user.id));
  expect(await use(0)).toBe(200);
  expect(await use(0)).toBe(200);
});

test("a deactivated user, or a deactivated owner's team, cannot sign in with a passkey", async () => {
  const { user, key } = await someone();
  const member = await insertTeamMember(db, user);
  const theirs = await withPasskey(member.id);
  const waiting = await atSecondStep(member.username);
  await db.update(users).set({ isActive: false }).where(eq(users.id, user.id));
  for (const device of [key, theirs.key]) {
    const at = browser();
    expect((await at.call("POST", ALONE, await signed(at, ALONE, device))).status).toBe(410);
    expect(await me(at)).toBe(401);
  }
  expect((await waiting.call("POST", SECOND, await signed(waiting, SECOND, theirs.key))).status).toBe(410);
});

test("a recovery code works once as a second step, and the user gets an email", async () => {
  const { sent, changed } = mailbox();
  const { user, codes } = await someone({ email: "recovers@example.com" });
  expect(codes).toHaveLength(10);
  const [code] = codes as [string];
  const at = await atSecondStep(user.username, changed);
  const typed = ` ${code.toUpperCase().replaceAll("-", " ")} `;
  expect((await at.call("POST", "/api/auth/recovery-code", { code: typed })).status).toBe(200);
  expect(await me(at)).toBe(200);
  expect(sent).toMatchObject([
    { to: "recovers@example.com", subject: expect.stringContaining("recovery code") },
  ]);
  expect(await lastSignIn(user.id)).toMatchObject({ method: "recovery_code", succeeded: true });

  const again = await atSecondStep(user.username);
  expect(await again.json("POST", "/api/auth/recovery-code", { code })).toMatchObject({
    status: 401,
    code: "wrong_code",
    errors: { code: expect.any(String) },
  });
  const left = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
  expect(left).toHaveLength(9);
  expect(JSON.stringify(left)).not.toContain(codes[1]);
});

test("another account's recovery code, or one without a password, does not sign in", async () => {
  const [mine, theirs] = [await someone(), await someone()];
  const at = await atSecondStep(mine.user.username);
  expect(await at.json("POST", "/api/auth/recovery-code", { code: theirs.codes[0] })).toMatchObject({
    code: "wrong_code",
  });
  expect(await browser().json("POST", "/api/auth/recovery-code", { code: mine.codes[0] })).toMatchObject({
    code: "sign_in_ended",
  });
});

test("five wrong recovery codes end the second step, and the user must enter the password again", async () => {
  const { user, codes } = await someone();
  const at = await atSecondStep(user.username);
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
  const { user, codes } = await someone();
  const both = [await atSecondStep(user.username), await atSecondStep(user.username)];
  const answers = await Promise.all(
    both.map((at) => at.call("POST", "/api/auth/recovery-code", { code: codes[0] })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

test("the second step ends after ten minutes", async () => {
  const { user, key } = await someone();
  const at = await atSecondStep(user.username);
  const answer = await signed(at, SECOND, key);
  await db.update(challenges).set({ expiresAt: Date.now() }).where(eq(challenges.userId, user.id));
  expect(await at.json("POST", SECOND, answer)).toMatchObject({ code: "sign_in_ended" });
});

test("a session by passkey counts as confirmed with a second factor", async () => {
  const { user, key } = await someone();
  const at = browser();
  await at.call("POST", ALONE, await signed(at, ALONE, key));
  const rows = await db.select().from(sessions).where(eq(sessions.userId, user.id));
  expect(rows.at(-1)).toMatchObject({ secondFactorAt: expect.any(Number) });
  const plain: UserRow = await insertUser(db);
  await browser().call("POST", "/api/auth/login", { username: plain.username, password: PASSWORD });
  const [byPassword] = await db.select().from(sessions).where(eq(sessions.userId, plain.id));
  expect(byPassword).toMatchObject({ secondFactorAt: null });
});
