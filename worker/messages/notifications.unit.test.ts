/** Checks the text on a lock screen: no title is cut off, and none looks odd without a suburb. */
import { expect, test } from "vitest";

import { GUARANTEE_STATES, isAnnounced } from "../../contract/guarantee.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { leadDigest, newLead } from "../leads/alerts/messages.ts";
import { leadWon, rescueOffer, teamSale } from "../leads/messages.ts";
import { customerAnswered } from "../pipeline/answers/messages.ts";
import { callAnswered, callReminder } from "../customer/calls/messages.ts";
import { freeClaimDecided } from "../pipeline/guarantee/messages.ts";
import { mentioned } from "../pipeline/purchases/messages.ts";
import { ownReviewHidden } from "../pipeline/reviews/messages.ts";
import { holdLapsed, holdLapsing, paidTooLate } from "../selling/payments/messages.ts";
import { testMessage } from "./commands.ts";

const lead = {
  id: "lead_1",
  suburbName: "Baulkham Hills",
  suburbPostcode: "2153",
  serviceType: ["lawn_mowing", "hedge_trimming"],
  urgency: "within_week",
  price: "50.00",
} as LeadSummary;
const origin = "https://naturestrip.example";
const NOON = Date.parse("2026-11-23T01:00:00Z");

const answered = (summary: LeadSummary) => customerAnswered.push({ summary, purchaseId: "pur_1", origin });
const lapsed = (summary: LeadSummary, isForSale: boolean) => holdLapsed.push({ summary, isForSale, origin });

function all(summary: LeadSummary) {
  const where = { summary, purchaseId: "pur_1", tab: "leads", origin } as const;
  return [
    newLead.push({ summary, origin }),
    leadWon.push({ ...where, isGiven: true }),
    leadWon.push({ ...where, isGiven: false }),
    holdLapsing.push({ summary, endsAt: NOON, origin }),
    lapsed(summary, true),
    lapsed(summary, false),
    paidTooLate.push({ summary, cents: 5_000, isTheirs: true, origin }),
    answered(summary),
    callReminder.push({ ...where, endsAt: NOON }),
    callAnswered.push({ ...where, answer: "not_yet", endsAt: NOON }),
    callAnswered.push({ ...where, answer: "not_yet", endsAt: null }),
    callAnswered.push({ ...where, answer: "never_asked", endsAt: null }),
    leadDigest.push({ leads: [summary, { ...summary, id: "lead_2" }], origin }),
    ownReviewHidden.push({ summary, origin }),
    ...GUARANTEE_STATES.filter(isAnnounced).map((state) => freeClaimDecided.push({ ...where, state })),
    mentioned.push({ ...where, by: "Alexandra" }),
    mentioned.push({ ...where, by: null }),
    teamSale.push(where),
    testMessage.push({ origin, isTeam: false }),
  ];
}

test("a title has at most 45 characters, even for a suburb with a long name", () => {
  const long = all(lead).filter(({ title }) => title.length > 45);
  expect(long.map(({ title }) => title)).toEqual([]);
});

test("if the title omits the place, the body contains it", () => {
  expect(answered(lead).body).toBe("Baulkham Hills 2153 · Lawn mowing, hedge and tree trimming");
  expect(lapsed(lead, false).body).toMatch(/^Baulkham Hills 2153 · .* · You haven't been charged\.$/);
});

test("without a known suburb, no text mentions one or begins with a space", () => {
  const nowhere = { ...lead, suburbName: null, suburbPostcode: null };
  expect(answered(nowhere).body).toBe("Lawn mowing, hedge and tree trimming");
  for (const { title, body } of all(nowhere)) expect(`${title}: ${body}`).not.toMatch(/null|: ·/);
});

test("a deadline names its day: a lock screen may be read hours later", () => {
  const endsAt = Date.parse("2026-11-30T08:27+11:00");
  const about = { summary: lead, purchaseId: "pur_1", endsAt, origin };
  expect(callReminder.push(about).title).toBe("Call your customer by Monday 8:27 am");
  expect(callAnswered.push({ ...about, answer: "not_yet" }).body).toContain("Please call by Monday 8:27 am.");
  expect(rescueOffer.push(about).body).toContain("Yours to buy until Monday 8:27 am");
});
