import { expect, test } from "vitest";

import { applyContact, CONTACT_OUTCOMES, proposeNextAction } from "./contacts.ts";
import { SALES_STAGES } from "./stages.ts";

test("after no answer, the next call is proposed for 9 am tomorrow in Sydney, even if the clocks change", () => {
  for (const [now, next] of [
    ["2026-11-23T14:00:00+11:00", "2026-11-24T09:00:00+11:00"],
    ["2026-11-23T23:59:00+11:00", "2026-11-24T09:00:00+11:00"],
    ["2026-11-24T00:01:00+11:00", "2026-11-25T09:00:00+11:00"],
    // Clocks go forward on 4 October and back on 5 April.
    ["2026-10-03T14:00:00+10:00", "2026-10-04T09:00:00+11:00"],
    ["2026-04-04T14:00:00+11:00", "2026-04-05T09:00:00+10:00"],
  ] as const) {
    expect(proposeNextAction("no_answer", Date.parse(now)), now).toEqual({
      note: "Call again",
      at: Date.parse(next),
    });
  }
  expect(proposeNextAction("texted", 0)).toBeNull();
});

test("no call moves a lead back to an earlier stage", () => {
  for (const outcome of CONTACT_OUTCOMES) {
    for (const salesStage of SALES_STAGES.filter((stage) => stage !== "declined")) {
      const after = applyContact({ salesStage, tries: 2 }, outcome);
      expect(SALES_STAGES.indexOf(after.salesStage), `${outcome} on ${salesStage}`).toBeGreaterThanOrEqual(
        SALES_STAGES.indexOf(salesStage),
      );
    }
  }
});
