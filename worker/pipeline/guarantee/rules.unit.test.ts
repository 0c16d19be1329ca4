import { expect, test } from "vitest";

import { BAD_LEAD_REPORT_DAYS } from "../../../contract/bad-leads.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { OBJECTION_MS } from "../../../contract/guarantee.ts";
import { type CaseFacts, findEscalationReason, meetsRule } from "./rules.ts";

const CREATED = 100 * DAY_MS;

/** Facts of a case that meets its rule. */
const facts = (changed: Partial<CaseFacts>): CaseFacts => ({
  rule: "no_answer",
  state: "waiting",
  dueAt: CREATED + OBJECTION_MS,
  createdAt: CREATED,
  purchasedAt: CREATED - 3 * DAY_MS,
  isCovered: true,
  isReached: false,
  isQuoted: false,
  hasDoneJob: false,
  isNumberCorrected: false,
  wasAsked: true,
  firstContactAt: null,
  repliedAt: null,
  callClock: null,
  ...changed,
});

const clock = (answer: "called" | "not_yet" | "never_asked", answeredAt: number) =>
  ({ callClock: { state: "over", answer, answeredAt } }) as Partial<CaseFacts>;

test.each([
  ["a bad-lead report", { rule: "bad_lead_report" }, true],
  ["a bad-lead report of a quoted lead", { rule: "bad_lead_report", isQuoted: true }, true],
  ["a bad-lead report of a purchase without cover", { rule: "bad_lead_report", isCovered: false }, false],
  ["a wrong number", { rule: "wrong_number" }, true],
  ["a wrong number, but the customer was reached", { rule: "wrong_number", isReached: true }, false],
  [
    "a wrong number, granted before the customer was reached",
    { rule: "wrong_number", isReached: true, state: "granted" },
    true,
  ],
  ["a wrong number that was corrected", { rule: "wrong_number", isNumberCorrected: true }, false],
  ["a wrong number of a quoted lead", { rule: "wrong_number", isQuoted: true }, false],
  ["a withdrawal before any call", { rule: "withdrawn" }, true],
  ["a withdrawal before the first call", { rule: "withdrawn", firstContactAt: CREATED + 1 }, true],
  ["a withdrawal at the first call", { rule: "withdrawn", firstContactAt: CREATED }, false],
  [
    "a customer who says that they never asked",
    { rule: "never_asked", ...clock("never_asked", CREATED) },
    true,
  ],
  ["a customer who takes that back", { rule: "never_asked", ...clock("not_yet", CREATED) }, false],
  ["a customer who said nothing", { rule: "never_asked" }, false],
  ["calls without an answer", {}, true],
  ["calls without an answer of a purchase without cover", { isCovered: false }, false],
  ["calls without an answer of a quoted lead", { isQuoted: true }, false],
  ["calls without an answer, but the customer was reached", { isReached: true }, false],
  ["calls without an answer, and the customer answers no", clock("not_yet", CREATED), false],
  ["calls without an answer, and the customer answered before", clock("not_yet", CREATED - 1), true],
  ["calls without an answer, and the customer never asked", clock("never_asked", CREATED), true],
  ["calls without an answer, and the customer replied before", { repliedAt: CREATED - 1 }, true],
  ["calls without an answer, and the customer replies", { repliedAt: CREATED }, false],
] as const)("%s: %o meets its rule: %s", (_, changed, isMet) => {
  expect(meetsRule(facts(changed))).toBe(isMet);
});

const LATE = CREATED - BAD_LEAD_REPORT_DAYS * DAY_MS;

test.each([
  ["a wrong number reported in time", { rule: "wrong_number", purchasedAt: LATE }, null],
  ["a wrong number reported late", { rule: "wrong_number", purchasedAt: LATE - 1 }, /came late/],
  ["another rule, as late", { rule: "withdrawn", purchasedAt: LATE - 1 }, null],
  ["silence after the question", { state: "asked" }, null],
  ["silence without the question", { state: "asked", wasAsked: false }, /couldn't ask/],
  [
    "an objection before the time is over",
    { state: "asked", wasAsked: false, dueAt: CREATED + OBJECTION_MS - 1 },
    null,
  ],
  ["no question yet", { wasAsked: false }, null],
  ["another rule without the question", { rule: "withdrawn", state: "asked", wasAsked: false }, null],
] as const)("%s: %o escalates as %s", (_, changed, reason) => {
  const found = findEscalationReason(facts(changed));
  if (reason === null) expect(found).toBeNull();
  else expect(found).toMatch(reason);
});
