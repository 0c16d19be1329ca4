import { DAY_MS } from "../../../contract/durations.ts";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { sessions } from "../../tables.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { DUMMY_HASH, hashingQueue, hashOf, sessionHash, sessionsOf } from "../../../testing/facts.ts";
import { insertUser, PASSWORD, sessionCookie } from "../../../testing/world.ts";
import { SESSION_MS } from "./rules.ts";
import { eventually } from "../../../testing/eventually.ts";

function login(username: string, password = PASSWORD, options: { origin?: string; cookie?: string } = {}) {
  return call("POST", "/api/auth/login", { body: { username, password }, ...options });
}

/**
 * Returns the name, value and attributes of the session cookie that a response sets. The only other cookies
 * allowed are the device cookie and the one that clears the offline key.
 */
function cookieOf(response: Response) {
  const [cookie, ...others] = response.headers.getSetCookie();
  for (const other of others)
    expect(other).toMatch(/^((__Host-)?device=|offline_key=; Path=\/dashboard; Max-Age=0; )/);
  const [pair = "", ...attributes] = cookie!.split("; ");
  const at = pair.indexOf("=");
  return { pair, name: pair.slice(0, at), value: pair.slice(at + 1), attributes: attributes.toSorted() };
}

const me = (cookie?: string, origin?: string) =>
  call("GET", "/api/auth/me", { cookie, ...(origin && { origin }) });

test("a provider signs in with their username or email, in any spelling", async () => {
  const user = await insertUser(db, { username: "ünal.Fiona", email: "fiona@example.com" });
  for (const name of [" ÜNAL.FIONA ", "U\u0308nal.ﬁona", "Fiona@Example.COM"])
    expect(await (await login(name)).json(), name).toMatchObject({ id: user.id });
});

test("without a session no user is signed in", async () => {
  for (const cookie of [undefined, "session=", "session=nonsense", "session=%E0%A4%A", "; ;=;"]) {
    const response = await me(cookie);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "unauthenticated" });
  }
});

test("the response for the signed-in user matches the contract and contains no secrets", async () => {
  const user = await insertUser(db, { email: "shape@example.com", isVerified: true, abn: "51 824 753 556" });
  const { cookie } = await callerFor(user.id);
  expect(await (await me(cookie)).json()).toEqual({
    id: user.id,
    userType: "provider",
    firstName: user.firstName,
    lastName: user.lastName,
    username: user.username,
    email: "shape@example.com",
    pendingEmail: null,
    phone: user.phone,
    companyName: user.companyName,
    businessId: user.id,
    isVerified: true,
    isSuperAdmin: false,
    needsPasskey: false,
    isImpersonating: false,
    mustChangePassword: false,
    watchedRegions: ["inner-west"],
    services: [],
  });
});

test("a watched region that this release does not know is omitted", async () => {
  const watchedRegions = ["snowy-mountains", "inner-west"];
  const user = await insertUser(db, { watchedRegions });
  const { cookie } = await callerFor(user.id);
  expect(await (await me(cookie)).json()).toMatchObject({ watchedRegions: ["inner-west"] });
});

test("scripts cannot read the session cookie, and other sites cannot send it", async () => {
  const { username } = await insertUser(db);
  const attributes = ["HttpOnly", `Max-Age=${SESSION_MS / 1000}`, "Path=/", "SameSite=Lax", "Secure"];
  expect(cookieOf(await login(username))).toMatchObject({ name: "session", attributes });
  const overHttps = await login(username, PASSWORD, { origin: "https://naturestrip.test" });
  expect(cookieOf(overHttps)).toMatchObject({ name: "__Host-session", attributes });
});

test("a session created over https is refused with the unprefixed cookie name", async () => {
  const { username } = await insertUser(db);
  const origin = "https://naturestrip.test";
  const { pair, value } = cookieOf(await login(username, PASSWORD, { origin }));
  expect((await me(pair, origin)).status).toBe(200);
  expect((await me(`session=${value}`, origin)).status).toBe(401);
});

test("only the hash of the token is stored", async () => {
  const user = await insertUser(db);
  const { value } = cookieOf(await login(user.username));
  expect(value).toMatch(/^[\w-]{43}$/);
  const stored = await sessionsOf(user.id);
  expect(stored.map((session) => session.tokenHash)).toEqual([sessionHash(value)]);
  expect(JSON.stringify(stored)).not.toContain(value);
});

test("signing out ends the session on the server and in the browser", async () => {
  const { username } = await insertUser(db);
  const { pair } = cookieOf(await login(username));
  expect((await me(pair)).status).toBe(200);
  const left = await call("POST", "/api/auth/logout", { cookie: pair, body: {} });
  expect(left.status).toBe(200);
  expect(cookieOf(left)).toMatchObject({ name: "session", value: "" });
  expect(cookieOf(left).attributes).toContain("Max-Age=0");
  expect((await me(pair)).status).toBe(401);
});

test("signing out ends only this browser's session", async () => {
  const user = await insertUser(db);
  const here = await callerFor(user.id);
  const there = await callerFor(user.id);
  await here("POST", "/api/auth/logout");
  expect((await me(there.cookie)).status).toBe(200);
});

test("signing in again replaces the browser's session", async () => {
  const { username } = await insertUser(db);
  const first = cookieOf(await login(username)).pair;
  const second = cookieOf(await login(username, PASSWORD, { cookie: first })).pair;
  expect(second).not.toBe(first);
  expect((await me(first)).status).toBe(401);
  expect((await me(second)).status).toBe(200);
});

test("an expired session is refused", async () => {
  const user = await insertUser(db);
  const expired = await sessionCookie(db, user.id, Date.now() - SESSION_MS - 1000);
  const nearlyExpired = await sessionCookie(db, user.id, Date.now() - SESSION_MS + 60_000);
  expect((await me(expired)).status).toBe(401);
  expect((await me(nearlyExpired)).status).toBe(200);
});

test("an unknown user, a wrong password and a deactivated account get the same response", async () => {
  const user = await insertUser(db);
  const inactive = await insertUser(db, { isActive: false });
  const tries = [
    login("nobody-of-this-name"),
    login(user.username, "wrong-password"),
    login(inactive.username),
  ];
  const responses = await Promise.all(
    tries.map(async (pending) => {
      const response = await pending;
      const { requestId, ...problem } = (await response.json()) as Record<string, unknown>;
      expect(requestId).toBeTruthy();
      return { ...problem, cookies: response.headers.getSetCookie() };
    }),
  );
  expect(responses[0]).toMatchObject({
    status: 401,
    code: "invalid_credentials",
    detail: "Invalid username or password",
    cookies: [],
  });
  expect(responses[1]).toEqual(responses[0]);
  expect(responses[2]).toEqual(responses[0]);
});

/** Returns the algorithm and its cost. */
const costOf = (hash: string) => hash.split("$").slice(0, 4);

test("an unknown user takes as long as a wrong password", async () => {
  const stored = await hashOf(PASSWORD);
  const { username } = await insertUser(db, { passwordHash: stored });
  const hashing = vi.spyOn(hashingQueue, "take");
  // A name of its own: a name that has just failed is refused before its password is checked.
  await login("unknown-user-for-hashing", "wrong-password");
  expect(hashing).toHaveBeenCalledTimes(1);
  await login(username, "wrong-password");
  expect(hashing).toHaveBeenCalledTimes(2);
  hashing.mockRestore();
  expect(costOf(DUMMY_HASH)).toEqual(costOf(stored));
});

test("a session in use is extended once a day by any call", async () => {
  const user = await insertUser(db);
  for (const path of ["/api/auth/me", "/api/leads", "/api/suburbs/leichhardt", "/a-page"]) {
    const before = Date.now();
    const cookie = await sessionCookie(db, user.id, before - DAY_MS - 60_000);
    const renewed = cookieOf(await call("GET", path, { cookie }));
    expect(renewed.pair, path).toBe(cookie);
    expect(renewed.attributes).toContain(`Max-Age=${SESSION_MS / 1000}`);
    const tokenHash = sessionHash(cookie);
    await eventually(async () => {
      const [stored] = await db.select().from(sessions).where(eq(sessions.tokenHash, tokenHash));
      expect(stored!.expiresAt).toBeGreaterThanOrEqual(before + SESSION_MS);
    });
    const again = await call("GET", path, { cookie });
    expect(again.headers.getSetCookie(), "not on every call").toEqual([]);
  }
});

test("a session used within the day is not extended", async () => {
  const user = await insertUser(db);
  const cookie = await sessionCookie(db, user.id, Date.now() - DAY_MS + 60_000);
  expect((await me(cookie)).headers.getSetCookie()).toEqual([]);
});

test("signing out does not extend a session that is due for extension", async () => {
  const user = await insertUser(db);
  const cookie = await sessionCookie(db, user.id, Date.now() - DAY_MS - 60_000);
  const left = await callWith({}, "POST", "/api/auth/logout", { cookie });
  expect(cookieOf(left).value).toBe("");
  expect((await me(cookie)).status).toBe(401);
});
