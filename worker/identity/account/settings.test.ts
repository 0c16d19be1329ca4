import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { ADDRESS_PLACEHOLDER } from "../../../contract/auth.ts";
import type { SessionInfo } from "../../../contract/account.ts";
import { DEFAULT_TEMPLATES } from "../../../contract/text-templates.ts";
import { auditLog, sessions } from "../../tables.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { auditEntries, bankDetailsOf, setSessions, userRow } from "../../../testing/facts.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";
import { textWithoutIds } from "../../../testing/text-without-ids.ts";

const INFO = { firstName: "Dana", lastName: "Mason", phone: "0491 570 801" };
const BANK = { bankName: "Harbour Bank", accountName: "D Mason", bsb: "062-000", accountNumber: "1234 5678" };

/** Returns the cookie of a user's impersonated session, and the super admin who impersonates. */
async function impersonated(userId: string) {
  const admin = await insertUser(db, { isSuperAdmin: true });
  const { cookie } = await callerFor(userId);
  await setSessions(userId, { impersonatorId: admin.id });
  return { admin, cookie };
}

test("a provider changes their own and their company's details", async () => {
  const { user, as } = await insertProvider();
  const form = { ...INFO, email: " Dana@Example.com ", companyName: "Mason Lawn", abn: "51 824 753 556" };
  const response = await as("PUT", "/api/user/personal-info", form);
  expect(response.status).toBe(200);
  const expected = { ...INFO, email: "dana@example.com", companyName: "Mason Lawn", abn: "51 824 753 556" };
  expect(await response.json()).toMatchObject(expected);
  expect(await (await as("GET", "/api/user/personal-info")).json()).toMatchObject({
    ...expected,
    username: user.username,
    // The form omits this field, so its value stays.
    businessAddress: "To be updated after signup",
  });
  expect(await (await as("GET", "/api/auth/me")).json()).toMatchObject({ firstName: "Dana" });
  expect(await userRow(user.id)).toMatchObject({ phoneKey: "+61491570801" });
  await as("PUT", "/api/user/personal-info", { ...INFO, phone: "ask for Dana at the depot" });
  expect(await userRow(user.id)).toMatchObject({ phone: "ask for Dana at the depot", phoneKey: null });
});

test("a company's name with hidden characters is refused, because customers read it in emails", async () => {
  const { user, as } = await insertProvider();
  const response = await as("PUT", "/api/user/personal-info", { ...INFO, companyName: "Evil\u202Eoga" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    errors: { companyName: "Please retype this on one line, without hidden characters" },
  });
  expect(await userRow(user.id)).toMatchObject({ companyName: user.companyName });
});

test("the audit log names the changed fields, never their values", async () => {
  const { user, as } = await insertProvider();
  await as("PUT", "/api/user/personal-info", {
    ...INFO,
    firstName: user.firstName,
    email: "log@example.com",
  });
  const [entry, ...others] = await auditEntries(user.id);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    action: "user.profile_changed",
    after: { fields: ["lastName", "phone", "email"] },
  });
  expect(textWithoutIds(entry)).not.toMatch(/Mason|log@|0491/);
  // The same form again changes nothing.
  await as("PUT", "/api/user/personal-info", {
    ...INFO,
    firstName: user.firstName,
    email: "log@example.com",
  });
  expect(await auditEntries(user.id)).toHaveLength(1);
});

test("a team member has no company details, and signs in with the new email", async () => {
  const owner = await insertUser(db);
  const email = "terry.first@example.com";
  const member = await insertTeamMember(db, owner, { username: email, email });
  const as = await callerFor(member.id);
  const form = { ...INFO, email: "terry.second@example.com", companyName: "Mine now", abn: "1" };
  expect(await (await as("PUT", "/api/user/personal-info", form)).json()).toMatchObject({
    username: "terry.second@example.com",
    companyName: null,
    abn: null,
  });
  expect(await userRow(member.id)).toMatchObject({ companyName: null, abn: null });
  const without = await as("PUT", "/api/user/personal-info", { ...INFO, email: "" });
  expect(await without.json()).toMatchObject({ status: 400, errors: { email: "Valid email required" } });
});

test("a user cannot change to another user's address or username", async () => {
  const victim = await insertUser(db, { email: "settled@example.com", username: "settled-name@example.com" });
  const { user, as } = await insertProvider();
  for (const email of ["Settled@example.com", "settled-name@example.com"]) {
    const refused = await as("PUT", "/api/user/personal-info", { ...INFO, email });
    expect(await refused.json(), email).toMatchObject({
      status: 409,
      code: "email_taken",
      errors: { email: "Email already registered" },
    });
  }
  expect(await userRow(user.id)).toMatchObject({ email: null, lastName: user.lastName });
  expect(await userRow(victim.id)).toMatchObject({ email: "settled@example.com" });
});

test("an impersonating admin cannot change the email or the ABN, or read bank details", async () => {
  const { user } = await insertProvider({ abn: "51 824 753 556" });
  const { admin, cookie } = await impersonated(user.id);
  const as = (method: string, path: string, body?: unknown) => call(method, path, { cookie, body });
  const responses = [
    as("PUT", "/api/user/personal-info", { ...INFO, email: "admin@example.com" }),
    as("PUT", "/api/user/personal-info", { ...INFO, abn: "53 004 085 616" }),
    as("PUT", "/api/user/personal-info", { ...INFO, abn: "" }),
    as("GET", "/api/user/bank-details"),
  ];
  for (const answer of await Promise.all(responses)) {
    expect(await answer.json()).toMatchObject({ status: 403, code: "impersonating" });
  }
  const form = { ...INFO, abn: "51 824 753 556" };
  expect((await as("PUT", "/api/user/personal-info", form)).status).toBe(200);
  expect(await auditEntries(user.id)).toMatchObject([
    { action: "user.profile_changed", actorUserId: admin.id, asUserId: user.id },
  ]);
});

test("bank details are stored encrypted and returned masked", async () => {
  const { user, as } = await insertProvider();
  expect(await (await as("GET", "/api/user/bank-details")).json()).toMatchObject({
    bsb: null,
    updatedAt: null,
  });
  const saved = await as("PUT", "/api/user/bank-details", BANK);
  expect(saved.status).toBe(200);
  const masked = {
    bankName: "Harbour Bank",
    accountName: "D Mason",
    bsb: "•••000",
    accountNumber: "•••••678",
    updatedAt: expect.any(Number),
  };
  expect(await saved.json()).toEqual(masked);
  expect(await (await as("GET", "/api/user/bank-details")).json()).toEqual(masked);
  const [row] = await bankDetailsOf(user.id);
  expect(row).toMatchObject({ keyId: "test" });
  expect(Buffer.from(row!.ciphertext, "base64").toString("latin1")).not.toMatch(/Harbour|12345678/);
  const trail = await auditEntries(user.id);
  expect(trail).toMatchObject([{ action: "bank_details.changed", before: null, after: null }]);

  const { as: stranger } = await insertProvider();
  expect(await (await stranger("GET", "/api/user/bank-details")).json()).toMatchObject({ bankName: null });
  await as("PUT", "/api/user/bank-details", { bankName: "", accountName: "", bsb: "", accountNumber: "" });
  expect(await (await as("GET", "/api/user/bank-details")).json()).toMatchObject({
    bsb: null,
    updatedAt: null,
  });
  expect(await bankDetailsOf(user.id)).toEqual([]);
});

test("without a key nothing is stored, and the response says so", async () => {
  const { as } = await insertProvider();
  const response = await callWith({ BANK_DETAILS_KEYS: "" }, "PUT", "/api/user/bank-details", {
    cookie: as.cookie,
    body: BANK,
  });
  expect(await response.json()).toMatchObject({
    status: 503,
    code: "bank_details_unavailable",
    detail: expect.stringContaining("Nothing was saved"),
  });
  expect(await (await as("GET", "/api/user/bank-details")).json()).toMatchObject({ updatedAt: null });
});

test.each([
  ["Leichhardt, Manly", ["inner-west", "northern-beaches"]],
  ["2040; parramatta NSW 2150 and Newcastle", ["inner-west", "parramatta", "newcastle-and-hunter"]],
  ["all over the place", []],
])("service areas %j suggest the regions %j", async (serviceAreas, expected) => {
  const user = await insertUser(db, { serviceAreas });
  const as = await callerFor(user.id);
  const { regions } = (await (await as("GET", "/api/user/suggested-regions")).json()) as {
    regions: string[];
  };
  expect(regions.toSorted()).toEqual(expected.toSorted());
});

test.each([
  ["12 Marion Street, Leichhardt NSW 2040", { name: "Leichhardt", postcode: "2040" }],
  ["Parramatta", { name: "Parramatta", postcode: "2150" }],
  [ADDRESS_PLACEHOLDER, null],
  ["Somewhere over the rainbow 9999", null],
])("a business at %j has its home suburb there, for its team too", async (businessAddress, expected) => {
  const user = await insertUser(db, { businessAddress });
  const teammate = await insertTeamMember(db, user, {
    businessAddress: "1 Crown Street, Wollongong NSW 2500",
  });
  for (const { id } of [user, teammate]) {
    const as = await callerFor(id);
    const { home } = (await (await as("GET", "/api/user/home")).json()) as { home: object | null };
    expect(home).toEqual(
      expected && { ...expected, latitude: expect.any(Number), longitude: expect.any(Number) },
    );
  }
});

test("services belong to the business, and an empty list means all", async () => {
  const { user, as } = await insertProvider();
  const services = ["lawn_mowing", "hedge_trimming"];
  const put = await as("PUT", "/api/user/services", { services: [...services, "lawn_mowing"] });
  expect(await put.json()).toEqual({ services });
  expect(await (await as("GET", "/api/auth/me")).json()).toMatchObject({ services });
  expect((await as("PUT", "/api/user/services", { services: [] })).status).toBe(200);
  expect(await userRow(user.id)).toMatchObject({ services: [] });
});

const listSessions = async (as: Awaited<ReturnType<typeof callerFor>>) =>
  (await (await as("GET", "/api/user/sessions")).json()) as SessionInfo[];

test("the list shows the user's own sessions and marks the current one", async () => {
  const { user, as } = await insertProvider();
  const other = await callerFor(user.id);
  await insertProvider();
  await db.insert(sessions).values({
    id: "ses_0000000000ended",
    tokenHash: crypto.randomUUID(),
    userId: user.id,
    createdAt: 1,
    lastSeenAt: 1,
    expiresAt: 2,
  });
  for (const caller of [as, other]) {
    const list = await listSessions(caller);
    expect(list).toHaveLength(2);
    expect(list.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect(JSON.stringify(list)).not.toContain("token");
  }
});

test("signing out elsewhere ends all other sessions", async () => {
  const { user, as } = await insertProvider();
  const other = await callerFor(user.id);
  const { as: stranger } = await insertProvider();
  expect(await (await as("DELETE", "/api/user/sessions")).json()).toEqual({ ended: 1 });
  expect((await other("GET", "/api/auth/me")).status).toBe(401);
  expect((await as("GET", "/api/auth/me")).status).toBe(200);
  expect((await stranger("GET", "/api/auth/me")).status).toBe(200);
});

test("a user can end one of their sessions, but not another user's", async () => {
  const { user, as } = await insertProvider();
  const [first, second] = [await callerFor(user.id), await callerFor(user.id)];
  const mine = (await listSessions(first)).find(({ isCurrent }) => isCurrent)!;
  const { as: stranger } = await insertProvider();
  expect((await stranger("DELETE", `/api/user/sessions/${mine.id}`)).status).toBe(404);
  expect((await first("GET", "/api/auth/me")).status).toBe(200);
  expect((await as("DELETE", `/api/user/sessions/${mine.id}`)).status).toBe(200);
  expect((await first("GET", "/api/auth/me")).status).toBe(401);
  expect((await second("GET", "/api/auth/me")).status).toBe(200);
  expect((await as("DELETE", `/api/user/sessions/${mine.id}`)).status).toBe(404);
  const trail = await db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, user.id), eq(auditLog.action, "user.signed_out_elsewhere")));
  // Only one of the three calls ended a session. Logging the other two would let any user fill the log.
  expect(trail).toHaveLength(1);
});

test("a business has the default text templates until it changes them, and its team uses the same ones", async () => {
  const { user, as } = await insertProvider();
  const path = "/api/user/text-templates";
  const asTeam = await callerFor((await insertTeamMember(db, user)).id);
  const read = async (who: typeof as) => (await who("GET", path)).json();
  expect(await read(asTeam)).toEqual({ templates: DEFAULT_TEMPLATES, business: user.companyName });
  const templates = [{ name: "On my way", text: "Hi {name}, on my way to {suburb}." }];
  expect((await as("PUT", path, { templates })).status).toBe(200);
  for (const who of [as, asTeam]) expect(await read(who)).toMatchObject({ templates });
  expect((await as("PUT", path, { templates: [] })).status).toBe(200);
  expect(await read(as)).toMatchObject({ templates: [] });
  expect(await read((await insertProvider()).as)).toMatchObject({ templates: DEFAULT_TEMPLATES });
  const trail = await auditEntries(user.id);
  expect(trail.map(({ action, after }) => [action, after])).toEqual([
    ["user.text_templates_changed", { templates: 1 }],
    ["user.text_templates_changed", { templates: 0 }],
  ]);
});

const passwordForm = (newPassword: string, currentPassword = PASSWORD) => ({
  currentPassword,
  newPassword,
  confirmPassword: newPassword,
});

test("a new password ends all other sessions; the current session continues", async () => {
  const { user, as } = await insertProvider();
  const other = await callerFor(user.id);
  const { as: stranger } = await insertProvider();
  expect((await as("PUT", "/api/user/password", passwordForm("a new password"))).status).toBe(200);
  expect((await other("GET", "/api/auth/me")).status).toBe(401);
  expect((await as("GET", "/api/auth/me")).status).toBe(200);
  expect((await stranger("GET", "/api/auth/me")).status).toBe(200);

  const login = (password: string) =>
    call("POST", "/api/auth/login", { body: { username: user.username, password } });
  expect((await login("a new password")).status).toBe(200);
  expect((await login(PASSWORD)).status).toBe(401);
  const [entry] = await auditEntries(user.id);
  expect(entry).toMatchObject({ action: "user.password_changed", actorUserId: user.id });
  expect(JSON.stringify(entry)).not.toContain("a new password");
});

test("without the current password nothing changes", async () => {
  const { user, as } = await insertProvider();
  const other = await callerFor(user.id);
  const refused = await as("PUT", "/api/user/password", passwordForm("a new password", "a guess"));
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    errors: { currentPassword: "Current password is incorrect" },
  });
  expect((await other("GET", "/api/auth/me")).status).toBe(200);
});

test("different new passwords are refused at the second field", async () => {
  const { as } = await insertProvider();
  const body = { ...passwordForm("a new password"), confirmPassword: "a new passwrod" };
  const refused = await as("PUT", "/api/user/password", body);
  expect(await refused.json()).toMatchObject({
    status: 400,
    errors: { confirmPassword: "Passwords don't match" },
  });
});
