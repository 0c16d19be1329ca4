import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";

import { beginTurn, releaseTurn, type Turn, untilReleased } from "./purchase-turn.ts";

/** Returns the ID of a lead that no other test buys. */
const newLead = () => crypto.randomUUID();

/** Waits until all lock requests that can be granted have been granted. */
const settle = () => setImmediate();

/** Releases a turn. The exchange responds after `answer` is called. */
function startRelease(turn: Turn) {
  const response = Promise.withResolvers<void>();
  const calls: string[] = [];
  const isReleased = releaseTurn(turn, () => {
    calls.push(turn.leadId);
    return response.promise;
  });
  return { calls, isReleased, answer: response.resolve };
}

test("releases a lead at once if no other window is buying it", async () => {
  const { calls, isReleased, answer } = startRelease(beginTurn(newLead()));
  await settle();
  expect(calls).toHaveLength(1);
  answer();
  expect(await isReleased).toBe(true);
});

test("the last window that is buying a lead releases it", async () => {
  const leadId = newLead();
  for (const [leaves, stays] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const turns = [beginTurn(leadId), beginTurn(leadId)];
    const first = startRelease(turns[leaves]!);
    expect([await first.isReleased, first.calls]).toEqual([false, []]);
    const last = startRelease(turns[stays]!);
    last.answer();
    expect(await last.isReleased).toBe(true);
  }
});

test("buying another lead does not prevent a release", async () => {
  beginTurn(newLead());
  const { isReleased, answer } = startRelease(beginTurn(newLead()));
  answer();
  expect(await isReleased).toBe(true);
});

test("a late response releases the lead unless it is being bought again", async () => {
  const leadId = newLead();
  const left = beginTurn(leadId);
  await left.leave();
  const again = beginTurn(leadId);
  const late = startRelease(left);
  expect([await late.isReleased, late.calls]).toEqual([false, []]);
  await again.leave();
  const later = startRelease(left);
  later.answer();
  expect(await later.isReleased).toBe(true);
});

test("a lead is free after its release, and other leads are free at once", async () => {
  const leadId = newLead();
  const { isReleased, answer } = startRelease(beginTurn(leadId));
  await settle();
  const free: string[] = [];
  void beginTurn(newLead()).untilFree.then(() => free.push("other"));
  void beginTurn(leadId).untilFree.then(() => free.push("same"));
  await settle();
  expect(free).toEqual(["other"]);
  answer();
  await isReleased;
  await settle();
  expect(free).toEqual(["other", "same"]);
});

test("a failed release also frees the lead", async () => {
  const leadId = newLead();
  await expect(releaseTurn(beginTurn(leadId), () => Promise.reject(new Error("broken")))).rejects.toThrow(
    "broken",
  );
  await beginTurn(leadId).untilFree;
  expect(untilReleased()).toBeNull();
});

test("waits for all of the window's releases, if there are any", async () => {
  const both = [startRelease(beginTurn(newLead())), startRelease(beginTurn(newLead()))];
  let isDone = false;
  const all = untilReleased()!.then(() => (isDone = true));
  both[0]!.answer();
  await settle();
  expect(isDone).toBe(false);
  both[1]!.answer();
  await all;
  await settle();
  expect(untilReleased()).toBeNull();
});
