/** Lifetimes and clean-up of sessions and one-time links. */
import { DAY_MS } from "../../../contract/durations.ts";
import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";

import { CLOSE } from "../../../contract/exchange.ts";
import { oneTimeSecrets, sessions } from "../../tables.ts";
import { startImpersonation } from "../../../testing/admins.ts";
import { call, callerFor, db } from "../../../testing/client.ts";
import { sessionHash } from "../../../testing/facts.ts";
import { runSweep } from "../../../testing/drivers.ts";
import { eventually } from "../../../testing/eventually.ts";
import { openSocket } from "../../../testing/sockets.ts";
import { insertUser, newId, sessionCookie } from "../../../testing/world.ts";
import { MAX_SESSION_MS, SESSION_MS } from "./rules.ts";

const me = (cookie: string) => call("GET", "/api/auth/me", { cookie });

const byCookie = (cookie: string) => eq(sessions.tokenHash, sessionHash(cookie));

async function stored(cookie: string) {
  const [row] = await db.select().from(sessions).where(byCookie(cookie));
  return row;
}

/** Creates a session that started some days ago and was used every day. */
async function createDailySession(userId: string, days: number): Promise<string> {
  const now = Date.now();
  const cookie = await sessionCookie(db, userId, now - days * DAY_MS);
  const yesterday = now - DAY_MS - 60_000;
  await db
    .update(sessions)
    .set({ lastSeenAt: yesterday, expiresAt: yesterday + SESSION_MS })
    .where(byCookie(cookie));
  return cookie;
}

test("a session that is used every day ends 90 days after its sign-in", async () => {
  const user = await insertUser(db);
  const cookie = await createDailySession(user.id, 89);
  expect((await me(cookie)).status).toBe(200);
  await eventually(async () => {
    const { createdAt, expiresAt } = (await stored(cookie))!;
    expect(expiresAt).toBe(createdAt + MAX_SESSION_MS);
  });
  expect((await me(await createDailySession(user.id, 90))).status).toBe(401);
});

test("an old session without a sign-in time also ends after 90 days", async () => {
  const user = await insertUser(db);
  const [young, old] = [await createDailySession(user.id, 40), await createDailySession(user.id, 91)];
  for (const cookie of [young, old])
    await db.update(sessions).set({ signedInAt: null }).where(byCookie(cookie));
  expect((await me(young)).status).toBe(200);
  expect((await me(old)).status).toBe(401);
});

test("impersonating and returning does not extend a session", async () => {
  const [admin, target] = [await insertUser(db, { isSuperAdmin: true }), await insertUser(db)];
  const first = await createDailySession(admin.id, 80);
  const { createdAt } = (await stored(first))!;
  const impersonatedCookie = await startImpersonation(first, target.id);
  const stopped = await call("POST", "/api/auth/stop-impersonation", { cookie: impersonatedCookie });
  const cookie = stopped.headers.getSetCookie()[0]!.split(";")[0]!;
  expect((await stored(cookie))!.expiresAt).toBe(createdAt + MAX_SESSION_MS);
});

test("an impersonation that starts on a session's last day ends with the session", async () => {
  const [admin, target] = [await insertUser(db, { isSuperAdmin: true }), await insertUser(db)];
  const now = Date.now();
  const cookie = await createDailySession(admin.id, 1);
  const signedInAt = now - MAX_SESSION_MS + 60_000;
  await db.update(sessions).set({ signedInAt }).where(byCookie(cookie));
  const impersonatedCookie = await startImpersonation(cookie, target.id);
  expect((await stored(impersonatedCookie))!.expiresAt).toBe(signedInAt + MAX_SESSION_MS);
});

test("the sweep deletes only ended sessions and closes only their sockets", async () => {
  const user = await insertUser(db);
  const [ended, live] = [await callerFor(user.id), await callerFor(user.id)];
  const sockets = await Promise.all(
    ["/api/business/live", "/api/exchange/inner-west/live"].map((path) => openSocket(path, ended.cookie)),
  );
  const own = await openSocket("/api/business/live", live.cookie);
  const at = Date.now() + 1000;
  await db.update(sessions).set({ expiresAt: at }).where(byCookie(ended.cookie));
  expect(await runSweep("access_sweep", at - 1)).toMatchObject({ sessions: 0 });
  expect(await runSweep("access_sweep", at)).toMatchObject({ sessions: 1 });
  expect(await stored(ended.cookie)).toBeUndefined();
  expect(await stored(live.cookie)).toBeDefined();
  for (const { closed } of sockets) expect((await closed).code).toBe(CLOSE.signedOut);
  expect(own.socket.readyState).toBe(WebSocket.OPEN);
  own.socket.close();
});

test("the sweep deletes a limited number at a time, oldest first", async () => {
  const user = await insertUser(db);
  const now = Date.now();
  const old = Array.from({ length: 60 }, (_, i) => ({
    id: `ses_sweep${String(i).padStart(12, "0")}`,
    tokenHash: `sweep-${i}`,
    userId: user.id,
    createdAt: 1,
    lastSeenAt: 1,
    expiresAt: 1 + i,
  }));
  for (const row of old) await db.insert(sessions).values(row);
  expect(await runSweep("access_sweep", now)).toMatchObject({ sessions: 50 });
  const left = await db
    .select({ expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(
      inArray(
        sessions.tokenHash,
        old.map(({ tokenHash }) => tokenHash),
      ),
    );
  expect(left.map(({ expiresAt }) => expiresAt).toSorted((a, b) => a - b)[0]).toBe(51);
  expect(await runSweep("access_sweep", now)).toMatchObject({ sessions: 10 });
});

test("used and expired links are deleted, and working ones stay", async () => {
  const user = await insertUser(db);
  const now = Date.now();
  const links: { id: string }[] = [];
  for (let i = 0; i < 3; i++) {
    const times = { createdAt: now + i, expiresAt: now + i + 60 * 60 * 1000 };
    const link = { id: newId("link"), purpose: "password", userId: user.id, hash: `link-${i}` } as const;
    const row = { ...link, ...times };
    await db.insert(oneTimeSecrets).values(row);
    links.push(row);
  }
  const [used, expired, works] = links;
  await db.update(oneTimeSecrets).set({ usedAt: now }).where(eq(oneTimeSecrets.id, used!.id));
  await db.update(oneTimeSecrets).set({ expiresAt: now }).where(eq(oneTimeSecrets.id, expired!.id));
  expect(await runSweep("access_sweep", now)).toMatchObject({ secrets: 1 });
  expect(await runSweep("access_sweep", now + 60 * 60 * 1000)).toMatchObject({ secrets: 1 });
  const left = await db.select().from(oneTimeSecrets).where(eq(oneTimeSecrets.userId, user.id));
  expect(left.map(({ id }) => id)).toEqual([works!.id]);
});
