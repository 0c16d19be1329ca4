/** What a lock screen shows: titles that are not cut off, and no odd text if a lead's suburb is unknown. */
import { expect, test } from "vitest";

import { mentioned, teamSale } from "./team-templates.ts";
import {
  customerAnswered,
  holdLapsed,
  holdLapsing,
  leadDigest,
  leadWon,
  newLead,
  paidTooLate,
  testMessage,
} from "./templates.ts";

type Summary = Parameters<typeof newLead>[0];

const lead = {
  id: "lead_1",
  suburbName: "Baulkham Hills",
  suburbPostcode: "2153",
  serviceType: ["lawn_mowing", "hedge_trimming"],
  urgency: "within_week",
  price: "50.00",
} as Summary;
const origin = "https://naturestrip.example";
const where = { purchaseId: "pur_1", tab: "leads", origin };
const NOON = Date.parse("2026-11-23T01:00:00Z");

const all = (summary: Summary) => [
  newLead(summary, origin),
  leadWon(summary, { ...where, isGiven: true }),
  leadWon(summary, { ...where, isGiven: false }),
  holdLapsing(summary, NOON, origin),
  holdLapsed(summary, true, origin),
  holdLapsed(summary, false, origin),
  paidTooLate(summary, { cents: 5_000, isTheirs: true, origin }),
  customerAnswered(summary, where),
  leadDigest([summary, { ...summary, id: "lead_2" }], origin),
  mentioned(summary, "Alexandra", where),
  mentioned(summary, null, where),
  teamSale(summary, where),
  testMessage(origin),
];

test("a title has 45 signs at most, also of a suburb with a long name", () => {
  const long = all(lead).filter(({ title }) => title.length > 45);
  expect(long.map(({ title }) => title)).toEqual([]);
});

test("a title without the place leaves it to the words below", () => {
  expect(customerAnswered(lead, where).body).toBe(
    "Baulkham Hills 2153 · Lawn mowing, hedge and tree trimming",
  );
  expect(holdLapsed(lead, false, origin).body).toMatch(
    /^Baulkham Hills 2153 · .* · You haven't been charged\.$/,
  );
});

test("where no suburb is known, none is made up, and no words begin with a gap", () => {
  const nowhere = { ...lead, suburbName: null, suburbPostcode: null };
  expect(customerAnswered(nowhere, where).body).toBe("Lawn mowing, hedge and tree trimming");
  for (const { title, body } of all(nowhere)) expect(`${title}: ${body}`).not.toMatch(/null|: ·/);
});
