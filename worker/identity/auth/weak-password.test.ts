/**
 * Every form that sets a password refuses a common one and shows the error at its field. Stored common passwords still
 * work.
 */
import { createHash } from "node:crypto";

import { expect, test, vi } from "vitest";

import type { PasswordLink } from "../../../contract/team.ts";
import { bodyFor } from "../../../testing/routes/api.ts";
import { call, callerFor, callWith, db, rowCounts } from "../../../testing/client.ts";
import { hashOf } from "../../../testing/facts.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";
import type { Bindings } from "../../platform/env.ts";

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
  const body = { ...bodyFor(route), ...more, ...token };
  const before = await rowCounts();
  const weak = Object.fromEntries(fields.map((field) => [field, "Password1!"]));
  const response = await call(method, path, { cookie, body: { ...body, ...weak } });
  expect(await response.json()).toMatchObject({
    status: 400,
    code: "invalid_input",
    errors: { [fields[0]!]: expect.stringMatching(/^Too easy to guess/) },
  });
  expect(await rowCounts()).toEqual(before);
  const strong = Object.fromEntries(fields.map((field) => [field, "tk7qzb"]));
  expect((await call(method, path, { cookie, body: { ...body, ...strong } })).ok).toBe(true);
});

test("the user's own name is refused, from the account or from the form", async () => {
  const body = { ...bodyFor(signup), companyName: "Wattle & Co", username: "wattlebird-7" };
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
  const user = await insertUser(db, { passwordHash: await hashOf("123456") });
  const response = await call("POST", "/api/auth/login", {
    body: { username: user.username, password: "123456" },
  });
  expect(response.status).toBe(200);
});

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();

/** Signs up while the list of breaches is on and `respond` is its API. @returns the response, and the API's requests */
async function signUpWithBreaches(
  password: string,
  respond: (request: Request) => Promise<Response> | Response,
  settings: Partial<Bindings> = { PWNED_PASSWORDS: "on", SITE_HOST: "naturestrip.test" },
) {
  const asked: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (...args) => {
    const request = new Request(...args);
    asked.push(request);
    return respond(request);
  });
  const body = { ...bodyFor(signup), password };
  const origin = `https://${settings.SITE_HOST || "naturestrip.test"}`;
  const response = await callWith(settings, "POST", "/api/auth/provider/signup", { body, origin });
  vi.restoreAllMocks();
  return { response, asked };
}

test("a password of a known breach is refused, and only five characters of its hash are sent", async () => {
  const password = "wx9-Kfl breached";
  const hash = sha1(password);
  const lines = [`${"0".repeat(35)}:3`, `${hash.slice(5)}:12`, `${"F".repeat(35)}:0`].join("\r\n");
  const { response, asked } = await signUpWithBreaches(password, () => new Response(lines));
  expect(await response.json()).toMatchObject({
    status: 400,
    errors: { password: expect.stringMatching(/^This password was in a data breach/) },
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]!.url).toBe(`https://api.pwnedpasswords.com/range/${hash.slice(0, 5)}`);
  expect(asked[0]!.headers.get("Add-Padding")).toBe("true");
  expect(await asked[0]!.text()).toBe("");
});

test.each([
  [
    "lists only others, and the password as padding",
    () => new Response(`${"0".repeat(35)}:3\r\n${sha1("wx9-Kfl honest").slice(5)}:0`),
  ],
  ["fails", () => new Response("", { status: 503 })],
  ["is unreachable", () => Promise.reject(new Error("no route"))],
])("a password is accepted when the list of breaches %s", async (_, respond) => {
  const { response, asked } = await signUpWithBreaches("wx9-Kfl honest", respond);
  expect([response.status, asked.length]).toEqual([200, 1]);
});

test("a password is accepted when the list of breaches does not respond within a second", async () => {
  const { response, asked } = await signUpWithBreaches(
    "wx9-Kfl slow",
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
  );
  expect([response.status, asked.length]).toEqual([200, 1]);
});

test.each([
  ["switched off", { PWNED_PASSWORDS: "off", SITE_HOST: "naturestrip.test" }],
  ["on a developer's machine", { PWNED_PASSWORDS: "on", SITE_HOST: "localhost:8787" }],
  ["without a host", { PWNED_PASSWORDS: "on", SITE_HOST: "" }],
])("no list of breaches is asked %s", async (_, settings) => {
  const { response, asked } = await signUpWithBreaches("wx9-Kfl alone", () => new Response(""), settings);
  expect([response.status, asked]).toEqual([200, []]);
});
