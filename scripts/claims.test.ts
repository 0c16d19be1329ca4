import { expect, test } from "vitest";

import { CLAIMS } from "../web/site/claims.ts";
import { CLAIM_IDS, decide, describeClaims, readDecisions, undecidedClaims } from "./claims-file.ts";
import { claimProblem } from "./deploy-rules.ts";

const on = "2026-11-22";
const by = "Jo Citizen";

test("a fresh checkout has no decisions, and each claim states its condition", () => {
  expect(undecidedClaims(readDecisions())).toEqual(CLAIM_IDS);
  const list = describeClaims({});
  for (const { text, condition } of Object.values(CLAIMS)) {
    expect(list).toContain(text);
    expect(list).toContain(condition);
  }
});

test("a decision is stored with its date and name, and nothing is deployed until all are decided", () => {
  let decisions = decide({}, { decisionAction: "confirm", target: "noHiddenFees", by, on });
  expect(decisions).toEqual({ noHiddenFees: { shown: true, by, on } });
  expect(describeClaims(decisions)).toContain(`noHiddenFees: confirmed by ${by} on ${on}`);
  const open = undecidedClaims(decisions);
  expect(open).not.toContain("noHiddenFees");
  expect(claimProblem(open)).toContain("slotsLeft");

  decisions = decide(decisions, { decisionAction: "hide", target: "undecided", by, on });
  expect(decisions.slotsLeft).toEqual({ shown: false, by, on });
  expect(decisions.noHiddenFees?.shown, "a decision that stands is left alone").toBe(true);
  expect(claimProblem(undecidedClaims(decisions))).toBeNull();
});

const decideWrongly = (action: string, what: string | undefined, name: string | null) => () =>
  decide({}, { decisionAction: action, target: what, by: name, on });

test("an invalid decision is rejected with a message", () => {
  expect(decideWrongly("confirm", "rating", null)).toThrow("--by");
  expect(decideWrongly("confirm", "rating", "  ")).toThrow("--by");
  expect(decideWrongly("confirm", "undecided", by)).toThrow("one by one");
  expect(decideWrongly("approve", "rating", by)).toThrow("use confirm or hide");
  expect(decideWrongly("hide", "ratings", by)).toThrow('no claim "ratings"');
});

test("a decision without a name or a date does not count", () => {
  const rating = { shown: true, by: "", on };
  expect(undecidedClaims({ rating })).toContain("rating");
  expect(undecidedClaims({ rating: { ...rating, by, on: "soon" } })).toContain("rating");
});
