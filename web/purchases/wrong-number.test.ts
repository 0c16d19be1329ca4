import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import type { CallClock } from "../../contract/call-clock.ts";
import { BAD_LEADS_KEY } from "../bad-leads/bad-leads.ts";
import { ClockProvider } from "../lib/clock.tsx";
import { CallClockMark, CallClockNote } from "./call-clock-mark.tsx";
import { CallLink } from "./contact-links.tsx";
import type { PurchasedLead } from "./purchases.ts";

const NOON = Date.parse("2026-11-25T12:00+11:00");

/** Returns what the buyer sees of a lead with a wrong number: its mark, its note and the link to call. */
function show(callClock: CallClock | null, customerPhone = "0491 570 156", isNumberWrong = true): string {
  const purchase = {
    id: "lp_1",
    customerPhone,
    salesStage: "accepted_lead",
    purchasedAt: NOON,
    lastContactAt: null,
    calledAt: null,
    tries: 0,
    isArchived: false,
    finalisedAt: null,
    clockEndsAt: NOON + 3_600_000,
    callClock,
  } as unknown as PurchasedLead;
  const client = new QueryClient();
  client.setQueryData(BAD_LEADS_KEY, { cases: [{ purchaseId: "lp_1", isNumberWrong }] });
  const parts = [CallClockMark, CallClockNote, CallLink].map((Part) => createElement(Part, { purchase }));
  const props = { renderedAt: NOON } as Parameters<typeof ClockProvider>[0];
  const clock = createElement(ClockProvider, props, ...parts);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, clock));
}

test("the call dials the number, without the text behind it", () => {
  const hrefs = ["0491 570 006 (after 6pm)", "+61 (0)491 570 006", "491570006", "02 5550 0123 x12"].map(
    (typed) => /href="(tel:[^"]*)"/.exec(show(null, typed, false))?.[1],
  );
  expect(hrefs).toEqual(["tel:+61491570006", "tel:+61491570006", "tel:+61491570006", "tel:+61255500123"]);
  expect(show(null, "ask at the gate", false)).not.toContain("tel:");
});

test("a wrong number takes the place of the deadline and of the call", () => {
  const page = show(null);
  expect(page).toContain("Wrong number");
  expect(page).toContain("This number is wrong.");
  expect(page).not.toContain("tel:");
});

test("a customer who says that the provider has not called is called, although the number is said to be wrong", () => {
  const notYet = { answer: "not_yet", answeredAt: NOON } as const;
  for (const [clock, words] of [
    [{ ...notYet, state: "running" }, "haven&#x27;t called yet."],
    [
      { ...notYet, state: "last_call", lastCallEndsAt: NOON + 60_000 },
      "or another provider gets their request",
    ],
    [{ ...notYet, state: "asked_again" }, "We&#x27;ve asked them again."],
  ] as const) {
    const page = show(clock);
    // In the mark and in the note.
    expect(page.split(words)).toHaveLength(3);
    expect(page).not.toMatch(/wrong/i);
    expect(page).toContain('href="tel:');
  }
  expect(show({ state: "running", answer: "called" })).toContain('href="tel:');
  expect(show({ state: "over", answer: "never_asked" })).not.toContain('href="tel:');
});
