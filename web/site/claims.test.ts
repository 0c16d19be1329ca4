import { expect, test } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { PublicFigure, PublicFigures } from "../../contract/public-figures.ts";
import { CLAIM_IDS, type Claim, CLAIMS, formatFigureTime, resolveClaims } from "./claims.ts";

const figure = (value: number, n = 412): PublicFigure => ({
  value,
  n,
  businesses: 23,
  fromDay: "2025-11-25",
  toDay: "2026-11-24",
});

const FIGURES: PublicFigures = {
  rating: figure(4.7999, 37),
  satisfaction: figure(0.999, 1000),
  ratedProviders: figure(20 / 23, 23),
  insured: figure(1, 23),
  jobs: figure(1204, 1204),
  winRate: figure(0.29, 412),
  timeToCall: figure(70 * MINUTE_MS),
  customerCalled: figure(70 * MINUTE_MS + 1),
  connected: figure(0.95),
  foundWithin: figure(26 * HOUR_MS - 1),
  leads: figure(1204, 1204),
  locations: figure(137, 137),
  lowPrice: figure(4501),
};

test("in production, claims say the figures with their number of records and their period", () => {
  const claims = resolveClaims(FIGURES, false, {});
  expect(Object.fromEntries(Object.entries(claims).filter(([, text]) => text !== null))).toEqual({
    rating: "4.7/5 from 37 reviews in the last 12 months",
    satisfaction: "99% of 1,000 reviews in the last 12 months give 4 or 5 stars",
    ratedProviders: "20 of the 23 providers reviewed in the last 12 months have 4.5 stars or more",
    insured:
      "All 23 providers who took jobs in the last 12 months have shown us valid insurance and a police check",
    jobs: "1,204 jobs completed in the last 12 months",
    winRate: "29% of 412 leads taken in the last 12 months became booked jobs",
    averageResponse: "1 h 10 min median time to the first call, for 412 leads taken in the last 12 months",
    sameDay: "Half of 412 customers in the last 12 months were called within 1 h 20 min",
    connected: "95% of 412 requests in the last 12 months found a provider within 24 hours",
    foundWithin: "95 of 100 requests found a provider within 26 h (412 requests in the last 12 months)",
    freshLeads: "1,204 new leads in the last 12 months",
    locations: "Providers took jobs in 137 suburbs in the last 12 months",
    fairPricing: "1 in 10 of 412 jobs in the last 12 months cost $46 or less",
    jobPrices: CLAIMS.jobPrices.text,
  });
});

test("in production, a claim without records or a confirmation is off, and a hidden one is always off", () => {
  const none = resolveClaims({}, false, {});
  expect(CLAIM_IDS.filter((id) => none[id] !== null)).toEqual(["jobPrices"]);
  const decision = { by: "Jo Citizen", on: "2026-11-22" };
  const decided = {
    noHiddenFees: { shown: true, ...decision },
    // A confirmed claim with a figure still needs its records.
    jobs: { shown: true, ...decision },
    rating: { shown: false, ...decision },
    slotsLeft: { shown: false, ...decision },
  };
  expect(resolveClaims({ rating: figure(4.7) }, false, decided)).toMatchObject({
    noHiddenFees: "No hidden fees",
    jobs: null,
    rating: null,
  });
  expect(resolveClaims({}, true, decided)).toMatchObject({ rating: null, slotsLeft: null });
});

test("locally, claims are the specification's, whatever the records", () => {
  const samples = resolveClaims({ ...FIGURES, foundWithin: undefined! }, true, {});
  for (const id of CLAIM_IDS) {
    const { text, isNew }: Claim = CLAIMS[id];
    if (!isNew) expect(samples[id]).toBe(text);
  }
  expect(samples.foundWithin).toBeNull();
});

test("a time is rounded up", () => {
  const times = [1, 10 * MINUTE_MS, 61 * MINUTE_MS, DAY_MS + 1, 2 * DAY_MS + 1];
  expect(times.map(formatFigureTime)).toEqual(["10 min", "10 min", "1 h 10 min", "25 h", "3 days"]);
});
