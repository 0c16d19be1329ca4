/** Many concurrent sign-ins. A password hash takes 140 ms and blocks the isolate. */
import { afterEach, expect, test } from "vitest";

import { signInFailures } from "../../tables.ts";
import { call, callerFor, callWith, db, rowCounts } from "../../../testing/client.ts";
import { fillHashingQueue } from "../../../testing/drivers.ts";
import { MAX_WAITING } from "../../../testing/facts.ts";
import { insertTeamMember, insertUser, newId, PASSWORD, sessionCookie } from "../../../testing/world.ts";

const login = (username: string, password = PASSWORD) =>
  call("POST", "/api/auth/login", { body: { username, password } });

const MANY = 40;
const people = await Promise.all(Array.from({ length: MANY }, () => insertUser(db)));

test("many concurrent sign-ins do not block visitors", async () => {
  let signedIn = 0;
  const responses: Promise<Response>[] = [];
  // The queue is longest when the first user has just signed in.
  const { promise: isFirstIn, resolve: first } = Promise.withResolvers<void>();
  const count = async (asked: Promise<Response>) => {
    const response = await asked;
    if (response.status === 200) signedIn += 1;
    if (signedIn === 1) first();
    return response;
  };
  for (const { username } of people) responses.push(count(login(username)));
  await isFirstIn;
  for (const path of ["/api/suburbs/leichhardt", "/api/suburbs/suggest?q=man", "/"]) {
    const before = signedIn;
    expect((await call("GET", path)).status).toBe(200);
    // The page makes a few D1 calls, and the isolate may hash a password between two of them.
    expect(signedIn - before, path).toBeLessThanOrEqual(3);
  }
  const settled = await Promise.all(responses);
  const refused = settled.filter(({ status }) => status === 429);
  expect(signedIn + refused.length).toBe(MANY);
  expect(signedIn).toBeGreaterThanOrEqual(MAX_WAITING);
  for (const response of refused) {
    expect(response.headers.get("Retry-After")).toBe("5");
    expect(await response.json()).toMatchObject({
      code: "too_many_requests",
      detail: expect.stringContaining("signing in right now"),
    });
  }
});

let drainQueue = async () => {};
afterEach(() => drainQueue());

const account = () => ({
  username: `new-${newId("user").slice(5)}`,
  password: "seven gum trees",
  firstName: "Nora",
  lastName: "Newcomer",
  phone: "0491 570 006",
});

test("while the queue is full, calls that hash a password get a friendly error and change nothing", async () => {
  const user = await insertUser(db);
  const member = await insertTeamMember(db, user);
  const asOwner = await callerFor(user.id);
  const issued = await asOwner("POST", `/api/team-members/${member.id}/password-link`);
  const token = (await issued.json<{ path: string }>()).path.split("/").at(-1);
  const cookie = await sessionCookie(db, user.id);
  const chosen = { newPassword: "seven gum trees", confirmPassword: "seven gum trees" };
  const calls: [method: string, path: string, body: object, isSignedIn?: boolean][] = [
    ["POST", "/api/auth/login", { username: user.username, password: PASSWORD }],
    ["POST", "/api/auth/login", { username: "nobody-of-this-name", password: PASSWORD }],
    ["POST", "/api/auth/provider/signup", { ...account(), companyName: "Newcomer Gardens" }],
    ["POST", "/api/auth/customer/signup", account()],
    ["POST", "/api/auth/reset-password", { token, ...chosen }],
    ["PUT", "/api/user/password", { currentPassword: PASSWORD, ...chosen }, true],
    [
      "POST",
      "/api/team-members",
      { ...account(), email: "new@example.com", tempPassword: "seven gum trees" },
      true,
    ],
  ];
  drainQueue = fillHashingQueue();
  await db.delete(signInFailures);
  const untouched = await rowCounts();
  for (const [method, path, body, isSignedIn] of calls) {
    const refused = await callWith({}, method, path, { body, ...(isSignedIn && { cookie }) });
    expect([refused.status, refused.headers.get("Retry-After")], path).toEqual([429, "5"]);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("signing in right now") });
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect(await rowCounts()).toEqual(untouched);
  }
  await drainQueue();
  for (const [method, path, body, isSignedIn] of calls) {
    const { status } = await callWith({}, method, path, { body, ...(isSignedIn && { cookie }) });
    expect(status, path).toBeLessThan(path.endsWith("login") ? 402 : 300);
  }
});
