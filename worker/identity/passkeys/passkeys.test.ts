import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { MAX_PASSKEYS, type PasskeyState } from "../../../contract/passkeys.ts";
import { auditLog, oneTimeSecrets, passkeys } from "../../tables.ts";
import { makeAuthenticator } from "../../../testing/stand-ins/authenticator.ts";
import { db } from "../../../testing/client.ts";
import { passkeysOf } from "../../../testing/facts.ts";
import { runSweep } from "../../../testing/drivers.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import {
  addPasskey,
  signInToSecondStep,
  browserOf,
  RELYING_PARTY,
  insertPasskeyUser,
} from "../../../testing/passkeys.ts";
import { insertTeamMember, insertUser } from "../../../testing/world.ts";

type Options = { challenge: string; user: { id: string }; excludeCredentials: { id: string }[] };

const PATH = "/api/passkeys";

test("a provider, a team member and a customer add their own passkeys", async () => {
  const owner = await insertUser(db);
  const people = [owner, await insertTeamMember(db, owner), await insertUser(db, { userType: "customer" })];
  for (const { id } of people) {
    const { at, codes } = await insertPasskeyUser(id);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
    const state = await at.json<PasskeyState>("GET", PATH);
    expect(state).toMatchObject({
      passkeys: [{ name: "Unknown device", isSynced: false, lastUsedAt: null }],
      recoveryCodesLeft: 10,
      isDemanded: false,
    });
  }
});

test("recovery codes are created with the first passkey only, and stored as hashes", async () => {
  const user = await insertUser(db);
  const { at, codes } = await insertPasskeyUser(user.id);
  expect((await addPasskey(at, await makeAuthenticator(RELYING_PARTY))).recoveryCodes).toBeNull();
  const stored = await db.select().from(oneTimeSecrets).where(eq(oneTimeSecrets.userId, user.id));
  expect(stored).toHaveLength(10);
  for (const code of codes) expect(JSON.stringify(stored)).not.toContain(code.replaceAll("-", ""));
});

test("the options request a discoverable passkey for this host and this account", async () => {
  const user = await insertUser(db);
  const { at, key } = await insertPasskeyUser(user.id);
  const options = await at.json<Options>("POST", `${PATH}/options`);
  expect(options).toMatchObject({
    rp: { id: "naturestrip.test", name: "Naturestrip" },
    user: { id: Buffer.from(user.id).toString("base64url"), name: user.username },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: [{ id: key.id }],
  });
});

const TAMPERINGS = {
  "made on another site": { origin: "http://naturestrip.evil" },
  "made for another host": { rpId: "naturestrip.evil" },
  "made without user verification": { isVerified: false },
  "with a sign-in response": { type: "webauthn.get" },
} as const;

test.each(Object.entries(TAMPERINGS))("a passkey %s is not added", async (_, tampering) => {
  const user = await insertUser(db);
  const at = await browserOf(user.id);
  const key = await makeAuthenticator(RELYING_PARTY);
  const credential = await key.create(await at.json<Options>("POST", `${PATH}/options`), tampering);
  expect(await at.json("POST", PATH, { credential })).toMatchObject({ code: "passkey_refused" });
  expect(await passkeysOf(user.id)).toEqual([]);
});

test("a challenge works once, in time, and only in its own session", async () => {
  const user = await insertUser(db);
  const [at, other] = [await browserOf(user.id), await browserOf(user.id)];
  const key = await makeAuthenticator(RELYING_PARTY);
  const credential = await key.create(await at.json<Options>("POST", `${PATH}/options`));
  expect(await other.json("POST", PATH, { credential })).toMatchObject({ code: "sign_in_ended" });
  const both = await Promise.all([
    at.call("POST", PATH, { credential }),
    at.call("POST", PATH, { credential }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 410]);
  const late = await makeAuthenticator(RELYING_PARTY);
  const made = await late.create(await at.json<Options>("POST", `${PATH}/options`));
  await db.update(oneTimeSecrets).set({ expiresAt: Date.now() });
  expect(await at.json("POST", PATH, { credential: made })).toMatchObject({ code: "sign_in_ended" });
});

test("another user's passkey cannot be added again", async () => {
  const { key } = await insertPasskeyUser((await insertUser(db)).id);
  const at = await browserOf((await insertUser(db)).id);
  const credential = await key.create(await at.json<Options>("POST", `${PATH}/options`));
  expect(await at.json("POST", PATH, { credential })).toMatchObject({ status: 409, code: "passkey_known" });
});

test("an account has twenty passkeys at most", async () => {
  const user = await insertUser(db);
  const { at, passkeyId } = await insertPasskeyUser(user.id);
  const [row] = await db.select().from(passkeys).where(eq(passkeys.id, passkeyId));
  for (let i = 1; i < MAX_PASSKEYS; i++) {
    const more = {
      ...row!,
      id: `key_more${String(i).padStart(8, "0")}`,
      credentialId: `${row!.credentialId}${i}`,
    };
    await db.insert(passkeys).values(more);
  }
  const key = await makeAuthenticator(RELYING_PARTY);
  const credential = await key.create(await at.json<Options>("POST", `${PATH}/options`));
  expect(await at.json("POST", PATH, { credential })).toMatchObject({ code: "too_many_passkeys" });
});

test("only the owner can rename or remove a passkey, and removing the last one deletes the codes", async () => {
  const [user, other] = [await insertUser(db), await insertUser(db)];
  const { at, passkeyId } = await insertPasskeyUser(user.id);
  const stranger = await browserOf(other.id);
  expect((await stranger.call("PATCH", `${PATH}/${passkeyId}`, { name: "Mine" })).status).toBe(404);
  expect((await stranger.call("DELETE", `${PATH}/${passkeyId}`)).status).toBe(404);
  expect(await at.json("PATCH", `${PATH}/${passkeyId}`, { name: "  Ute phone " })).toMatchObject({
    name: "Ute phone",
  });
  expect((await at.call("DELETE", `${PATH}/${passkeyId}`)).status).toBe(200);
  expect(await at.json("GET", PATH)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  const trail = await db
    .select({ action: auditLog.action })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, user.id), eq(auditLog.actorUserId, user.id)));
  expect(trail.map(({ action }) => action)).toEqual(["user.passkey_added", "user.passkey_removed"]);
});

test("new recovery codes invalidate the old ones", async () => {
  const user = await insertUser(db);
  const { at, codes } = await insertPasskeyUser(user.id);
  const { recoveryCodes: fresh } = await at.json<{ recoveryCodes: string[] }>(
    "POST",
    `${PATH}/recovery-codes`,
  );
  expect(fresh).toHaveLength(10);
  const second = await signInToSecondStep(user.username);
  expect(await second.json("POST", "/api/auth/recovery-code", { code: codes[0] })).toMatchObject({
    code: "wrong_code",
  });
  expect((await second.call("POST", "/api/auth/recovery-code", { code: fresh[0] })).status).toBe(200);
});

test("adding, removing or renewing a passkey sends an email", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "keys@example.com" });
  const { at, passkeyId } = await insertPasskeyUser(user.id, changed);
  await at.call("POST", `${PATH}/recovery-codes`);
  await at.call("DELETE", `${PATH}/${passkeyId}`);
  expect(sent.map(({ to, subject }) => [to, subject.split(" ")[1]])).toEqual([
    ["keys@example.com", "passkey"],
    ["keys@example.com", "recovery"],
    ["keys@example.com", "passkey"],
  ]);
});

test("the sweep deletes expired challenges", async () => {
  const at = await browserOf((await insertUser(db)).id);
  await runSweep("access_sweep", Date.now() + 24 * 60 * 60 * 1000);
  await at.call("POST", `${PATH}/options`);
  expect(await runSweep("access_sweep")).toMatchObject({ secrets: 0 });
  expect(await runSweep("access_sweep", Date.now() + 5 * 60 * 1000 + 1000)).toMatchObject({ secrets: 1 });
});
