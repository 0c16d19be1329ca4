/**
 * Every form that sets a password refuses a common one and shows the error at its field. Stored common passwords still
 * work.
 */
import { expect, test } from "vitest";

import type { PasswordLink } from "../../../contract/team.ts";
import { BODY_ROUTES } from "../../../testing/bodies.ts";
import { call, callerFor, db, rowCounts } from "../../../testing/client.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";
import { hashPassword } from "./password-hash.ts";

const admin = await insertUser(db, { isSuperAdmin: true });
const owner = await insertUser(db);
const member = await insertTeamMember(db, owner);

async function linkToken(): Promise<string> {
  const as = await callerFor(owner.id);
  const link = (await (
    await as("POST", `/api/team-members/${member.id}/password-link`)
  ).json()) as PasswordLink;
  return link.path.split("/").at(-1)!;
}

const signup = "POST /api/auth/provider/signup";

/** The user who chooses the password, the route, and the password's fields. */
const WAYS: [what: string, userId: string | null, route: string, fields: string[], more: object][] = [
  ["a provider who signs up", null, signup, ["password"], {}],
  ["a customer who signs up", null, "POST /api/auth/customer/signup", ["password"], {}],
  ["an admin for a provider", admin.id, signup, ["password"], { email: "weak@example.com" }],
  ["an owner for a team member", owner.id, "POST /api/team-members", ["tempPassword"], {}],
  ["a user by link", null, "POST /api/auth/reset-password", ["newPassword", "confirmPassword"], {}],
  ["a user in settings", owner.id, "PUT /api/user/password", ["newPassword", "confirmPassword"], {}],
];

test.each(WAYS)("%s cannot choose a common password", async (_, userId, route, fields, more) => {
  const [method = "", path = ""] = route.split(" ");
  const token = route.endsWith("/reset-password") ? { token: await linkToken() } : {};
  const cookie = userId ? (await callerFor(userId)).cookie : undefined;
  const body = { ...BODY_ROUTES[route]!.body(), ...more, ...token };
  const before = await rowCounts();
  for (const weak of ["123456", "Password1!"]) {
    const chosen = Object.fromEntries(fields.map((field) => [field, weak]));
    const response = await call(method, path, { cookie, body: { ...body, ...chosen } });
    expect(await response.json()).toMatchObject({
      status: 400,
      code: "invalid_input",
      errors: { [fields[0]!]: expect.stringMatching(/^Too easy to guess/) },
    });
  }
  expect(await rowCounts()).toEqual(before);
  const strong = Object.fromEntries(fields.map((field) => [field, "tk7qzb"]));
  expect((await call(method, path, { cookie, body: { ...body, ...strong } })).ok).toBe(true);
});

test("the user's own name is refused, from the account or from the form", async () => {
  const body = { ...BODY_ROUTES[signup]!.body(), companyName: "Wattle & Co", username: "wattlebird-7" };
  const response = await call("POST", "/api/auth/provider/signup", {
    body: { ...body, password: "Wattlebird7" },
  });
  expect(await response.json()).toMatchObject({ status: 400, errors: { password: expect.any(String) } });
  const user = await insertUser(db, { username: "bottlebrush" });
  const as = await callerFor(user.id);
  const change = { currentPassword: PASSWORD, newPassword: "bottlebrush1", confirmPassword: "bottlebrush1" };
  expect(await (await as("PUT", "/api/user/password", change)).json()).toMatchObject({
    status: 400,
    errors: { newPassword: expect.any(String) },
  });
});

test("an existing common password still works", async () => {
  const user = await insertUser(db, { passwordHash: await hashPassword("123456") });
  const response = await call("POST", "/api/auth/login", {
    body: { username: user.username, password: "123456" },
  });
  expect(response.status).toBe(200);
});
