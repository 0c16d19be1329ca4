import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { CLOSE } from "../../contract/exchange.ts";
import { call, callerFor, db, testEnv } from "../testing/client.ts";
import { freshProvider, openSocket, type TestSocket } from "../testing/sockets.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../testing/world.ts";
import type { BusinessRoom } from "./business-room.ts";
import { exchangeOf, roomOf } from "./stubs.ts";

const LIVE = "/api/exchange/inner-west/live";
const upgrade = { Upgrade: "websocket" };

function pretendAnHourPassed(state: DurableObjectState) {
  for (const socket of state.getWebSockets()) {
    socket.serializeAttachment({ ...(socket.deserializeAttachment() as object), openedAt: 1 });
  }
  if (state.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'due'").toArray().length > 0) {
    state.storage.sql.exec("UPDATE due SET at = 1 WHERE kind = 'renew'");
  }
}

test("a socket needs a session, a business, a known region, our own origin and an upgrade", async () => {
  const { as } = await freshProvider();
  const customer = await callerFor((await insertUser(db, { userType: "customer" })).id);
  const expectations: [number, Promise<Response>][] = [
    [401, call("GET", LIVE, { headers: upgrade })],
    [403, call("GET", LIVE, { cookie: customer.cookie, headers: upgrade })],
    [404, call("GET", "/api/exchange/atlantis/live", { cookie: as.cookie, headers: upgrade })],
    [
      403,
      call("GET", LIVE, { cookie: as.cookie, headers: { ...upgrade, Origin: "https://elsewhere.test" } }),
    ],
    [403, call("GET", LIVE, { cookie: as.cookie, headers: { ...upgrade, Origin: "null" } })],
    [426, call("GET", LIVE, { cookie: as.cookie })],
    [401, call("GET", "/api/business/live", { headers: upgrade })],
  ];
  for (const [status, answer] of expectations) expect((await answer).status).toBe(status);
  // None of these touched an object.
  expect(await listDurableObjectIds(testEnv.LEAD_EXCHANGE)).toEqual([]);
});

test("a ping is answered, anything else closes the socket", async () => {
  const { as } = await freshProvider();
  const { socket, frames, closed } = await openSocket(LIVE, as.cookie);
  socket.send("ping");
  await expect.poll(() => frames).toContain("pong");
  socket.send("buy everything");
  expect((await closed).code).toBe(CLOSE.unexpectedMessage);
});

test.each([1000, 1001, 1004, 1005, 1006, 1012, 1015, 3000, 4999, 7, 65_535])(
  "a socket that ends with code %i ends, and no code upsets the object",
  async (code) => {
    const room = roomOf(testEnv, "user_close_codes");
    for (const stub of [exchangeOf(testEnv, "inner-west")!, room]) {
      await runInDurableObject(stub as DurableObjectStub<BusinessRoom>, async (object) => {
        const { 0: theirs, 1: ours } = new WebSocketPair();
        theirs.accept();
        ours.accept();
        expect(() => object.webSocketClose(ours, code)).not.toThrow();
      });
    }
  },
);

test("logging out closes the session's sockets in every region and in its business's room, and no others", async () => {
  const { user, as } = await freshProvider();
  const otherWindow = await callerFor(user.id);
  const mine = [
    await openSocket(LIVE, as.cookie),
    await openSocket("/api/exchange/parramatta/live", as.cookie),
    await openSocket("/api/business/live", as.cookie),
  ];
  const other = await openSocket(LIVE, otherWindow.cookie);
  expect((await as("POST", "/api/auth/logout", {})).status).toBe(200);
  for (const { closed } of mine) expect((await closed).code).toBe(CLOSE.signedOut);
  other.socket.send("ping");
  await expect.poll(() => other.frames).toContain("pong");
  expect((await call("GET", LIVE, { cookie: as.cookie, headers: upgrade })).status).toBe(401);
});

test("one person's ninth window takes the place of the first", async () => {
  const { as } = await freshProvider();
  const windows: TestSocket[] = [];
  for (let i = 0; i < 9; i++) windows.push(await openSocket(LIVE, as.cookie));
  expect((await windows[0]!.closed).code).toBe(CLOSE.renew);
  windows[8]!.socket.send("ping");
  await expect.poll(() => windows[8]!.frames).toContain("pong");
});

test("a socket ends after an hour, in an exchange and in a room", async () => {
  const { user, as } = await freshProvider();
  const paths = { exchange: "/api/exchange/macarthur/live", room: "/api/business/live" };
  const stubs = { exchange: exchangeOf(testEnv, "macarthur")!, room: roomOf(testEnv, user.id) } as const;
  for (const kind of ["exchange", "room"] as const) {
    const { closed } = await openSocket(paths[kind], as.cookie);
    await runInDurableObject(stubs[kind], (_, state) => pretendAnHourPassed(state));
    const fresh = await openSocket(paths[kind], as.cookie);
    await runDurableObjectAlarm(stubs[kind]);
    expect((await closed).code).toBe(CLOSE.renew);
    fresh.socket.send("ping");
    await expect.poll(() => fresh.frames).toContain("pong");
  }
});

test("team mates hear of each other's changes, strangers do not", async () => {
  const { user: owner, as: asOwner } = await freshProvider();
  const mate = await callerFor((await insertTeamMember(db, owner)).id);
  const { as: stranger } = await freshProvider();
  const atMate = await openSocket("/api/business/live", mate.cookie);
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
