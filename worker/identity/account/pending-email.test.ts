/** A new email in the settings is pending until the user confirms it. Until then the old address stays. */
import { expect, test } from "vitest";

import { call, callerFor, db, rowCounts } from "../../../testing/client.ts";
import {
  backdateEmails,
  change,
  confirm,
  PERSONAL_INFO,
  login,
  MINUTE_MS,
  stored,
  tokenIn,
  requestEmailChange,
} from "../../../testing/email-links.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { browserOf } from "../../../testing/passkeys.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";

test("in the settings the old address stays until the new one is confirmed, and then gets a notice", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "old-one@example.com" });
  const at = await browserOf(user.id, changed);
  expect(await (await change(at, "new-one@example.com")).json()).toMatchObject({
    email: "old-one@example.com",
    pendingEmail: "new-one@example.com",
  });
  expect(sent.map(({ to }) => to)).toEqual(["new-one@example.com"]);
  // The form still contains the old address, so saving it again changes nothing.
  await change(at, "old-one@example.com");
  // Saving another field with the new address sends no second link, and the first one still works.
  await at.call("PUT", "/api/user/personal-info", {
    ...PERSONAL_INFO,
    firstName: "Patricia",
    email: "new-one@example.com",
  });
  expect(await at.json("GET", "/api/user/personal-info")).toMatchObject({
    pendingEmail: "new-one@example.com",
  });
  expect((await login("old-one@example.com")).status).toBe(200);
  expect((await login("new-one@example.com")).status).toBe(401);
  expect((await confirm(tokenIn(sent[0]), changed)).status).toBe(200);
  expect(sent.slice(1)).toMatchObject([
    { to: "old-one@example.com", subject: "The email address on your Naturestrip account was changed" },
  ]);
  expect(JSON.stringify(sent[1])).not.toContain("new-one@");
  expect((await login("new-one@example.com")).status).toBe(200);
  expect((await login("old-one@example.com")).status).toBe(401);
});

test("in the settings a taken address is refused, and a network can ask only so often", async () => {
  await insertUser(db, { email: "settled-there@example.com" });
  const { sent, changed } = mailbox();
  const at = await browserOf((await insertUser(db)).id, changed);
  const before = await rowCounts();
  const refused = await change(at, "settled-there@example.com");
  expect(await refused.json()).toMatchObject({
    status: 409,
    code: "email_taken",
    errors: { email: "Email already registered" },
  });
  expect(await rowCounts()).toEqual(before);
  expect(sent).toEqual([]);
  const none = { limit: async () => ({ success: false }) };
  const limited = await browserOf((await insertUser(db)).id, { ...changed, SIGNUP_PER_ADDRESS: none });
  expect((await change(limited, "settled-there@example.com")).status).toBe(429);
});

test("a team member's username changes when their new address is confirmed", async () => {
  const { sent, changed } = mailbox();
  const email = "tessa.first@example.com";
  const member = await insertTeamMember(db, await insertUser(db), { username: email, email });
  await change(await browserOf(member.id, changed), "tessa.second@example.com");
  expect(await stored(email)).toMatchObject({ email, pendingEmail: "tessa.second@example.com" });
  expect((await confirm(tokenIn(sent[0]))).status).toBe(200);
  expect(await stored("tessa.second@example.com")).toMatchObject({
    id: member.id,
    email: "tessa.second@example.com",
  });
});

test("changing or cancelling the pending address invalidates its link", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "kept@example.com" });
  const at = await browserOf(user.id, changed);
  await change(at, "first-try@example.com");
  await change(at, "second-try@example.com");
  expect((await confirm(tokenIn(sent[0]))).status).toBe(410);
  expect(await at.json("DELETE", "/api/user/pending-email")).toMatchObject({
    email: "kept@example.com",
    pendingEmail: null,
  });
  expect((await confirm(tokenIn(sent[1]))).status).toBe(410);
  expect(await stored(user.username)).toMatchObject({ email: "kept@example.com", pendingEmail: null });
  expect(await at.json("POST", "/api/user/pending-email")).toMatchObject({ status: 404 });
});

test("a new link can be sent after five minutes, replaces the old one, and is limited by mailbox and account", async () => {
  const { sent, at, user } = await requestEmailChange("again@example.com");
  const again = () => at.call("POST", "/api/user/pending-email");
  const early = await again();
  expect(await early.json()).toMatchObject({ status: 429, detail: expect.stringContaining("5 minutes") });
  expect(Number(early.headers.get("Retry-After"))).toBeGreaterThan(290);
  // The fifth email of a day to a mailbox is kept for a password link.
  for (const expected of [2, 3, 4, 4]) {
    await backdateEmails(user.id, 5 * MINUTE_MS);
    expect((await again()).status).toBe(202);
    expect(sent).toHaveLength(expected);
  }
  expect((await confirm(tokenIn(sent[2]))).status).toBe(410);
  expect((await call("GET", `/api/auth/email-link?token=${tokenIn(sent[3])}`)).status).toBe(200);
  await change(at, "again-elsewhere@example.com");
  expect(sent).toHaveLength(5);
  await backdateEmails(user.id, 5 * MINUTE_MS);
  expect((await again()).status, "five an hour").toBe(429);
  await backdateEmails(user.id, 60 * MINUTE_MS);
  expect((await again()).status).toBe(202);
  expect(sent.at(-1)).toMatchObject({ to: "again-elsewhere@example.com" });
});

test("plus addresses share a mailbox, which gets at most one email in five minutes", async () => {
  const { sent, at, user } = await requestEmailChange("plus.one+first@example.com");
  expect(sent).toHaveLength(1);
  await change(at, "plus.one+second@example.com");
  await change(at, "plus.one@example.com");
  await requestEmailChange("plus.one+stranger@example.com");
  expect(sent).toHaveLength(1);
  const early = await at.call("POST", "/api/user/pending-email");
  expect(early.status).toBe(429);
  await change(at, "plus.two@example.com");
  expect(sent).toHaveLength(2);
  await backdateEmails(user.id, 5 * MINUTE_MS);
  await change(at, "plus.one+third@example.com");
  expect(sent).toHaveLength(3);
});

test("the response does not claim that a link was sent when none was", async () => {
  const { sent, at } = await requestEmailChange("given-up@example.com");
  await at.json("DELETE", "/api/user/pending-email");
  await change(at, "given-up@example.com");
  expect(sent).toHaveLength(1);
  const result = (await (await at.call("POST", "/api/user/pending-email")).json()) as { detail: string };
  expect(result.detail).toContain("one link every five minutes");
  expect(result.detail).not.toMatch(/sent you/);
});

test("without email, no confirmation is sent, and a new address applies at once", async () => {
  const user = await insertUser(db, { pendingEmail: "left-over@example.com" });
  const as = await callerFor(user.id);
  expect(await (await as("POST", "/api/user/pending-email")).json()).toMatchObject({
    status: 503,
    code: "email_unavailable",
  });
  expect(
    await (
      await as("PUT", "/api/user/personal-info", { ...PERSONAL_INFO, email: "at-once@example.com" })
    ).json(),
  ).toMatchObject({ email: "at-once@example.com", pendingEmail: null });
});

test("a password that contains the pending address is refused", async () => {
  const user = await insertUser(db, { pendingEmail: "bottlebrush@example.com" });
  const as = await callerFor(user.id);
  const chosen = { newPassword: "Bottlebrush7", confirmPassword: "Bottlebrush7" };
  expect(
    await (await as("PUT", "/api/user/password", { currentPassword: PASSWORD, ...chosen })).json(),
  ).toMatchObject({
    status: 400,
    errors: { newPassword: expect.stringContaining("your own name") },
  });
});
