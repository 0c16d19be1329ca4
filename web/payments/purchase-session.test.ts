import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";

import { startPurchaseSession, endAndRelease, type Turn, waitForReleases } from "./purchase-session.ts";

/** Returns the ID of a lead that no other test buys. */
const newLead = () => crypto.randomUUID();

/** Waits until all lock requests that can be granted have been granted. */
const settle = () => setImmediate();

/** Releases a turn. The exchange responds after `answer` is called. */
function startRelease(session: Turn) {
  const response = Promise.withResolvers<void>();
  const calls: string[] = [];
  const isReleased = endAndRelease(session, () => {
    calls.push(session.leadId);
    return response.promise;
  });
  return { calls, isReleased, answer: response.resolve };
}

test("releases a lead at once if no other window is buying it", async () => {
  const { calls, isReleased, answer } = startRelease(startPurchaseSession(newLead()));
  await settle();
  expect(calls).toHaveLength(1);
  answer();
  expect(await isReleased).toBe(true);
});

test("the last window that is buying a lead releases it", async () => {
  const leadId = newLead();
  for (const [ends, stays] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const sessions = [startPurchaseSession(leadId), startPurchaseSession(leadId)];
    const first = startRelease(sessions[ends]!);
    expect([await first.isReleased, first.calls]).toEqual([false, []]);
    const last = startRelease(sessions[stays]!);
    last.answer();
    expect(await last.isReleased).toBe(true);
  }
});

test("buying another lead does not prevent a release", async () => {
  startPurchaseSession(newLead());
  const { isReleased, answer } = startRelease(startPurchaseSession(newLead()));
  answer();
  expect(await isReleased).toBe(true);
});

test("a late response releases the lead unless it is being bought again", async () => {
  const leadId = newLead();
  const left = startPurchaseSession(leadId);
  await left.end();
  const again = startPurchaseSession(leadId);
  const late = startRelease(left);
  expect([await late.isReleased, late.calls]).toEqual([false, []]);
  await again.end();
  const later = startRelease(left);
  later.answer();
  expect(await later.isReleased).toBe(true);
});

test("a lead is free after its release, and other leads are free at once", async () => {
  const leadId = newLead();
  const { isReleased, answer } = startRelease(startPurchaseSession(leadId));
  await settle();
  const free: string[] = [];
  void startPurchaseSession(newLead()).untilFree.then(() => free.push("other"));
  void startPurchaseSession(leadId).untilFree.then(() => free.push("same"));
  await settle();
  expect(free).toEqual(["other"]);
  answer();
  await isReleased;
  await settle();
  expect(free).toEqual(["other", "same"]);
});

test("a failed release also frees the lead", async () => {
  const leadId = newLead();
  await expect(
    endAndRelease(startPurchaseSession(leadId), () => Promise.reject(new Error("broken"))),
  ).rejects.toThrow("broken");
  await startPurchaseSession(leadId).untilFree;
  expect(waitForReleases()).toBeNull();
});

test("waits for all of the window's releases, if there are any", async () => {
  const both = [startRelease(startPurchaseSession(newLead())), startRelease(startPurchaseSession(newLead()))];
  let isDone = false;
  const all = waitForReleases()!.then(() => (isDone = true));
  both[0]!.answer();
  await settle();
  expect(isDone).toBe(false);
  both[1]!.answer();
  await all;
  await settle();
  expect(waitForReleases()).toBeNull();
});
