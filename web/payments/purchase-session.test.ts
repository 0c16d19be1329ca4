import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";

import {
  endAndRelease,
  endPurchaseSession,
  type PurchaseSession,
  startPurchaseSession,
  waitForReleases,
  waitUntilFree,
} from "./purchase-session.ts";

/** Returns the ID of a lead that no other test buys. */
const newLead = () => crypto.randomUUID();

/** Ends a session and releases its lead. The exchange responds after `answer` is called. */
function startRelease(session: PurchaseSession) {
  const response = Promise.withResolvers<void>();
  const calls: string[] = [];
  const isReleased = endAndRelease(session, () => {
    calls.push(session.leadId);
    return response.promise;
  });
  return { calls, isReleased, answer: response.resolve };
}

test("a closed purchase releases its lead", async () => {
  const { calls, isReleased, answer } = startRelease(startPurchaseSession(newLead()));
  expect(calls).toHaveLength(1);
  answer();
  expect(await isReleased).toBe(true);
});

test("a late response releases the lead unless it is being bought again", async () => {
  const leadId = newLead();
  const left = startPurchaseSession(leadId);
  endPurchaseSession(left);
  const again = startPurchaseSession(leadId);
  const late = startRelease(left);
  expect([await late.isReleased, late.calls]).toEqual([false, []]);
  endPurchaseSession(again);
  const later = startRelease(left);
  later.answer();
  expect(await later.isReleased).toBe(true);
});

test("buying another lead does not prevent a release", async () => {
  const left = startPurchaseSession(newLead());
  startPurchaseSession(newLead());
  const { isReleased, answer } = startRelease(left);
  answer();
  expect(await isReleased).toBe(true);
});

test("a lead is free after its release, and other leads are free at once", async () => {
  const leadId = newLead();
  const { isReleased, answer } = startRelease(startPurchaseSession(leadId));
  const free: string[] = [];
  void waitUntilFree(newLead()).then(() => free.push("other"));
  void waitUntilFree(leadId).then(() => free.push("same"));
  await setImmediate();
  expect(free).toEqual(["other"]);
  answer();
  await isReleased;
  await setImmediate();
  expect(free).toEqual(["other", "same"]);
});

test("a failed release also frees the lead", async () => {
  const leadId = newLead();
  await expect(
    endAndRelease(startPurchaseSession(leadId), () => Promise.reject(new Error("broken"))),
  ).rejects.toThrow("broken");
  await waitUntilFree(leadId);
  expect(waitForReleases()).toBeNull();
});

test("waits for all of the window's releases, if there are any", async () => {
  const both = [startRelease(startPurchaseSession(newLead())), startRelease(startPurchaseSession(newLead()))];
  let isDone = false;
  const all = waitForReleases()!.then(() => (isDone = true));
  both[0]!.answer();
  await setImmediate();
  expect(isDone).toBe(false);
  both[1]!.answer();
  await all;
  expect(waitForReleases()).toBeNull();
});
