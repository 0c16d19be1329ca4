import { expect, test } from "vitest";

import { CallTracker } from "./call-tracker.ts";

const HOUR_MS = 3_600_000;

function storage(text: string | null = null) {
  const kept = { text };
  return { kept, read: () => kept.text, write: (next: string | null) => void (kept.text = next) };
}

test("after a call, asks once for the outcome and once for the next action", () => {
  const tracker = new CallTracker(storage());
  tracker.askOnReturn();
  expect(tracker.view().call).toBeNull();
  tracker.start("pur_1", Date.now());
  expect(tracker.view().call).toMatchObject({ state: "away" });
  tracker.askOnReturn();
  const { entryKey } = tracker.view().call!;
  expect(tracker.view().call).toMatchObject({ purchaseId: "pur_1", state: "asking" });
  tracker.logOutcome("no_answer");
  tracker.askOnReturn();
  expect(tracker.view().call).toMatchObject({ state: "proposing", outcome: "no_answer", entryKey });
  tracker.end();
  expect(tracker.view().call).toBeNull();
});

test("a page discarded during a call asks once when reopened, but not a day later", () => {
  const device = storage();
  new CallTracker(device).start("pur_1", Date.now() - HOUR_MS);
  const tracker = new CallTracker(device);
  expect(tracker.view().call).toBeNull();
  tracker.subscribe(() => {});
  expect(tracker.view().call).toMatchObject({ purchaseId: "pur_1", state: "asking" });
  tracker.logOutcome("called");
  expect(device.kept.text).toBeNull();

  new CallTracker(device).start("pur_1", Date.now() - 24 * HOUR_MS);
  const late = new CallTracker(device);
  late.subscribe(() => {});
  expect(late.view().call).toBeNull();
  for (const text of ["", "{", "null", "7", '{"purchaseId":1}']) {
    const trackerWithBadData = new CallTracker(storage(text));
    trackerWithBadData.subscribe(() => {});
    expect(trackerWithBadData.view().call, text).toBeNull();
  }
});

test("only the open lead shows the question", () => {
  const tracker = new CallTracker(storage());
  tracker.askNow("pur_1", Date.now());
  expect(tracker.view().isShownInLead).toBe(false);
  const leave = tracker.markShown("pur_1");
  expect(tracker.view().isShownInLead).toBe(true);
  tracker.markShown("pur_2");
  leave();
  expect(tracker.view()).toMatchObject({ isShownInLead: false, call: { state: "asking" } });
});
