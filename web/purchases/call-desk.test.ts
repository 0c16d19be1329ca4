import { expect, test } from "vitest";

import { CallDesk } from "./call-desk.ts";

const HOUR_MS = 3_600_000;

function memory(text: string | null = null) {
  const kept = { text };
  return { kept, read: () => kept.text, write: (next: string | null) => void (kept.text = next) };
}

test("after a call, asks once for the outcome and once for the next action", () => {
  const desk = new CallDesk(memory());
  desk.back();
  expect(desk.view().call).toBeNull();
  desk.start("pur_1", Date.now());
  expect(desk.view().call).toMatchObject({ state: "away" });
  desk.back();
  const { entryKey } = desk.view().call!;
  expect(desk.view().call).toMatchObject({ purchaseId: "pur_1", state: "asking" });
  desk.answer("no_answer");
  desk.back();
  expect(desk.view().call).toMatchObject({ state: "proposing", outcome: "no_answer", entryKey });
  desk.end();
  expect(desk.view().call).toBeNull();
});

test("a page discarded during a call asks once when reopened, but not a day later", () => {
  const device = memory();
  new CallDesk(device).start("pur_1", Date.now() - HOUR_MS);
  const desk = new CallDesk(device);
  expect(desk.view().call).toBeNull();
  desk.subscribe(() => {});
  expect(desk.view().call).toMatchObject({ purchaseId: "pur_1", state: "asking" });
  desk.answer("called");
  expect(device.kept.text).toBeNull();

  new CallDesk(device).start("pur_1", Date.now() - 24 * HOUR_MS);
  const late = new CallDesk(device);
  late.subscribe(() => {});
  expect(late.view().call).toBeNull();
  for (const text of ["", "{", "null", "7", '{"purchaseId":1}']) {
    const confused = new CallDesk(memory(text));
    confused.subscribe(() => {});
    expect(confused.view().call, text).toBeNull();
  }
});

test("only the open lead shows the question", () => {
  const desk = new CallDesk(memory());
  desk.ask("pur_1", Date.now());
  expect(desk.view().isShownByLead).toBe(false);
  const leave = desk.claim("pur_1");
  expect(desk.view().isShownByLead).toBe(true);
  desk.claim("pur_2");
  leave();
  expect(desk.view()).toMatchObject({ isShownByLead: false, call: { state: "asking" } });
});
