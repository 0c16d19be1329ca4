import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { users } from "../../tables.ts";
import { call, callerFor, db, rowCounts } from "../../../testing/client.ts";
import { auditEntries, sessionsOf } from "../../../testing/facts.ts";
import { insertTeamMember, insertUser, newId, PASSWORD } from "../../../testing/world.ts";

const PROVIDER = "/api/auth/provider/signup";
const CUSTOMER = "/api/auth/customer/signup";

function form(overrides: Record<string, unknown> = {}) {
  return {
    username: `new-${newId("user").slice(5)}`,
    email: "",
    password: PASSWORD,
    firstName: "Nora",
    lastName: "Newcomer",
    phone: "0491 570 006",
    companyName: "Newcomer Gardens",
    ...overrides,
  };
}

const signUp = (path: string, body: unknown, cookie?: string) => call("POST", path, { body, cookie });

async function stored(username: string) {
  const [user] = await db
    .select()
    .from(users)
    .where(sql`lower(${users.username}) = ${username.toLowerCase()}`);
  return user!;
}

test("a provider who signs up is signed in", async () => {
  const body = form({ email: "Nora@Example.com", phone: "+61 (0)491 570 006" });
  const response = await signUp(PROVIDER, body);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ username: body.username, userType: "provider" });
  const cookie = response.headers.getSetCookie()[0]!.split(";")[0]!;
  const me = await call("GET", "/api/auth/me", { cookie });
  expect(await me.json()).toMatchObject({ username: body.username, email: "nora@example.com" });
  expect(await stored(body.username)).toMatchObject({
    businessAddress: "To be updated after signup",
    phone: "+61 (0)491 570 006",
    phoneKey: "+61491570006",
  });
  expect((await call("POST", "/api/auth/login", { body })).status).toBe(200);
  // The audit log survives an erasure.
  const trail = await auditEntries((await stored(body.username)).id);
  expect(trail).toMatchObject([{ action: "user.created", after: { userType: "provider" } }]);
  expect(JSON.stringify(trail)).not.toContain(body.username);
});

test("a customer who signs up is signed in", async () => {
  const { companyName: _, phone: __, ...body } = form();
  const response = await signUp(CUSTOMER, body);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ userType: "customer", businessId: null, phone: null });
  const cookie = response.headers.getSetCookie()[0]!.split(";")[0]!;
  expect((await call("GET", "/api/auth/me", { cookie })).status).toBe(200);
});

test("several customers can leave the phone and the email address empty", async () => {
  for (const empty of [" ", null]) {
    const { companyName: _, ...body } = form({ phone: empty, email: empty });
    expect((await signUp(CUSTOMER, body)).status).toBe(200);
    expect(await stored(body.username)).toMatchObject({ phone: null, email: null });
  }
});

test("the password is stored only as a unique hash", async () => {
  const [one, two] = [form(), form()];
  await Promise.all([signUp(PROVIDER, one), signUp(CUSTOMER, two)]);
  const hashes = [await stored(one.username), await stored(two.username)].map((user) => user.passwordHash);
  expect(hashes[0]).toMatch(/^scrypt\$16384\$8\$5\$/);
  expect(hashes[0]).not.toBe(hashes[1]);
  expect(hashes.join()).not.toContain(PASSWORD);
});

test("a sign-up cannot grant itself rights", async () => {
  const owner = await insertUser(db);
  const rights = {
    id: "user_chosen0000000000000",
    isSuperAdmin: true,
    isVerified: true,
    isActive: false,
    userType: "team_member",
    teamOwnerId: owner.id,
    passwordHash: "x",
    is_super_admin: 1,
  };
  for (const [path, userType] of [
    [PROVIDER, "provider"],
    [CUSTOMER, "customer"],
  ] as const) {
    const body = form(rights);
    expect((await signUp(path, body)).status).toBe(200);
    const user = await stored(body.username);
    expect(user).toMatchObject({
      userType,
      isSuperAdmin: false,
      isVerified: false,
      isActive: true,
      teamOwnerId: null,
    });
    expect(user.id).not.toBe(rights.id);
  }
});

test("a username belongs to one account, ignoring case and account type", async () => {
  const { username } = await insertUser(db, { username: "Taken.Name" });
  for (const path of [PROVIDER, CUSTOMER]) {
    for (const taken of [username, " taken.NAME "]) {
      const before = await rowCounts();
      const response = await signUp(path, form({ username: taken }));
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({
        code: "username_taken",
        detail: "Username already exists",
        errors: { username: "Username already exists" },
      });
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await rowCounts()).toEqual(before);
    }
  }
});

test("an email address belongs to one account, ignoring case and account type", async () => {
  await insertUser(db, { email: "taken@example.com" });
  for (const path of [PROVIDER, CUSTOMER]) {
    const before = await rowCounts();
    const response = await signUp(path, form({ email: "Taken@EXAMPLE.com" }));
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: "email_taken",
      detail: "Email already registered",
      errors: { email: "Email already registered" },
    });
    expect(await rowCounts()).toEqual(before);
  }
});

test("a sign-up cannot use another user's email address as its username", async () => {
  const victim = await insertUser(db, { email: "victim@example.com" });
  const conflict = await signUp(PROVIDER, form({ username: "Victim@Example.com" }));
  expect(conflict.status).toBe(409);
  expect(await conflict.json()).toMatchObject({ code: "username_taken" });
  const response = await call("POST", "/api/auth/login", {
    body: { username: "victim@example.com", password: PASSWORD },
  });
  expect(await response.json()).toMatchObject({ id: victim.id });
});

test("a username can be the user's own email address", async () => {
  const email = "both@example.com";
  expect((await signUp(PROVIDER, form({ username: email, email }))).status).toBe(200);
});

test("when two sign-ups use one username at once, only one succeeds", async () => {
  const body = form();
  const responses = await Promise.all([
    signUp(PROVIDER, body),
    signUp(CUSTOMER, body),
    signUp(PROVIDER, body),
  ]);
  expect(responses.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409]);
});

test("a different repeated password is refused at its field", async () => {
  const response = await signUp(PROVIDER, form({ confirmPassword: "something else" }));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: { confirmPassword: "Passwords don't match" } });
});

test("a super admin creates a provider's account and stays signed in as themselves", async () => {
  const admin = await insertUser(db, { isSuperAdmin: true });
  const asAdmin = await callerFor(admin.id);
  const body = form({ email: "made@example.com" });
  const response = await asAdmin("POST", PROVIDER, body);
  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual([]);
  const { id } = (await response.json()) as { id: string };
  expect(await (await asAdmin("GET", "/api/auth/me")).json()).toMatchObject({ id: admin.id });
  expect(await sessionsOf(id)).toEqual([]);
  const trail = await auditEntries(id);
  expect(trail).toMatchObject([{ action: "user.created", actorUserId: admin.id }]);
  expect(JSON.stringify(trail)).not.toContain(PASSWORD);
});

test("a super admin must enter the new provider's email address", async () => {
  const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  for (const email of ["", undefined, null]) {
    const response = await asAdmin("POST", PROVIDER, form({ email }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: { email: "Valid email required" } });
  }
});

test("a super admin can omit the company, and must enter a username of at least three characters", async () => {
  const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  for (const companyName of [undefined, ""]) {
    const body = form({ email: `${crypto.randomUUID()}@example.com`, companyName, businessAddress: "" });
    expect((await asAdmin("POST", PROVIDER, body)).status).toBe(201);
    expect(await stored(body.username)).toMatchObject({
      companyName: null,
      businessAddress: "To be updated after signup",
    });
  }
  const short = await asAdmin("POST", PROVIDER, form({ email: "short@example.com", username: "ab" }));
  expect(await short.json()).toMatchObject({
    status: 400,
    errors: { username: "Username must be at least 3 characters" },
  });
});

test("a super admin's team member has no admin rights", async () => {
  const admin = await insertUser(db, { isSuperAdmin: true });
  const member = await insertTeamMember(db, admin);
  const asMember = await callerFor(member.id);
  expect((await asMember("POST", PROVIDER, form({ email: "member-made@example.com" }))).status).toBe(200);
});
