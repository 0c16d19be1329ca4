import { expect, test } from "vitest";

import { TryLater } from "./errors.ts";
import { createWorkQueue } from "./work-queue.ts";

const REFUSED = new TryLater("too_busy", "Please wait.", 5);

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** Returns turns with a fake clock and a fake sleep. `advanceIdle` wakes every sleeper once. */
function stage(most = 3) {
  let now = 0;
  let timers: (() => void)[] = [];
  const turns = createWorkQueue({
    maxWaiting: most,
    idleMs: 25,
    busyError: () => REFUSED,
    now: () => now,
    sleep: () => new Promise<void>((wake) => void timers.push(wake)),
  });
  return {
    turns,
    /** Advances the clock by one pause. The first `gone` sleepers never wake. */
    async advanceIdle({ gone = 0, ms = 25 } = {}) {
      await settle();
      now += ms;
      const polling = timers.slice(gone);
      timers = [];
      for (const wake of polling) wake();
      await settle();
    },
  };
}

test("work runs in order, with an idle pause between two pieces", async () => {
  const { turns, advanceIdle } = stage();
  const seen: string[] = [];
  const all = ["a", "b", "c"].map((name) => turns.take(async () => void seen.push(name)));
  expect(seen).toEqual([]);
  await advanceIdle();
  expect(seen).toEqual(["a"]);
  const after: number[] = [];
  for (let i = 0; i < 4; i++) {
    await advanceIdle();
    after.push(seen.length);
  }
  expect(seen).toEqual(["a", "b", "c"]);
  // A whole idle pause separates two pieces of work.
  expect(after).toEqual([1, 2, 2, 3]);
  await Promise.all(all);
});

test("a full queue refuses a caller at once and runs nothing", async () => {
  const { turns, advanceIdle } = stage(2);
  const done: string[] = [];
  const first = turns.take(async () => "first");
  const second = turns.take(async () => "second");
  await expect(turns.take(async () => done.push("third"))).rejects.toBe(REFUSED);
  for (let i = 0; i < 4; i++) await advanceIdle();
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  const later = turns.take(async () => "later");
  await advanceIdle();
  expect(await later).toBe("later");
  expect(done).toEqual([]);
});

test("failed work releases its place", async () => {
  const { turns, advanceIdle } = stage(1);
  const failing = Promise.allSettled([
    turns.take(async () => {
      throw new Error("broken");
    }),
  ]);
  await advanceIdle();
  expect(await failing).toMatchObject([{ status: "rejected", reason: { message: "broken" } }]);
  const next = turns.take(async () => "next");
  await advanceIdle();
  await advanceIdle();
  expect(await next).toBe("next");
});

test("a waiting caller that disconnected delays no one", async () => {
  const { turns, advanceIdle } = stage(2);
  // The request has ended, so its timer never fires.
  void turns.take(async () => "never");
  await advanceIdle({ gone: 1 });
  const patient = turns.take(async () => "patient");
  await advanceIdle();
  await advanceIdle({ ms: 20_000 });
  await advanceIdle();
  await advanceIdle();
  expect(await patient).toBe("patient");
  const next = [turns.take(async () => 1), turns.take(async () => 2)];
  for (let i = 0; i < 4; i++) await advanceIdle();
  expect(await Promise.all(next)).toEqual([1, 2]);
});
