import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ApiError } from "../lib/api.ts";
import { type Change, ChangeQueue } from "./change-queue.ts";

function problem(status: number, code: string) {
  return new ApiError(status, "", JSON.stringify({ title: "No", status, detail: "No.", code }));
}

const PORTAL = "<!doctype html><title>Sign in to this network</title>";

/**
 * Creates a queue with a fake server and a fake device. `down`: offline. `failing`: purchases that the server fails on.
 */
function makeQueue() {
  const fakes = {
    down: false,
    failing: new Set<string>(),
    /** Purchases with changes that a proxy rejects. */
    blockedByProxy: new Set<string>(),
    refused: new Set<string>(),
    /** Response to every request, from a proxy or from the server; null for normal responses. */
    answer: null as ApiError | null,
    givenUp: [] as string[],
    arrived: [] as string[],
    sent: [] as [key: string, isLate: boolean][],
    kept: [] as string[],
    full: false,
  };
  const drop = ({ update }: Change) => {
    fakes.kept = fakes.kept.filter((key) => key !== update.changeKey);
  };
  const queue = new ChangeQueue<string>({
    send: async ({ purchaseId, update: { changeKey } }, isLate) => {
      fakes.sent.push([changeKey, isLate]);
      const { down } = fakes;
      await Promise.resolve();
      if (down) throw new TypeError("offline");
      if (fakes.answer) throw fakes.answer;
      if (fakes.blockedByProxy.has(purchaseId)) throw new ApiError(403, "", PORTAL);
      if (fakes.failing.has(purchaseId)) throw problem(503, "too_busy");
      if (fakes.refused.has(purchaseId)) throw problem(409, "stage_changed");
      fakes.arrived.push(changeKey);
      return `saved ${changeKey}`;
    },
    storeOnDevice: async ({ update }) => {
      if (!fakes.full) fakes.kept.push(update.changeKey);
      return !fakes.full;
    },
    deleteStored: drop,
    onRefused: (change) => {
      fakes.givenUp.push(change.update.changeKey);
      drop(change);
    },
  });
  return { fakes, queue };
}

function change(changeKey: string, purchaseId = "one"): Change {
  return { purchaseId, userId: "user", madeAt: 1, update: { salesStage: "called", changeKey } };
}

const settled = (promise: Promise<unknown>) =>
  Promise.race([
    promise.then(
      () => "saved",
      () => "refused",
    ),
    Promise.resolve("waiting"),
  ]);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Flushes pending promises and zero-delay timers. */
const flushPromises = () => vi.advanceTimersByTimeAsync(0);

test("a change rejected by a proxy does not block others", async () => {
  const { fakes, queue } = makeQueue();
  fakes.blockedByProxy.add("one");
  const blockedByProxy = queue.add(change("a"));
  const other = queue.add(change("b", "two"));
  expect(await other).toBe("saved b");
  expect(await settled(blockedByProxy)).toBe("waiting");
  expect(fakes.arrived).toEqual(["b"]);
  expect(fakes.kept).toEqual(["a"]);
});

test("stores a change, sends it, and deletes it once saved", async () => {
  const { fakes, queue } = makeQueue();
  const saved = queue.add(change("a"));
  expect(fakes.kept).toEqual(["a"]);
  expect(await saved).toBe("saved a");
  expect(fakes).toMatchObject({ kept: [], sent: [["a", false]] });
  expect(queue.isLate("one")).toBe(false);
});

test("offline changes are stored and later sent once each, in order", async () => {
  const { fakes, queue } = makeQueue();
  fakes.down = true;
  const first = queue.add(change("a"));
  await flushPromises();
  const others = [queue.add(change("b", "two")), queue.add(change("c"))];
  await flushPromises();
  expect([queue.getStatus().late, queue.isLate("one"), queue.isLate("two")]).toEqual([3, true, true]);
  expect(fakes.kept).toEqual(["a", "b", "c"]);
  expect(await settled(first)).toBe("waiting");

  fakes.down = false;
  queue.flush();
  queue.flush();
  await Promise.all([first, ...others]);
  expect(fakes).toMatchObject({ arrived: ["a", "b", "c"], kept: [] });
  expect(queue.getStatus().late).toBe(0);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fakes.arrived).toEqual(["a", "b", "c"]);
});

test("retries with backoff", async () => {
  const { fakes, queue } = makeQueue();
  fakes.down = true;
  const saved = queue.add(change("a"));
  await vi.advanceTimersByTimeAsync(2_000 + 4_000 + 8_000);
  expect(fakes.sent).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(fakes.sent).toHaveLength(4);
  fakes.down = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await saved).toBe("saved a");
  // Each retry warns the server that another user may have changed the same fields.
  expect(fakes.sent.map(([, isLate]) => isLate)).toEqual([false, true, true, true, true]);
});

test("a flush during a failing request sends once more", async () => {
  const { fakes, queue } = makeQueue();
  fakes.down = true;
  const saved = queue.add(change("a"));
  fakes.down = false;
  queue.flush();
  expect(await saved).toBe("saved a");
});

test("reports and drops a refused change, then sends the next one", async () => {
  const { fakes, queue } = makeQueue();
  fakes.refused.add("one");
  const answers = [queue.add(change("a")), queue.add(change("b", "two"))].map((sent) =>
    sent.catch((error: ApiError) => error.status),
  );
  expect(await Promise.all(answers)).toEqual([409, "saved b"]);
  expect(fakes.kept).toEqual([]);
});

test.each([
  ["the session has ended", problem(401, "unauthenticated")],
  ["the user must choose a password first", problem(403, "must_change_password")],
  ["the request body was incomplete", problem(400, "body_incomplete")],
  ["a network's login page", new ApiError(403, "", PORTAL)],
  ["a network's login page with status 511", new ApiError(511, "", PORTAL)],
  ["a network that asks for a password", new ApiError(401, "", PORTAL)],
  ["a proxy's 404", new ApiError(404, "", PORTAL)],
  ["a proxy's JSON response", new ApiError(409, "", '{"detail":"No."}')],
])("keeps a change and sends it later: %s", async (_, answer) => {
  const { fakes, queue } = makeQueue();
  fakes.answer = answer;
  const saved = [queue.add(change("a")), queue.add(change("b"))];
  await flushPromises();
  expect(await settled(saved[0]!)).toBe("waiting");
  expect(fakes.kept).toEqual(["a", "b"]);
  expect(queue.isLate("one")).toBe(true);
  fakes.answer = null;
  queue.flush();
  expect(await Promise.all(saved)).toEqual(["saved a", "saved b"]);
  expect(fakes.kept).toEqual([]);
});

test("sends no other changes after the session ended", async () => {
  const { fakes, queue } = makeQueue();
  fakes.answer = problem(401, "unauthenticated");
  void queue.add(change("a"));
  void queue.add(change("b", "two"));
  await flushPromises();
  expect(fakes.sent.map(([key]) => key)).toEqual(["a"]);
});

test("reports a late refusal by name, but not an immediate one", async () => {
  const { fakes, queue } = makeQueue();
  fakes.refused.add("one");
  await expect(queue.add(change("a"))).rejects.toThrow("409");
  expect(fakes.givenUp).toEqual([]);
  fakes.down = true;
  const late = queue.add(change("b"));
  await flushPromises();
  fakes.down = false;
  queue.flush();
  await expect(late).rejects.toThrow("409");
  expect(fakes).toMatchObject({ givenUp: ["b"], kept: [] });
});

test("a purchase that the server cannot save does not block others, and its changes stay in order", async () => {
  const { fakes, queue } = makeQueue();
  fakes.failing.add("one");
  const mine = [queue.add(change("a")), queue.add(change("b"))];
  expect(await queue.add(change("c", "two"))).toBe("saved c");
  await flushPromises();
  expect(fakes.sent.map(([key]) => key)).toEqual(["a", "c"]);
  fakes.failing.clear();
  queue.flush();
  await Promise.all(mine);
  expect(fakes.arrived).toEqual(["c", "a", "b"]);
});

test("marks a change as late after a slow response", async () => {
  const answer = Promise.withResolvers<string>();
  const queue = new ChangeQueue<string>({
    send: () => answer.promise,
    storeOnDevice: async () => true,
    deleteStored() {},
    onRefused() {},
  });
  const notified = vi.fn<() => void>();
  queue.subscribe(notified);
  const saved = queue.add(change("a"));
  notified.mockClear();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([notified.mock.calls.length, queue.isLate("one")]).toEqual([1, true]);
  answer.resolve("saved");
  await saved;
  expect(queue.isLate("one")).toBe(false);
});

test("a change from an earlier visit is late at once and is not stored again", async () => {
  const { fakes, queue } = makeQueue();
  fakes.kept = ["a"];
  const saved = queue.add(change("a"), true);
  expect(queue.has(change("a"))).toBe(true);
  // An earlier visit already reported this change as late.
  expect([queue.isLate("one"), queue.getStatus().late]).toEqual([true, 0]);
  await saved;
  expect(fakes).toMatchObject({ sent: [["a", true]], kept: [] });
});

test("finishing sends pending changes and returns the unsaved ones in time", async () => {
  const { fakes, queue } = makeQueue();
  fakes.down = true;
  void queue.add(change("a"));
  void queue.add(change("b"));
  await flushPromises();
  const early = queue.drain(3_000);
  await vi.advanceTimersByTimeAsync(3_000);
  expect((await early).map(({ update }) => update.changeKey)).toEqual(["a", "b"]);
  // Finishing does not wait for the next retry, many seconds away.
  await vi.advanceTimersByTimeAsync(60_000);
  fakes.down = false;
  const started = Date.now();
  expect(await queue.drain(3_000)).toEqual([]);
  expect(Date.now()).toBe(started);
  expect(fakes.arrived).toEqual(["a", "b"]);
  expect(await queue.drain(3_000)).toEqual([]);
});

test("limits the number of pending changes", async () => {
  const { fakes, queue } = makeQueue();
  fakes.down = true;
  for (let i = 0; i < 500; i += 1) void queue.add(change(`${i}`));
  await expect(queue.add(change("one more"))).rejects.toThrow("Too many");
  expect(fakes.kept).toHaveLength(500);
});

test("counts a change as stored only after the device has stored it", async () => {
  const { fakes, queue } = makeQueue();
  const written = Promise.withResolvers<boolean>();
  fakes.down = true;
  const slow = new ChangeQueue<string>({
    send: () => Promise.reject(new TypeError("offline")),
    storeOnDevice: () => written.promise,
    deleteStored() {},
    onRefused() {},
  });
  void slow.add(change("a"));
  await flushPromises();
  expect(slow.getStatus()).toEqual({ late: 1, beingStored: 1, notStored: 0 });
  const notified = vi.fn<() => void>();
  slow.subscribe(notified);
  written.resolve(true);
  await flushPromises();
  expect([notified.mock.calls.length, slow.getStatus()]).toEqual([
    1,
    { late: 1, beingStored: 0, notStored: 0 },
  ]);

  fakes.full = true;
  const saved = queue.add(change("b"));
  await flushPromises();
  expect(queue.getStatus()).toEqual({ late: 1, beingStored: 0, notStored: 1 });
  // Storage has room again.
  fakes.full = false;
  queue.retryStoring();
  await flushPromises();
  expect([queue.getStatus().notStored, fakes.kept]).toEqual([0, ["b"]]);
  fakes.down = false;
  queue.flush();
  expect(await saved).toBe("saved b");
  expect([queue.getStatus(), fakes.kept]).toEqual([{ late: 0, beingStored: 0, notStored: 0 }, []]);
});
