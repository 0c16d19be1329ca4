import { expect, test } from "vitest";

import { applyContact, CONTACT_OUTCOMES, type ContactOutcome, proposeNextAction } from "./contacts.ts";
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
    expect(proposeNextAction("no_answer", "accepted_lead", Date.parse(now)), now).toEqual({
      note: "Call again",
      at: Date.parse(next),
    });
  }
  expect(proposeNextAction("texted", "accepted_lead", 0)).toBeNull();
});

const stagesWith = (outcome: ContactOutcome) =>
  SALES_STAGES.filter((stage) => proposeNextAction(outcome, stage, 0) !== null);

test("a stage after the proposed action ends the proposal", () => {
  expect(stagesWith("called")).toEqual(["accepted_lead", "called"]);
  expect(stagesWith("no_answer")).toEqual(["accepted_lead", "called", "quote_sent"]);
  expect(stagesWith("left_message")).toEqual(stagesWith("no_answer"));
  expect(stagesWith("booked")).toEqual([...stagesWith("no_answer"), "job_booked"]);
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
