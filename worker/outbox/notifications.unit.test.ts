/** Checks the text on a lock screen: no title is cut off, and none looks odd without a suburb. */
import { expect, test } from "vitest";

import { GUARANTEE_STATES, isAnnounced } from "../../contract/guarantee.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { NOTIFICATIONS } from "./notifications.ts";

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

const { call_answered, call_reminder, customer_answered, hold_lapsed, hold_lapsing, lead_digest, lead_won } =
  NOTIFICATIONS;
const { free_claim_decided, mentioned, new_lead, own_review_hidden, paid_too_late, team_sale } =
  NOTIFICATIONS;
const { rescue_offer, test: tried } = NOTIFICATIONS;

const answered = (summary: LeadSummary) => customer_answered.push({ summary, purchaseId: "pur_1", origin });
const lapsed = (summary: LeadSummary, isForSale: boolean) => hold_lapsed.push({ summary, isForSale, origin });

function all(summary: LeadSummary) {
  const where = { summary, purchaseId: "pur_1", tab: "leads", origin };
  return [
    new_lead.push({ summary, origin }),
    lead_won.push({ ...where, isGiven: true }),
    lead_won.push({ ...where, isGiven: false }),
    hold_lapsing.push({ summary, endsAt: NOON, origin }),
    lapsed(summary, true),
    lapsed(summary, false),
    paid_too_late.push({ summary, cents: 5_000, isTheirs: true, origin }),
    answered(summary),
    call_reminder.push({ ...where, endsAt: NOON }),
    call_answered.push({ ...where, answer: "not_yet", endsAt: NOON }),
    call_answered.push({ ...where, answer: "not_yet", endsAt: null }),
    call_answered.push({ ...where, answer: "never_asked", endsAt: null }),
    lead_digest.push({ leads: [summary, { ...summary, id: "lead_2" }], origin }),
    own_review_hidden.push({ summary, origin }),
    ...GUARANTEE_STATES.filter(isAnnounced).map((state) => free_claim_decided.push({ ...where, state })),
    mentioned.push({ ...where, by: "Alexandra" }),
    mentioned.push({ ...where, by: null }),
    team_sale.push(where),
    tried.push({ origin, isTeam: false }),
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
  expect(call_reminder.push(about).title).toBe("Call your customer by Monday 8:27 am");
  expect(call_answered.push({ ...about, answer: "not_yet" }).body).toContain(
    "Please call by Monday 8:27 am.",
  );
  expect(rescue_offer.push(about).body).toContain("Yours to buy until Monday 8:27 am");
});
