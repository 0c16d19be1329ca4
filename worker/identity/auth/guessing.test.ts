/** Password guessing is slowed down without locking users out of their accounts. */
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { runSweeps } from "../../cron.ts";
import { knownNetworks, signInFailures, users } from "../../platform/db/schema.ts";
import { type Bindings, readSettings } from "../../platform/env.ts";
import { TryLater } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertUser, PASSWORD } from "../../../testing/world.ts";
import { admitGuess } from "./guess-commands.ts";
import { networkPrefixes } from "../../platform/network.ts";
import { BUDGET_BURST, BUDGET_INTERVAL_MS, countersOf } from "./guess-counters.ts";
import { findUserForLogin } from "./queries.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

// Fake only the date. Timers run normally.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
afterEach(() => void vi.useRealTimers());
const advanceTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

let networks = 0;
/** Returns an unused /64 in its own /48, such as `2001:dc8:1:1`. */
const freshNetwork = () => {
  networks += 1;
  return `2001:${(0xdc8 + (networks >> 16)).toString(16)}:${(networks & 0xffff).toString(16)}:1`;
};

type From = { network?: string; device?: string; changed?: Partial<Bindings> };

function signIn(
  username: string,
  password: string,
  { network = freshNetwork(), device, changed }: From = {},
) {
  return callWith({ ...changed }, "POST", "/api/auth/login", {
    body: { username, password },
    cookie: device,
    headers: { "CF-Connecting-IP": `${network}::${Math.ceil(Math.random() * 9_999)}` },
  });
}

const cookieNamed = (name: string, response: Response) =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(";")[0];
const deviceOf = (response: Response) => cookieNamed("device", response);

async function statusesOf(tries: number, ask: () => Promise<Response>) {
  const statuses: number[] = [];
  for (let i = 0; i < tries; i++) statuses.push((await ask()).status);
  return statuses;
}

/** Counts wrong passwords as the login route does, but skips the hashing. */
async function fail(username: string, times: number, from: { network?: string; deviceId?: string } = {}) {
  const { user } = (await findUserForLogin(db, username))!;
  for (let i = 0; i < times; i++) {
    const { network = freshNetwork(), deviceId = null } = from;
    const prefixes = networkPrefixes(`${network}::1`);
    const tried = { account: user.id, prefixes, deviceId, isKnownNetwork: false };
    await admitGuess(db, countersOf(tried, readSettings(testEnv).originHashKey), Date.now());
  }
}

/** Uses up new networks' share of an account's budget, and `more` attempts beyond it. */
async function exhaustBudget(username: string, more = 0): Promise<void> {
  const { user } = (await findUserForLogin(db, username))!;
  const tried = { account: user.id, prefixes: networkPrefixes("192.0.2.1"), deviceId: null };
  const budget = countersOf(
    { ...tried, isKnownNetwork: false },
    readSettings(testEnv).originHashKey,
  ).sharedBudget!;
  const failures = Math.floor((BUDGET_BURST * 16) / 18) + more;
  const lastAt = Date.now() + failures * BUDGET_INTERVAL_MS;
  const row = { counterKey: budget.key, failures, lastAt };
  await db
    .insert(signInFailures)
    .values(row)
    .onConflictDoUpdate({ target: signInFailures.counterKey, set: row });
  expect((await signIn(username, "a wrong guess")).status).toBe(429);
}

test("a known device signs in at once from any network, despite strangers' guesses", async () => {
  const user = await insertUser(db);
  const device = deviceOf(await signIn(user.username, PASSWORD));
  expect(device).toMatch(/^device=./);
  await exhaustBudget(user.username);
  const back = await signIn(user.username, PASSWORD, { device });
  expect(back.status).toBe(200);
  // The cookie changes each time.
  expect(deviceOf(back)).not.toBe(device);
  expect((await signIn(user.username, PASSWORD, { device: deviceOf(back) })).status).toBe(200);
});

test("a new device on the owner's network signs in at once", async () => {
  const user = await insertUser(db);
  const home = freshNetwork();
  expect((await signIn(user.username, PASSWORD, { network: home })).status).toBe(200);
  await exhaustBudget(user.username);
  expect((await signIn(user.username, PASSWORD, { network: home })).status).toBe(200);
});

test("from a new place, the owner can sign in on a retry after five seconds, despite guesses from new networks", async () => {
  const user = await insertUser(db);
  await exhaustBudget(user.username);
  const network = freshNetwork();
  const refused = await signIn(user.username, PASSWORD, { network });
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "5"]);
  expect(await refused.json()).toMatchObject({
    code: "too_many_requests",
    detail: "Too many wrong passwords. Please try again in 5 seconds.",
  });
  for (let i = 0; i < 13; i++) {
    advanceTime(400);
    expect((await signIn(user.username, "a wrong guess")).status).toBe(429);
  }
  expect((await signIn(user.username, PASSWORD, { network })).status).toBe(200);
});

/** Expects TryLater; any other error fails the test. @returns 0, the number of guesses admitted */
function expectRefusal(error: unknown): number {
  expect(error).toBeInstanceOf(TryLater);
  return 0;
}

/** Simulates strangers who guess at an account from different networks. @returns the number of guesses admitted */
async function simulateAttack(
  username: string,
  seconds: number,
  perSecond: number,
  networkForAttempt: (attempt: number) => string,
) {
  let admitted = 0;
  for (let attempt = 0; attempt < seconds * perSecond; attempt++) {
    advanceTime(SECOND / perSecond);
    admitted += await fail(username, 1, { network: networkForAttempt(attempt) }).then(() => 1, expectRefusal);
  }
  return admitted;
}

const pool = (size: number) => {
  const members = Array.from({ length: size }, freshNetwork);
  return (attempt: number) => members[attempt % size]!;
};
const siteRotation = (attempt: number) => `2001:db9:1:${(attempt & 0xffff).toString(16)}`;

test.for([
  ["2.5 guesses a second, each from a new network", 2.5, () => freshNetwork],
  ["2.5 guesses a second from 40 networks in turn", 2.5, () => pool(40)],
  ["5 guesses a second from 300 networks in turn", 5, () => pool(300)],
  ["5 guesses a second from one network", 5, () => pool(1)],
  ["5 guesses a second from one /48, each from another /64", 5, () => siteRotation],
] as const)(
  "%s: the right password signs in from a new place, eight times out of eight",
  async ([, rate, networks]) => {
    const user = await insertUser(db);
    const networkForAttempt = networks();
    for (let i = 0; i < 8; i++) {
      await simulateAttack(user.username, 12, rate, networkForAttempt);
      const answer = await signIn(user.username, PASSWORD);
      expect(answer.status).toBe(200);
    }
  },
);

test("strangers get 720 attempts at one account and 90 more an hour, and one /48 gets a small share", async () => {
  const user = await insertUser(db);
  const start = Date.now();
  const countAll = async (networkForAttempt: () => string[]) => {
    let admitted = 0;
    for (let hour = 0; hour < 4; hour++) {
      vi.setSystemTime(start + hour * 60 * MINUTE);
      for (let refused = 0; refused < 3;) {
        const [network] = networkForAttempt();
        try {
          await fail(user.username, 1, { network: network! });
          admitted += 1;
        } catch (error) {
          expectRefusal(error);
          refused += 1;
        }
      }
    }
    return admitted;
  };
  const byOne = await countAll(() => [`2001:dba:1:${Math.floor(Math.random() * 65_535).toString(16)}`]);
  expect(byOne).toBeLessThanOrEqual(60);
  vi.setSystemTime(start);
  await db.delete(signInFailures);
  const byAll = await countAll(() => [freshNetwork()]);
  expect(byAll).toBeGreaterThan(800);
  expect(byAll).toBeLessThanOrEqual(720 + 4 * 90);
});

test("when the budget is used up, the response offers a link by email, and the link signs in", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "locked-out@example.com" });
  await exhaustBudget(user.username, 90);
  const network = freshNetwork();
  const refused = await signIn(user.username, PASSWORD, { network, changed });
  expect(await refused.json()).toMatchObject({
    detail: expect.stringContaining('"Forgot password?" for a link by email'),
  });
  const headers = { "CF-Connecting-IP": `${network}::1` };
  const body = { username: user.username };
  expect((await callWith(changed, "POST", "/api/auth/forgot-password", { headers, body })).status).toBe(202);
  const token = /reset-password\/([\w-]+)/.exec(sent.map(({ text }) => text).join())![1];
  const chosen = { newPassword: "seven gum trees", confirmPassword: "seven gum trees" };
  const reset = await callWith(changed, "POST", "/api/auth/reset-password", {
    headers,
    body: { token, ...chosen },
  });
  expect(reset.status).toBe(200);
  expect((await signIn(user.username, "seven gum trees", { network })).status).toBe(200);
});

test("guesses at one account from one network are delayed longer each time, up to a limit", async () => {
  const user = await insertUser(db);
  const network = freshNetwork();
  const guess = () => signIn(user.username, "a wrong guess", { network });
  expect(await statusesOf(6, guess)).toEqual([401, 401, 401, 401, 401, 429]);
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    const refused = await guess();
    const wait = Number(refused.headers.get("Retry-After"));
    waits.push(wait);
    advanceTime(wait * SECOND - 1);
    expect((await guess()).status, `before ${wait} s are over`).toBe(429);
    advanceTime(1);
    await fail(user.username, 1, { network });
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  advanceTime(900 * SECOND);
  expect((await signIn(user.username, PASSWORD, { network })).status).toBe(200);
});

test("right passwords are never counted", async () => {
  await db.delete(signInFailures);
  const user = await insertUser(db);
  const network = freshNetwork();
  for (let i = 0; i < 7; i++) expect((await signIn(user.username, PASSWORD, { network })).status).toBe(200);
  expect(await db.select().from(signInFailures)).toEqual([]);
  // After four wrong passwords and a correct one, the next four cause no wait.
  for (let i = 0; i < 2; i++) {
    await fail(user.username, 3, { network });
    expect((await signIn(user.username, "a slip", { network })).status).toBe(401);
    expect((await signIn(user.username, PASSWORD, { network })).status).toBe(200);
  }
});

test("concurrent guesses get no more attempts than sequential ones", async () => {
  const user = await insertUser(db);
  const network = freshNetwork();
  const all = await Promise.all(
    Array.from({ length: 30 }, () => signIn(user.username, "a wrong guess", { network })),
  );
  const statuses = all.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
  expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
});

test("a network that guesses many usernames is delayed too, but its own users are not", async () => {
  const colleague = await insertUser(db);
  const network = freshNetwork();
  expect((await signIn(colleague.username, PASSWORD, { network })).status).toBe(200);
  for (let i = 0; i < 19; i++) await fail((await insertUser(db)).username, 1, { network });
  expect((await signIn((await insertUser(db)).username, "a wrong guess", { network })).status).toBe(401);
  expect((await signIn((await insertUser(db)).username, "a wrong guess", { network })).status).toBe(429);
  expect((await signIn(colleague.username, PASSWORD, { network })).status).toBe(200);
  // Other networks are not affected.
  expect((await signIn((await insertUser(db)).username, PASSWORD)).status).toBe(200);
});

test("unknown usernames get the same responses as known ones", async () => {
  const user = await insertUser(db);
  const unknownUsername = newId("user");
  const responses = [user.username, unknownUsername].map(async (username) => {
    const network = freshNetwork();
    return statusesOf(7, () => signIn(username, "a wrong guess", { network }));
  });
  const [existing, unknown] = await Promise.all(responses);
  expect(unknown).toEqual(existing);
});

test("a device cookie belongs to one account, cannot be forged, and expires with the password or with time", async () => {
  const [user, other] = [await insertUser(db), await insertUser(db)];
  const device = deviceOf(await signIn(user.username, PASSWORD))!;
  await exhaustBudget(user.username);
  const foreign = deviceOf(await signIn(other.username, PASSWORD))!;
  const parts = device.split(".");
  const forged = [
    foreign,
    foreign.replace(other.id, user.id),
    `${device.slice(0, -1)}${device.endsWith("A") ? "B" : "A"}`,
    parts.with(1, newId("ses").slice(4)).join("."),
    parts.with(2, (Date.now() + DAY).toString(36)).join("."),
    "device=",
    "device=%E0%A4%A",
    `device=${"~".repeat(4000)}`,
  ];
  for (const cookie of forged)
    expect((await signIn(user.username, PASSWORD, { device: cookie })).status, cookie).toBe(429);
  expect((await signIn(user.username, "a wrong guess", { device })).status, "the real one").toBe(401);

  advanceTime(181 * DAY);
  await exhaustBudget(user.username);
  expect((await signIn(user.username, PASSWORD, { device })).status, "too old").toBe(429);
});

test("after a password change, only the owner's current device and network are known", async () => {
  const user = await insertUser(db);
  const thief = freshNetwork();
  const stolen = deviceOf(await signIn(user.username, PASSWORD, { network: thief }))!;
  const { cookie } = await callerFor(user.id);
  const chosen = { newPassword: "seven gum trees", confirmPassword: "seven gum trees" };
  const changed = await callWith({}, "PUT", "/api/user/password", {
    cookie,
    body: { currentPassword: PASSWORD, ...chosen },
  });
  expect(changed.status).toBe(200);
  await exhaustBudget(user.username);
  expect((await signIn(user.username, "seven gum trees", { device: stolen })).status).toBe(429);
  expect((await signIn(user.username, "seven gum trees", { network: thief })).status).toBe(429);
  expect((await signIn(user.username, "seven gum trees", { device: deviceOf(changed)! })).status).toBe(200);
});

test("several users who share a browser are known on it", async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => insertUser(db)));
  let device: string | undefined;
  for (const { username } of people) device = deviceOf(await signIn(username, PASSWORD, { device }));
  for (const { username } of people) {
    await exhaustBudget(username);
    expect((await signIn(username, PASSWORD, { device })).status).toBe(200);
  }
});

test("scripts and other sites cannot use the device cookie", async () => {
  const { username } = await insertUser(db);
  const response = await callWith({}, "POST", "/api/auth/login", {
    body: { username, password: PASSWORD },
    origin: "https://naturestrip.test",
  });
  const cookie = response.headers.getSetCookie().find((text) => text.startsWith("__Host-device="))!;
  expect(cookie.split("; ").slice(1).toSorted()).toEqual([
    "HttpOnly",
    `Max-Age=${(180 * DAY) / SECOND}`,
    "Path=/",
    "SameSite=Strict",
    "Secure",
  ]);
});

test("the owner gets one email per attack", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "besieged@example.com", firstName: "Bea" });
  await fail(user.username, 8);
  await signIn(user.username, "a wrong guess", { changed });
  expect(sent).toEqual([]);
  await Promise.all(Array.from({ length: 4 }, () => signIn(user.username, "a wrong guess", { changed })));
  advanceTime(MINUTE);
  await signIn(user.username, "a wrong guess", { changed });
  expect(sent).toMatchObject([
    {
      to: "besieged@example.com",
      subject: "Someone is trying to guess your password",
      text: expect.stringContaining("Hello Bea,"),
    },
  ]);
  // A day after the budget has recovered, further guesses count as a new series.
  advanceTime(DAY + 10 * MINUTE);
  await fail(user.username, 9);
  await signIn(user.username, "a wrong guess", { changed });
  expect(sent).toHaveLength(2);
});

test("a user's own typing errors send no email, nor does a deployment without email", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "clumsy@example.com" });
  const device = deviceOf(await signIn(user.username, PASSWORD))!;
  for (let i = 0; i < 10; i++) {
    advanceTime(15 * MINUTE);
    await fail(user.username, 1, { deviceId: device.split(".")[1]! });
  }
  advanceTime(15 * MINUTE);
  expect((await signIn(user.username, "a slip", { device, changed })).status).toBe(401);
  const gone = await insertUser(db, { email: "gone@example.com", isActive: false });
  for (const { username } of [user, gone]) {
    await fail(username, 10);
    await signIn(username, "a wrong guess", username === gone.username ? { changed } : {});
  }
  expect(sent).toEqual([]);
});

test("stored counters do not identify an account, network or username, and expire", async () => {
  for (const table of [signInFailures, knownNetworks]) await db.delete(table);
  const user = await insertUser(db, { username: "Traceable.Name" });
  const network = freshNetwork();
  await signIn(user.username, PASSWORD, { network });
  await signIn(user.username, "a wrong guess", { network: freshNetwork() });
  await signIn("no.such.name", "a wrong guess", { network });
  const stored = JSON.stringify([
    await db.select().from(signInFailures),
    await db.select().from(knownNetworks),
  ]);
  for (const text of [network, "2001:db8", "Traceable", "traceable", "no.such.name"])
    expect(stored).not.toContain(text);
  expect(JSON.stringify(await db.select().from(signInFailures))).not.toContain(user.id);
  expect(await db.select().from(knownNetworks).where(eq(knownNetworks.userId, user.id))).toHaveLength(1);

  await runSweeps(testEnv, Date.now() + DAY + MINUTE);
  expect(await db.select().from(signInFailures)).toEqual([]);
  expect(await db.select().from(knownNetworks).where(eq(knownNetworks.userId, user.id))).toHaveLength(1);
  await runSweeps(testEnv, Date.now() + 91 * DAY);
  expect(await db.select().from(knownNetworks)).toEqual([]);
});

test("an erased person's account has no known places", async () => {
  const user = await insertUser(db);
  const device = deviceOf(await signIn(user.username, PASSWORD));
  await db.update(users).set({ passwordHash: "", isActive: false }).where(eq(users.id, user.id));
  await exhaustBudget(user.username);
  expect((await signIn(user.username, PASSWORD, { device })).status).toBe(429);
});

test("a sign-in from a new place sends one email, and one from a known place sends none", async () => {
  const { sent, changed } = mailbox();
  const { username } = await insertUser(db, { email: "away@example.com" });
  const [home, elsewhere] = [freshNetwork(), freshNetwork()];
  const first = await signIn(username, PASSWORD, { network: home, changed });
  expect(first.status).toBe(200);
  // The user's own phone on any network, and any device at home.
  await signIn(username, PASSWORD, { device: deviceOf(first), changed });
  await signIn(username, PASSWORD, { network: home, changed });
  expect(sent).toEqual([]);
  const strange = await signIn(username, PASSWORD, { network: elsewhere, changed });
  expect(strange.status).toBe(200);
  expect(sent).toMatchObject([
    { to: "away@example.com", subject: "Someone signed in to your Naturestrip account on a new device" },
  ]);
  await signIn(username, PASSWORD, { network: elsewhere, changed });
  await signIn(username, PASSWORD, { changed });
  expect(sent, "once an hour").toHaveLength(1);
  advanceTime(60 * MINUTE);
  await signIn(username, PASSWORD, { changed });
  expect(sent).toHaveLength(2);
});
