import { contextOf } from "../platform/context.ts";
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { CLOSE } from "../../contract/exchange.ts";
import { liveSockets, sessions } from "../tables.ts";
import type { Bindings } from "../platform/env.ts";
import { callerFor, callWith, db, testEnv } from "../../testing/client.ts";
import { exchangeIn, roomOf } from "../../testing/facts.ts";
import { runSweep } from "../../testing/drivers.ts";
import { WITHOUT_D1 } from "../../testing/faulty-db.ts";
import { insertProvider, openSocket, type TestSocket } from "../../testing/sockets.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../testing/world.ts";
import type { UserRow } from "../platform/caller.ts";
import type { BusinessRoom } from "../durable-objects/business-room.ts";
import { reconnectRequest } from "./sockets.ts";
import { closeSockets } from "./closing-commands.ts";

const LIVE = "/api/exchange/inner-west/live";
const upgrade = { Upgrade: "websocket" };

/** Makes D1's confirmations of a user's sessions over an hour old, and restarts the object. */
async function backdateConfirmation(stub: DurableObjectStub, userId: string) {
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("UPDATE live_sessions SET until = 1 WHERE user_id = ?", userId);
  });
  await evictDurableObject(stub);
}

/** Returns the rows that an object stores about a user's sessions. */
const sessionRowsOf = (stub: DurableObjectStub, userId: string) =>
  runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec<{ until: number; ended: number }>(
        "SELECT until, ended FROM live_sessions WHERE user_id = ?",
        userId,
      )
      .toArray(),
  );

async function createTeammate(owner: UserRow) {
  return { as: await callerFor((await insertTeamMember(db, owner)).id) };
}

const sessionOf = async (userId: string) =>
  (await db.select().from(sessions).where(eq(sessions.userId, userId)))[0]!;

/** Returns the exchanges, and a list that records every method called on them. */
function watchedExchanges() {
  const { LEAD_EXCHANGE: real } = testEnv;
  const asked: string[] = [];
  function watched<Stub extends object>(stub: Stub): Stub {
    const get = (_: Stub, name: string) => {
      asked.push(name);
      const method: unknown = Reflect.get(stub, name);
      return typeof method === "function" ? method.bind(stub) : method;
    };
    return new Proxy(stub, { get } as ProxyHandler<Stub>);
  }
  const LEAD_EXCHANGE = {
    idFromName: (name: string) => real.idFromName(name),
    get: (id: DurableObjectId) => watched(real.get(id)),
  } as typeof real;
  return { asked, LEAD_EXCHANGE };
}

test("a socket needs a session, a business, a known region, our own origin and an upgrade", async () => {
  const { as } = await insertProvider();
  const customer = await callerFor((await insertUser(db, { userType: "customer" })).id);
  const { asked, LEAD_EXCHANGE } = watchedExchanges();
  const ask = (path: string, options: Parameters<typeof callWith>[3]) =>
    callWith({ LEAD_EXCHANGE }, "GET", path, options);
  const expectations: [number, Promise<Response>][] = [
    [401, ask(LIVE, { headers: upgrade })],
    [403, ask(LIVE, { cookie: customer.cookie, headers: upgrade })],
    [404, ask("/api/exchange/atlantis/live", { cookie: as.cookie, headers: upgrade })],
    [403, ask(LIVE, { cookie: as.cookie, headers: { ...upgrade, Origin: "https://elsewhere.test" } })],
    [426, ask(LIVE, { cookie: as.cookie })],
    [401, ask("/api/business/live", { headers: upgrade })],
  ];
  for (const [status, response] of expectations) expect((await response).status).toBe(status);
  expect(asked, "none of these touched an object").toEqual([]);
  const late = await callerFor((await insertUser(db, { mustChangePassword: true })).id);
  expect((await ask(LIVE, { cookie: late.cookie, headers: upgrade })).status).toBe(403);
  expect(await db.select().from(liveSockets), "nor is any noted").toEqual([]);
  const open = await ask(LIVE, { cookie: as.cookie, headers: upgrade });
  expect(open.status).toBe(101);
  expect(asked).toContain("fetch");
  open.webSocket!.accept();
  open.webSocket!.close();
});

test("a ping is answered, anything else closes the socket", async () => {
  const { as } = await insertProvider();
  const { socket, frames, closed } = await openSocket(LIVE, as.cookie);
  socket.send("ping");
  await expect.poll(() => frames).toContain("pong");
  socket.send("buy everything");
  expect((await closed).code).toBe(CLOSE.unexpectedMessage);
});

test("a socket may end with any code: normal, reserved, our own or out of range", async () => {
  for (const stub of [exchangeIn("inner-west"), roomOf("user_close_codes")])
    for (const code of [1000, 1005, 1006, 1015, CLOSE.signedOut, 7, 65_535])
      await runInDurableObject(stub as DurableObjectStub<BusinessRoom>, async (object) => {
        const { 0: theirs, 1: ours } = new WebSocketPair();
        theirs.accept();
        ours.accept();
        expect(() => object.webSocketClose(ours, code), `${code}`).not.toThrow();
      });
});

test("one person's ninth window takes the place of the first", async () => {
  const { as } = await insertProvider();
  const windows: TestSocket[] = [];
  for (let i = 0; i < 9; i++) windows.push(await openSocket(LIVE, as.cookie));
  expect((await windows[0]!.closed).code).toBe(CLOSE.renew);
  windows[8]!.socket.send("ping");
  await expect.poll(() => windows[8]!.frames).toContain("pong");
});

test("after an hour without fresh word from D1 a socket ends, in an exchange and in a room", async () => {
  const { user, as } = await insertProvider();
  const { as: asMate } = await createTeammate(user);
  const paths = { exchange: "/api/exchange/macarthur/live", room: "/api/business/live" };
  const stubs = { exchange: exchangeIn("macarthur"), room: roomOf(user.id) } as const;
  for (const kind of ["exchange", "room"] as const) {
    const { closed } = await openSocket(paths[kind], as.cookie);
    await backdateConfirmation(stubs[kind], user.id);
    const fresh = await openSocket(paths[kind], asMate.cookie);
    await runDurableObjectAlarm(stubs[kind]);
    expect((await closed).code).toBe(CLOSE.renew);
    fresh.socket.send("ping");
    await expect.poll(() => fresh.frames).toContain("pong");
  }
});

test("a session whose hour is over receives nothing more, whether or not the alarm has run", async () => {
  const { user, as } = await insertProvider();
  const { as: asMate } = await createTeammate(user);
  const room = roomOf(user.id);
  const late = await openSocket("/api/business/live", as.cookie);
  await backdateConfirmation(room, user.id);
  const fresh = await openSocket("/api/business/live", asMate.cookie);
  await room.notify({ type: "purchase_changed", purchaseId: "pur_late", byUserId: user.id });
  expect((await late.closed).code).toBe(CLOSE.renew);
  expect(await fresh.frame(1)).toMatchObject({ purchaseId: "pur_late" });
  expect(late.frames.join()).not.toContain("pur_late");
});

test("no socket outlives its session's own end, nor the hour", async () => {
  const now = Date.now();
  for (const endsAt of [now + 5 * 60_000, now + 30 * 24 * 60 * 60_000]) {
    const { user, as } = await insertProvider();
    await db.update(sessions).set({ expiresAt: endsAt }).where(eq(sessions.userId, user.id));
    await openSocket(LIVE, as.cookie);
    await openSocket("/api/business/live", as.cookie);
    for (const stub of [exchangeIn("inner-west"), roomOf(user.id)]) {
      const [entry] = await sessionRowsOf(stub, user.id);
      expect(entry!.until).toBeLessThanOrEqual(Math.min(endsAt, Date.now() + 60 * 60_000));
      const alarm = await runInDurableObject(stub as DurableObjectStub, (_, { storage }) =>
        storage.getAlarm(),
      );
      expect(alarm).toBeLessThanOrEqual(entry!.until);
    }
  }
});

test("a window that comes back within the hour is let in without D1, and only where it was", async () => {
  const { user, as } = await insertProvider();
  const { cookie } = as;
  await openSocket(LIVE, cookie);
  await openSocket("/api/business/live", cookie);
  const reconnect = (path: string, who = cookie) =>
    callWith(WITHOUT_D1, "GET", path, { cookie: who, headers: upgrade });
  const returning = [`${LIVE}?since=nowhere:0`, `/api/business/live?business=${user.id}`];
  for (const path of returning) {
    await evictDurableObject(path.startsWith(LIVE) ? exchangeIn("inner-west") : roomOf(user.id));
    const response = await reconnect(path);
    expect(response.status).toBe(101);
    response.webSocket!.accept();
  }
  const { as: stranger } = await insertProvider();
  const unknown = [
    reconnect("/api/exchange/parramatta/live?since=nowhere:0"),
    reconnect(`/api/business/live?business=${(await insertUser(db)).id}`),
    ...returning.map((path) => reconnect(path, stranger.cookie)),
    ...returning.map((path) => reconnect(path, "session=made-up")),
  ];
  for (const response of await Promise.all(unknown)) expect(response.status).toBe(500);
  // A hint from another business's user must not open this business's room.
  const wrongRoomSocket = await openSocket(`/api/business/live?business=${user.id}`, stranger.cookie);
  await roomOf(user.id).notify({ type: "purchase_changed", purchaseId: "pur_x", byUserId: user.id });
  wrongRoomSocket.socket.send("ping");
  await expect.poll(() => wrongRoomSocket.frames).toContain("pong");
  expect(wrongRoomSocket.frames.join()).not.toContain("pur_x");
});

test("row 37: a window that came back a moment ago is not let in again once its session has ended", async () => {
  const { user, as } = await insertProvider();
  for (const path of [`${LIVE}?since=nowhere:0`, `/api/business/live?business=${user.id}`]) {
    await openSocket(path, as.cookie);
    // The second time, the object recognises the session from memory.
    await openSocket(path, as.cookie);
  }
  const { id } = await sessionOf(user.id);
  for (const host of [exchangeIn("inner-west"), roomOf(user.id)]) await host.closeSockets({ sessionId: id });
  for (const path of [`${LIVE}?since=nowhere:0`, `/api/business/live?business=${user.id}`]) {
    const response = await callWith(WITHOUT_D1, "GET", path, { cookie: as.cookie, headers: upgrade });
    expect(response.status).toBe(500);
  }
});

test("a room that never let anybody in keeps nothing of who asked", async () => {
  const stub = roomOf("user_00000000asked");
  expect((await stub.fetch(reconnectRequest("made-up", null))).status).toBe(401);
  const tables = await runInDurableObject(stub, (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'live%'").toArray(),
  );
  expect(tables).toEqual([]);
});

test("sockets whose object was away when their session ended are closed by the minute's sweep", async () => {
  const { user, as } = await insertProvider();
  const mine = await openSocket("/api/exchange/central-coast/live", as.cookie);
  const unreachable = {
    ...testEnv,
    LEAD_EXCHANGE: {
      idFromName: () => "id",
      get: () => ({ closeSockets: () => Promise.reject(new Error("The exchange is away")) }),
    },
  } as unknown as Bindings;
  const [gone] = await db.delete(sessions).where(eq(sessions.userId, user.id)).returning({ id: sessions.id });
  await closeSockets(contextOf(unreachable), [{ id: gone!.id }]);
  expect(mine.socket.readyState).toBe(WebSocket.OPEN);
  expect(await runSweep("socket_sweep", Date.now(), unreachable)).toEqual({ closed: 0, failed: 1 });
  expect(await runSweep("socket_sweep")).toEqual({ closed: 1, failed: 0 });
  expect((await mine.closed).code).toBe(CLOSE.signedOut);
  expect(await db.select().from(liveSockets).where(eq(liveSockets.sessionId, gone!.id))).toEqual([]);
});

test("team mates hear of each other's changes, strangers do not", async () => {
  const { user: owner, as: asOwner } = await insertProvider();
  const teammate = await callerFor((await insertTeamMember(db, owner)).id);
  const { as: stranger } = await insertProvider();
  const atMate = await openSocket("/api/business/live", teammate.cookie);
  const atStranger = await openSocket("/api/business/live", stranger.cookie);
  expect(await atMate.frame(0)).toMatchObject({ type: "hello" });
  const purchaseId = await insertManualPurchase(db, owner, { stage: "called", startedAt: Date.now() - 1000 });

  const moved = await asOwner("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, {
    salesStage: "quote_sent",
  });
  expect(moved.status).toBe(200);
  expect(await atMate.frame(1)).toMatchObject({ type: "purchase_changed", purchaseId, byUserId: owner.id });
  atStranger.socket.send("ping");
  await expect.poll(() => atStranger.frames).toContain("pong");
  expect(atStranger.frames.join()).not.toContain(purchaseId);
});
