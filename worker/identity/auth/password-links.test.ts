import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { PasswordLink } from "../../../contract/team.ts";
import { messages, oneTimeSecrets } from "../../tables.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { auditEntries, setUser } from "../../../testing/facts.ts";
import { signUpForm } from "../../../testing/email-links.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";

const NEW = "chosen by link";

async function teamWithLink() {
  const { user: owner, as } = await insertProvider();
  const member = await insertTeamMember(db, owner, { mustChangePassword: true });
  const response = await as("POST", `/api/team-members/${member.id}/password-link`);
  expect(response.status).toBe(201);
  const link = (await response.json()) as PasswordLink;
  return { owner, as, member, link, token: link.path.split("/").at(-1)! };
}

const openLink = (token: string) => call("GET", `/api/auth/password-link?token=${token}`);
const redeem = (token: string, newPassword = NEW) =>
  call("POST", "/api/auth/reset-password", { body: { token, newPassword, confirmPassword: newPassword } });
const login = (username: string, password: string) =>
  call("POST", "/api/auth/login", { body: { username, password } });

test("an owner's link lets a member choose a new password, once", async () => {
  const { member, token, owner, link } = await teamWithLink();
  const elsewhere = await callerFor(member.id);
  expect(link.expiresAt - Date.now()).toBeGreaterThan(23 * 60 * 60 * 1000);
  expect(await (await openLink(token)).json()).toEqual({ firstName: "Terry", username: member.username });
  const stored = await db.select().from(oneTimeSecrets).where(eq(oneTimeSecrets.userId, member.id));
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(token);

  expect((await redeem(token)).status).toBe(200);
  const signedIn = await login(member.username, NEW);
  expect(await signedIn.json()).toMatchObject({ id: member.id, mustChangePassword: false });
  expect((await login(member.username, PASSWORD)).status).toBe(401);
  expect((await elsewhere("GET", "/api/auth/me")).status).toBe(401);

  for (const result of [await openLink(token), await redeem(token, "again and again")]) {
    expect(await result.json()).toMatchObject({ status: 410, code: "link_ended" });
  }
  const trail = await auditEntries(member.id);
  expect(trail).toMatchObject([
    { action: "user.password_link_issued", actorUserId: owner.id },
    { action: "user.password_reset", actorUserId: member.id },
  ]);
  expect(JSON.stringify(trail)).not.toContain(token);
});

test("when two requests use one link at once, only one sets the password", async () => {
  const { token, member } = await teamWithLink();
  const results = await Promise.all([redeem(token, "the first one"), redeem(token, "the second one")]);
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 410]);
  const winner = results[0]!.status === 200 ? "the first one" : "the second one";
  expect((await login(member.username, winner)).status).toBe(200);
});

test("a link ends after 24 hours, when it is used, and when the account is deactivated", async () => {
  const expired = await teamWithLink();
  await db.update(oneTimeSecrets).set({ expiresAt: 1 }).where(eq(oneTimeSecrets.userId, expired.member.id));
  const left = await teamWithLink();
  await left.as("DELETE", `/api/team-members/${left.member.id}`);
  const inactive = await teamWithLink();
  await setUser(inactive.member.id, { isActive: false });
  for (const { token, member } of [expired, left, inactive]) {
    expect((await redeem(token)).status).toBe(410);
    expect((await login(member.username, NEW)).status).toBe(401);
  }
});

test("a new link invalidates all older ones, however they were issued", async () => {
  const { as, member, token: oldest } = await teamWithLink();
  await setUser(member.id, { email: "newest@example.com" });
  const { sent, ask } = linkMailbox();
  await ask("newest@example.com");
  const mailed = /\/reset-password\/([\w-]{43})/.exec(sent[0]!.text)![1]!;
  expect((await redeem(oldest)).status).toBe(410);
  const issued = (await (
    await as("POST", `/api/team-members/${member.id}/password-link`)
  ).json()) as PasswordLink;
  expect((await openLink(mailed)).status).toBe(410);
  expect((await redeem(mailed)).status).toBe(410);
  expect((await redeem(issued.path.split("/").at(-1)!)).status).toBe(200);
});

test("of several links created at once for one user, only one works", async () => {
  const { as, member } = await teamWithLink();
  const path = `/api/team-members/${member.id}/password-link`;
  const results = await Promise.all(Array.from({ length: 4 }, () => as("POST", path)));
  const links = (await Promise.all(results.map((result) => result.json()))) as PasswordLink[];
  const looks = await Promise.all(links.map((link) => openLink(link.path.split("/").at(-1)!)));
  expect(looks.map(({ status }) => status).toSorted()).toEqual([200, 410, 410, 410]);
});

test("changing a password invalidates outstanding links", async () => {
  const { member, token } = await teamWithLink();
  const as = await callerFor(member.id);
  const put = { currentPassword: PASSWORD, newPassword: "by myself", confirmPassword: "by myself" };
  expect((await as("PUT", "/api/user/password", put)).status).toBe(200);
  expect((await redeem(token)).status).toBe(410);
});

/** Returns a deployment that can send email, the emails it sent, and a function that requests a password link. */
function linkMailbox() {
  const { sent, changed } = mailbox();
  const ask = (username: string) =>
    callWith(changed, "POST", "/api/auth/forgot-password", { body: { username } });
  return { sent, ask, changed };
}

test("a request sends a link, and the response does not reveal whether the account exists", async () => {
  const { sent, ask } = linkMailbox();
  const user = await insertUser(db, { email: "forgetful@example.com" });
  const userWithoutEmail = await insertUser(db);
  const gone = await insertUser(db, { email: "gone@example.com", isActive: false });
  const results: unknown[] = [];
  for (const name of ["Forgetful@example.com", userWithoutEmail.username, gone.username, "no one at all"]) {
    const response = await ask(name);
    results.push([response.status, await response.json()]);
  }
  expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(new Set(['[202,{"ok":true}]']));
  expect(sent.map(({ to }) => to)).toEqual(["forgetful@example.com"]);
  const token = /\/reset-password\/([\w-]{43})/.exec(sent[0]!.text)![1]!;
  expect((await redeem(token)).status).toBe(200);
  expect((await login(user.username, NEW)).status).toBe(200);
});

/** Makes all links and account emails older, past the five minutes between two emails to a mailbox. */
const wait = () => db.update(oneTimeSecrets).set({ createdAt: sql`created_at - ${6 * MINUTE_MS}` });

test("a mailbox gets at most five password links a day, and the last one keeps working", async () => {
  const { sent, ask } = linkMailbox();
  const { username } = await insertUser(db, { email: "five@example.com" });
  for (let i = 0; i < 8; i++) {
    await wait();
    expect(await (await ask(username)).json()).toEqual({ ok: true });
  }
  await wait();
  await Promise.all([ask(username), ask(username)]);
  expect(sent).toHaveLength(5);
  const token = /\/reset-password\/([\w-]{43})/.exec(sent[4]!.text)![1]!;
  expect((await redeem(token)).status).toBe(200);
  await db.update(messages).set({ createdAt: Date.now() - DAY_MS });
  await ask(username);
  expect(sent, "the next day").toHaveLength(6);
});

test("two requests at once send one link, and it works", async () => {
  const { sent, ask } = linkMailbox();
  const { username } = await insertUser(db, { email: "at-once@example.com" });
  await Promise.all([ask(username), ask(username), ask(username)]);
  expect(sent).toHaveLength(1);
  const token = /\/reset-password\/([\w-]{43})/.exec(sent[0]!.text)![1]!;
  expect((await redeem(token)).status).toBe(200);
});

test("strangers' accounts cannot use up a mailbox's emails: the owner still gets a password link", async () => {
  const { sent, ask, changed } = linkMailbox();
  const { username } = await insertUser(db, { email: "jo.bloggs@gmail.com" });
  for (let i = 0; i < 5; i++) {
    await wait();
    const email = `jo.blo.ggs+${i}@${i % 2 ? "gmail" : "googlemail"}.com`;
    const response = await callWith(changed, "POST", "/api/auth/provider/signup", {
      body: signUpForm({ email }),
    });
    expect(await response.json()).toMatchObject({ pendingEmail: email });
  }
  expect(sent).toHaveLength(4);
  await ask(username);
  expect(sent).toHaveLength(5);
  expect(sent[4]!.to).toBe("jo.bloggs@gmail.com");
});

test("without email the response says whom to contact", async () => {
  const response = await call("POST", "/api/auth/forgot-password", { body: { username: "anybody" } });
  expect(await response.json()).toMatchObject({ status: 503, code: "email_unavailable" });
});

const admin = await insertUser(db, { isSuperAdmin: true, email: "notices-admin@example.com" });
const { cookie: adminCookie } = await callerFor(admin.id);

const adminLink = (changed: Parameters<typeof callWith>[0], id: string) =>
  callWith(changed, "POST", `/api/super-admin/providers/${id}/password-link`, { cookie: adminCookie });

test("the account's owner gets an email about an admin's password link, without the link", async () => {
  const { sent, changed } = mailbox();
  const provider = await insertUser(db, { email: "linked@example.com", firstName: "Lena" });
  const response = await adminLink(changed, provider.id);
  expect(response.status).toBe(201);
  const { path } = (await response.json()) as { path: string };
  expect(sent).toMatchObject([
    { to: "linked@example.com", text: expect.stringContaining("Our support team created a one-time link") },
  ]);
  expect(sent[0]!.text).toContain("Hello Lena,");
  expect(sent[0]!.text).not.toContain(path.split("/").at(-1)!);
});

test("the team member gets an email about an owner's password link", async () => {
  const { sent, changed } = mailbox();
  const owner = await insertUser(db);
  const member = await insertTeamMember(db, owner, { email: "notified-member@example.com" });
  const path = `/api/team-members/${member.id}/password-link`;
  const response = await callWith(changed, "POST", path, { cookie: (await callerFor(owner.id)).cookie });
  expect(response.status).toBe(201);
  expect(sent).toMatchObject([
    {
      to: "notified-member@example.com",
      text: expect.stringContaining("The owner of your business created"),
    },
  ]);
});

test("an account without an address gets no notice, nor does the admin's own account", async () => {
  const { sent, changed } = mailbox();
  for (const id of [(await insertUser(db)).id, admin.id]) {
    expect((await adminLink(changed, id)).status).toBe(201);
  }
  expect(sent).toEqual([]);
});

test("an admin's password link is issued even if email fails", async () => {
  const provider = await insertUser(db, { email: "unreached@example.com" });
  expect((await adminLink(mailbox({ isFailing: true }).changed, provider.id)).status).toBe(201);
});
