/** Password guessing is slowed down without locking owners out of the devices that they use. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { signInFailures } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";
import { retryIfMinuteChanges } from "../../../testing/clock.ts";
import { callerFor, callWith, db } from "../../../testing/client.ts";
import { setUser, signInsOf } from "../../../testing/facts.ts";
import { fillHashingQueue, runSweeps } from "../../../testing/drivers.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertUser, newId, PASSWORD } from "../../../testing/world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

// Fake only the date. Timers run normally.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
afterEach(() => void vi.useRealTimers());
const advanceTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

type From = { network?: string; device?: string | undefined; changed?: Partial<Bindings> };

/** Signs in, by default from a new network without a device cookie. */
function signIn(username: string, password: string, { network, device, changed }: From = {}) {
  return callWith({ ...changed }, "POST", "/api/auth/login", {
    body: { username, password },
    cookie: device,
    ...(network && { headers: { "CF-Connecting-IP": `${network}::1` } }),
  });
}

const guess = (username: string, from: From = {}) => signIn(username, "a wrong guess", from);

const deviceOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("device="))
    ?.split(";")[0];

/** Makes the account's delay a minute, as many guesses from new networks do. */
async function besiege(username: string): Promise<void> {
  await guess(username);
  await db.update(signInFailures).set({ failures: 12, lastAt: Date.now() });
  expect((await guess(username)).headers.get("Retry-After")).toBe("60");
}

beforeEach(async () => void (await db.delete(signInFailures)));

test("guesses at one account wait 1, 2, 4 … 60 seconds from any network, and a right password ends the delay", async () => {
  const user = await insertUser(db);
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    expect((await guess(user.username)).status).toBe(401);
    const refused = await guess(user.username);
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(await refused.json()).toMatchObject({
      status: 429,
      code: "too_many_requests",
      detail: expect.stringMatching(
        new RegExp(`try again in ${seconds} second${seconds === 1 ? "" : "s"}\\.$`),
      ),
    });
    waits.push(seconds);
    // A right password is refused too, so a refusal reveals nothing.
    advanceTime(seconds * SECOND - 1);
    expect((await signIn(user.username, PASSWORD)).status).toBe(429);
    advanceTime(1);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect((await signIn(user.username, PASSWORD)).status).toBe(200);
  expect(await db.select().from(signInFailures)).toEqual([]);
  expect((await guess(user.username)).status).toBe(401);
  expect((await guess(user.username)).headers.get("Retry-After")).toBe("1");
});

test("unknown and closed accounts get the same responses as open ones, in any spelling", async () => {
  const open = await insertUser(db, { email: `${newId("user")}@example.com` });
  const closed = await insertUser(db, { isActive: false });
  const unknown = newId("user");
  const spellings = [
    [open.username, open.username.toUpperCase(), open.email!],
    [closed.username, closed.username.toUpperCase(), ` ${closed.username} `],
    [unknown, unknown.toUpperCase(), ` ${unknown} `],
  ];
  const sequences = await Promise.all(
    spellings.map(async (names) => {
      const responses: unknown[] = [];
      for (const name of names) {
        const response = await guess(name);
        const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>;
        responses.push([response.headers.get("Retry-After"), problem]);
      }
      return responses;
    }),
  );
  expect(sequences[0]).toMatchObject([
    [null, { status: 401 }],
    ["1", { status: 429 }],
    ["1", { status: 429 }],
  ]);
  expect(sequences[1]).toEqual(sequences[0]);
  expect(sequences[2]).toEqual(sequences[0]);
});

test("of concurrent guesses at one account, one is checked", async () => {
  const { username } = await insertUser(db);
  for (const expected of [1, 1]) {
    const responses = await Promise.all(Array.from({ length: 8 }, () => guess(username)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(expected);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8 - expected);
    advanceTime(MINUTE);
  }
});

test("a known device signs in at once from any network during a siege", async () => {
  const user = await insertUser(db);
  const device = deviceOf(await signIn(user.username, PASSWORD));
  await besiege(user.username);
  const back = await signIn(user.username, PASSWORD, { device });
  expect(back.status).toBe(200);
  expect(deviceOf(back)).not.toBe(device);
  // The owner's own device does not make the guesser's next attempts faster.
  expect((await guess(user.username)).headers.get("Retry-After")).toBe("60");
});

test("a known device has a limit of its own, which no other device uses up", async () => {
  vi.useRealTimers();
  await retryIfMinuteChanges(async () => {
    const user = await insertUser(db);
    const [device, other] = [
      deviceOf(await signIn(user.username, PASSWORD)),
      deviceOf(await signIn(user.username, PASSWORD)),
    ];
    for (let i = 0; i < 10; i++) expect((await guess(user.username, { device })).status).toBe(401);
    expect((await signIn(user.username, PASSWORD, { device })).status).toBe(429);
    expect((await signIn(user.username, PASSWORD, { device: other })).status).toBe(200);
    expect((await signIn(user.username, PASSWORD)).status, "no delay for the account").toBe(200);
  });
});

test("a device cookie belongs to one account, cannot be forged, and expires", async () => {
  const [user, other] = [await insertUser(db), await insertUser(db)];
  const device = deviceOf(await signIn(user.username, PASSWORD))!;
  const foreign = deviceOf(await signIn(other.username, PASSWORD))!;
  await besiege(user.username);
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
  expect((await guess(user.username, { device })).status, "the real one").toBe(401);
  advanceTime(181 * DAY);
  await besiege(user.username);
  expect((await signIn(user.username, PASSWORD, { device })).status, "too old").toBe(429);
});

test("after a password change, only the owner's current device is known", async () => {
  const user = await insertUser(db);
  const stolen = deviceOf(await signIn(user.username, PASSWORD))!;
  const { cookie } = await callerFor(user.id);
  const chosen = { newPassword: "seven gum trees", confirmPassword: "seven gum trees" };
  const changed = await callWith({}, "PUT", "/api/user/password", {
    cookie,
    body: { currentPassword: PASSWORD, ...chosen },
  });
  expect(changed.status).toBe(200);
  await besiege(user.username);
  expect((await signIn(user.username, "seven gum trees", { device: stolen })).status).toBe(429);
  expect((await signIn(user.username, "seven gum trees", { device: deviceOf(changed) })).status).toBe(200);
});

test("several users who share a browser are known on it", async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => insertUser(db)));
  let device: string | undefined;
  for (const { username } of people) device = deviceOf(await signIn(username, PASSWORD, { device }));
  for (const { username } of people) {
    await besiege(username);
    expect((await signIn(username, PASSWORD, { device })).status).toBe(200);
  }
});

test("an erased person's account has no known devices", async () => {
  const user = await insertUser(db);
  const device = deviceOf(await signIn(user.username, PASSWORD));
  await setUser(user.id, { passwordHash: "", isActive: false });
  await besiege(user.username);
  expect((await signIn(user.username, PASSWORD, { device })).status).toBe(429);
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

test("on a new device during a siege, the link by email signs in", async () => {
  const { sent, changed } = mailbox();
  const { username } = await insertUser(db, { email: "besieged@example.com" });
  await besiege(username);
  const refused = await signIn(username, PASSWORD, { changed });
  expect(await refused.json()).toMatchObject({
    detail: expect.stringContaining("choose “Forgot password?” for a link by email"),
  });
  const asked = await callWith(changed, "POST", "/api/auth/forgot-password", { body: { username } });
  expect(asked.status).toBe(202);
  const token = /reset-password\/([\w-]+)/.exec(sent.map(({ text }) => text).join())![1];
  const chosen = { newPassword: "seven gum trees", confirmPassword: "seven gum trees" };
  const reset = await callWith(changed, "POST", "/api/auth/reset-password", { body: { token, ...chosen } });
  expect(reset.status).toBe(200);
  expect((await signIn(username, "seven gum trees", { device: deviceOf(reset) })).status).toBe(200);
});

test("an attempt that the full queue refuses does not extend the account's delay", async () => {
  const { username } = await insertUser(db);
  for (let i = 0; i < 6; i++) {
    expect((await guess(username)).status).toBe(401);
    advanceTime(MINUTE);
  }
  const drain = fillHashingQueue();
  expect((await signIn(username, PASSWORD)).headers.get("Retry-After")).toBe("5");
  await drain();
  expect((await signIn(username, PASSWORD)).status).toBe(200);
});

test("the owner gets one email about many guesses", async () => {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, { email: "guessed@example.com", firstName: "Bea" });
  const gone = await insertUser(db, { email: "gone@example.com", isActive: false });
  for (const { username } of [user, gone]) {
    for (let i = 0; i < 12; i++) {
      expect((await guess(username, { changed })).status).toBe(401);
      expect(sent).toHaveLength(i < 9 && username === user.username ? 0 : 1);
      advanceTime(MINUTE);
    }
  }
  expect(sent).toMatchObject([
    {
      to: "guessed@example.com",
      subject: "Someone is trying to guess your password",
      text: expect.stringContaining("Hello Bea,"),
    },
  ]);
});

test("stored failures and sign-ins do not identify a network or a name, and expire", async () => {
  const user = await insertUser(db, { username: "Traceable.Name" });
  const network = "2001:dc9:77:1";
  await signIn(user.username, PASSWORD, { network });
  await guess(user.username, { network });
  await guess("no.such.name", { network });
  const listed = await signInsOf(user.id);
  const stored = JSON.stringify([await db.select().from(signInFailures), listed]);
  for (const text of [network, "Traceable", "traceable", "no.such.name"]) expect(stored).not.toContain(text);
  expect(listed).toMatchObject([{ networkKey: expect.any(String) }, { networkKey: null }]);
  expect(JSON.stringify(await db.select().from(signInFailures))).not.toContain(user.id);
  await runSweeps(Date.now() + DAY - MINUTE);
  expect(await db.select().from(signInFailures)).toHaveLength(2);
  await runSweeps(Date.now() + DAY + MINUTE);
  expect(await db.select().from(signInFailures)).toEqual([]);
});

test("a sign-in from a new place sends one email, and one from a known place sends none", async () => {
  const { sent, changed } = mailbox();
  const { username } = await insertUser(db, { email: "away@example.com" });
  const [home, elsewhere] = ["2001:dc9:78:1", "2001:dc9:79:1"];
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
