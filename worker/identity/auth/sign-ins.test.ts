/** Sign-ins and failed attempts are recorded in the log and in the account's list. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { expect, test, vi } from "vitest";

import type { SignInInfo } from "../../../contract/account.ts";
import { signIns } from "../../tables.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { signInsOf } from "../../../testing/facts.ts";
import { runSweep } from "../../../testing/drivers.ts";
import { insertUser, PASSWORD } from "../../../testing/world.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0";

const login = (username: string, password: string) =>
  callWith({}, "POST", "/api/auth/login", {
    body: { username, password },
    headers: { "User-Agent": FIREFOX },
  });

async function listOf(userId: string): Promise<SignInInfo[]> {
  const as = await callerFor(userId);
  const list = (await (await as("GET", "/api/user/sign-ins")).json()) as SignInInfo[];
  // The newest entry is this helper's own sign-in.
  return list.slice(1);
}

async function linesOf(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const spies = (["log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((text: string) => void lines.push(text)),
  );
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines;
}

test("the account's list shows sign-ins and failed attempts, with method and time", async () => {
  const user = await insertUser(db);
  const before = Date.now();
  expect((await login(user.username, PASSWORD)).status).toBe(200);
  expect((await login(user.username, "not it")).status).toBe(401);
  const list = await listOf(user.id);
  expect(list).toMatchObject([
    { method: "password", succeeded: false, device: "Firefox on Windows" },
    { method: "password", succeeded: true, device: "Firefox on Windows" },
  ]);
  for (const { at } of list) expect(at).toBeGreaterThanOrEqual(before);
});

test("users see only their own sign-ins", async () => {
  const [one, other] = [await insertUser(db), await insertUser(db)];
  await login(one.username, PASSWORD);
  expect(await listOf(other.id)).toEqual([]);
});

test("the sign-up is the first entry in the list", async () => {
  const username = "sign-up-listed";
  const response = await call("POST", "/api/auth/customer/signup", {
    body: { username, password: PASSWORD, firstName: "Nora", lastName: "New" },
  });
  const { id } = (await response.json()) as { id: string };
  expect(await listOf(id)).toMatchObject([{ method: "sign_up", succeeded: true }]);
});

test("the log contains the account's id, never its name", async () => {
  const user = await insertUser(db, { username: "logged-person", email: "logged@example.com" });
  const lines = await linesOf(async () => {
    await login("logged-person", PASSWORD);
    await login("logged@example.com", "my-secret-guess");
    await login("someone-unknown", "my-secret-guess");
  });
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.find(({ event }) => event === "sign_in")).toMatchObject({
    level: "info",
    userId: user.id,
    method: "password",
  });
  expect(events.filter(({ event }) => event === "sign_in_failed")).toMatchObject([
    { level: "warn", userId: user.id },
    { level: "warn", userId: null },
  ]);
  expect(lines.join("\n")).not.toMatch(/logged|secret|unheard|2001:db8|Firefox/);
});

test.for([
  [MINUTE_MS, 20],
  [HOUR_MS + 1, 21],
] as const)(
  "twenty failures %i ms ago and another are %i entries, so an hour adds twenty",
  async ([ago, entries]) => {
    const user = await insertUser(db);
    const failed = { userId: user.id, method: "password", succeeded: false, device: "Firefox" } as const;
    await db.insert(signIns).values(Array.from({ length: 20 }, () => ({ ...failed, at: Date.now() - ago })));
    await login(user.username, "not it");
    expect(await signInsOf(user.id)).toHaveLength(entries);
  },
);

test("the list covers 90 days", async () => {
  const user = await insertUser(db);
  const now = Date.now();
  const row = { userId: user.id, method: "password", succeeded: true, device: "Firefox" } as const;
  await db.insert(signIns).values([
    { ...row, at: now - 90 * DAY_MS },
    { ...row, at: now - 90 * DAY_MS + 1 },
  ]);
  expect(await runSweep("access_sweep", now)).toMatchObject({ signIns: 1 });
  expect((await listOf(user.id)).map(({ at }) => at)).toEqual([now - 90 * DAY_MS + 1]);
});
