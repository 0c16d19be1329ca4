import { expect, test } from "vitest";

import { ApiError } from "../lib/api.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import type { Change } from "./change-queue.ts";
import { refusals, wordsOf } from "./refusals.ts";

const changeKey = "key";
const contact = (outcome: "no_answer" | "texted"): Change["update"] => ({
  changeKey,
  contact: { outcome, entryKey: changeKey },
  tries: 1,
  before: { tries: 0, salesStage: "called" },
});

test.each<[string, Change["update"]]>([
  ["Stage “Quote sent”", { changeKey, salesStage: "quote_sent" }],
  ["Stage back to “Called”", { changeKey, salesStage: "called", undoes: "quote_sent" }],
  ["Payment $240.50", { changeKey, customerPaymentAmount: "240.50" }],
  ["Payment taken away", { changeKey, customerPaymentAmount: null }],
  ["Next action “Call again”", { changeKey, nextActionAt: 1, nextActionNote: "Call again" }],
  ["Next action", { changeKey, nextActionAt: 1, nextActionNote: null }],
  ["Next action taken away", { changeKey, nextActionAt: null }],
  ["Call, “No answer”", contact("no_answer")],
  ["Text message", contact("texted")],
])("a change in words: %s", (words, update) => expect(wordsOf(update)).toBe(words));

test("what was refused is told by lead and reason, all of it, until it is dismissed", () => {
  const known = refusals(makeQueryClient());
  const problem = { title: "", status: 409, detail: "Somebody has moved this lead.", code: "stage_changed" };
  const change = { purchaseId: "one", userId: "user", madeAt: 1 };
  known.add(
    { ...change, name: "Cora Conflict", update: { changeKey: "a", salesStage: "quote_sent" } },
    new ApiError(409, "", JSON.stringify(problem)),
  );
  known.add({ ...change, update: { changeKey: "b", nextActionAt: null } }, new ApiError(404, "", ""));
  expect(known.told()).toEqual([
    {
      key: "a",
      name: "Cora Conflict",
      what: "Stage “Quote sent”",
      why: "Somebody has moved this lead.",
    },
    { key: "b", name: "A lead", what: "Next action taken away", why: "It could not be saved." },
  ]);
  expect([known.has("a"), known.has("c")]).toEqual([true, false]);
  known.dismiss();
  expect(known.told()).toEqual([]);
});
