import * as fc from "fast-check";
import { expect, test } from "vitest";

import { HOLD_MS } from "./hold-rules.ts";
import { type Command, type Decision, type Listing, openOffer } from "./listing.ts";
import { OFFER_MS, RUNNER_UP_MS } from "./offer-rules.ts";
import { decide, decideWhilePaused } from "./rules.ts";

const NOON = Date.parse("2026-11-25T12:00+11:00");
const LEAD = "lead_inner-west_0000000000000000000b";
const PRICE = 2500;

type HoldCommand = Extract<Command, { type: "hold" }>;

const listCommand = (queue: string[]): Command => ({
  type: "list",
  leadId: LEAD,
  generation: 1,
  priceCents: PRICE,
  expiresAt: NOON + 30 * 24 * 60 * 60_000,
  rescue: { excludedBusinessId: "user_first", queue },
});

const holdBy = (businessId: string, overrides: Partial<HoldCommand> = {}): Command => ({
  type: "hold",
  businessId,
  userId: businessId,
  holdId: `hold_${businessId}`,
  amountCents: PRICE,
  holdMs: HOLD_MS,
  isNewcomer: false,
  hasPaid: true,
  buyerHistory: { releasedAt: null, releaseTimes: [], isShareTaken: false },
  ...overrides,
});

const sellTo = (businessId: string): Command => ({
  type: "sell",
  businessId,
  userId: businessId,
  mode: "direct",
  amountCents: null,
  purchaseId: "pur_a",
});

const paidBy = (businessId: string): Command => ({
  type: "settle",
  purchaseId: "pur_a",
  paymentIntentId: "pi_a",
  status: "succeeded",
  amountCents: PRICE,
  currency: "aud",
  leadId: LEAD,
  holdId: `hold_${businessId}`,
  businessId,
});

const withdrawal: Command = {
  type: "withdraw",
  leadId: LEAD,
  generation: 1,
  priceCents: PRICE,
  expiresAt: NOON,
  byUserId: null,
  toRegion: null,
};

const kinds = ({ effects }: Decision) => effects.map(({ type }) => type);
const listed = (...queue: string[]) => decide(null, listCommand(queue), NOON).listing!;
const outcomes = (listing: Listing) =>
  listing.rescue!.offers.map(({ businessId, outcome }) => `${businessId} ${outcome}`);

test("a rescued lead is offered to the first business in the queue, and not shown to others", () => {
  const decision = decide(null, listCommand(["user_b", "user_c"]), NOON);
  expect(openOffer(decision.listing!)).toEqual({
    businessId: "user_b",
    offeredAt: NOON,
    endsAt: NOON + OFFER_MS,
    outcome: null,
  });
  expect(kinds(decision)).toEqual(["wake_at", "offer_ends_at", "project"]);
});

test("without a queue it goes to every business at once", () => {
  expect(kinds(decide(null, listCommand([]), NOON))).toEqual(["wake_at", "announce_listed", "project"]);
});

test("an offer counts only from 7 am to 8 pm", () => {
  const late = Date.parse("2026-11-25T19:55+11:00");
  const { listing } = decide(null, listCommand(["user_b"]), late);
  expect(openOffer(listing!)!.endsAt).toBe(Date.parse("2026-11-26T07:05+11:00"));
});

test("only the business with the offer can hold the lead, and another one learns nothing of it", () => {
  const listing = listed("user_b", "user_c");
  for (const other of ["user_c", "user_x"]) {
    expect(decide(listing, holdBy(other), NOON + 1).answer).toEqual({ ok: false, reason: "closed" });
    expect(decide(listing, sellTo(other), NOON + 1).answer).toEqual({ ok: false, reason: "closed" });
  }
  const held = decide(listing, holdBy("user_b"), NOON + 1);
  expect(held.answer.ok).toBe(true);
  expect(decide(held.listing, holdBy("user_c"), NOON + 2).answer).toEqual({ ok: false, reason: "closed" });
});

test("the first buyer gets the lead neither by an offer nor from the market", () => {
  for (const listing of [listed("user_b"), listed()])
    for (const command of [holdBy("user_first"), sellTo("user_first")])
      expect(decide(listing, command, NOON + 1).answer).toEqual({ ok: false, reason: "excluded" });
});

test("an ignored offer passes the lead to the next business, and after the last one to every other", () => {
  const second = decide(listed("user_b", "user_c"), { type: "end_offer" }, NOON + OFFER_MS);
  expect(outcomes(second.listing!)).toEqual(["user_b ignored", "user_c null"]);
  expect(kinds(second)).toEqual(["offer_ends_at", "project"]);
  const open = decide(second.listing, { type: "end_offer" }, NOON + 2 * OFFER_MS);
  expect(openOffer(open.listing!)).toBeNull();
  expect(kinds(open)).toEqual(["announce_listed", "project"]);
  expect(decide(open.listing, holdBy("user_x"), NOON + 2 * OFFER_MS).answer.ok).toBe(true);
});

test("an offer that ends is passed on by the next claim if its timer is late", () => {
  const { listing, answer } = decide(listed("user_b", "user_c"), holdBy("user_c"), NOON + OFFER_MS);
  expect(answer.ok).toBe(true);
  expect(listing!.hold!.businessId).toBe("user_c");
  const late = decide(listed("user_b"), holdBy("user_b"), NOON + OFFER_MS);
  expect(late.answer.ok).toBe(true);
  expect(outcomes(late.listing!)).toEqual(["user_b ignored"]);
});

test("a timer that fires too early ends no offer", () => {
  const early = decide(listed("user_b"), { type: "end_offer" }, NOON + 1);
  expect(early.effects).toEqual([{ type: "offer_ends_at", at: NOON + OFFER_MS }]);
  expect(openOffer(early.listing!)!.businessId).toBe("user_b");
});

test("a hold that began within an offer outlives it", () => {
  const began = NOON + OFFER_MS - 1;
  const held = decide(listed("user_b", "user_c"), holdBy("user_b"), began).listing!;
  expect(decide(held, { type: "end_offer" }, NOON + OFFER_MS).listing).toBe(held);
  const sold = decide(held, paidBy("user_b"), began + HOLD_MS - 1);
  expect(sold.listing!.state).toBe("sold");
  expect(outcomes(sold.listing!)).toEqual(["user_b bought"]);
  expect(kinds(sold)).toEqual(["project", "forget_summary"]);
});

test("a lapsed hold that outlived its offer passes the lead on at once, and the offer was not ignored", () => {
  const held = decide(listed("user_b", "user_c"), holdBy("user_b"), NOON + OFFER_MS - 1).listing!;
  const lapsed = decide(held, { type: "lapse" }, NOON + OFFER_MS + HOLD_MS);
  expect(outcomes(lapsed.listing!)).toEqual(["user_b ended", "user_c null"]);
  expect(kinds(lapsed)).toEqual(["remember_release", "offer_ends_at", "project"]);
});

test("a hold that is released within its offer leaves the offer as it was", () => {
  const held = decide(listed("user_b", "user_c"), holdBy("user_b"), NOON + 1).listing!;
  const shown = decide(held, { type: "announce" }, NOON + 60_000);
  expect(kinds(shown)).toEqual([]);
  const released = decide(
    shown.listing,
    { type: "release", holdId: "hold_user_b", cause: "closed" },
    NOON + 61_000,
  );
  expect(kinds(released)).toEqual(["remember_release"]);
  expect(openOffer(released.listing!)!.endsAt).toBe(NOON + OFFER_MS);
});

test("withdrawing during an offer ends it, without a broadcast", () => {
  const withdrawn = decide(listed("user_b"), withdrawal, NOON + 1);
  expect(outcomes(withdrawn.listing!)).toEqual(["user_b ended"]);
  expect(kinds(withdrawn)).toEqual(["project", "forget_summary"]);
});

test("a lead that expires as its offer ends is shown and taken down in the same step", () => {
  const { expiresAt } = listed("user_b");
  const decision = decide(listed("user_b"), holdBy("user_b"), expiresAt);
  expect(decision.answer).toEqual({ ok: false, reason: "closed" });
  expect(kinds(decision)).toEqual([
    "announce_listed",
    "project",
    "announce_gone",
    "project",
    "forget_summary",
  ]);
});

test("a paused region starts an offer again instead of passing the lead on", () => {
  const now = NOON + OFFER_MS;
  const paused = decideWhilePaused(listed("user_b", "user_c"), { type: "end_offer" }, now);
  expect(openOffer(paused.listing!)).toMatchObject({ businessId: "user_b", endsAt: now + OFFER_MS });
});

test("a repeated list leaves the offers as they are", () => {
  const second = decide(listed("user_b", "user_c"), { type: "end_offer" }, NOON + OFFER_MS).listing!;
  expect(decide(second, listCommand(["user_b", "user_c"]), NOON + OFFER_MS + 1).listing).toBe(second);
});

test("a paying business that loses a lead within a minute is remembered, any other is not", () => {
  const ordinary = decide(
    null,
    { type: "list", leadId: LEAD, generation: 1, priceCents: PRICE, expiresAt: NOON * 2 },
    NOON,
  ).listing;
  const held = decide(ordinary, holdBy("user_first"), NOON).listing!;
  const sold = decide(held, paidBy("user_first"), NOON + HOLD_MS - 1).listing!;
  const remembered = [{ type: "remember_runner_up", businessId: "user_b" }];
  expect(decide(held, holdBy("user_b"), NOON + RUNNER_UP_MS).effects).toEqual(remembered);
  expect(decide(sold, holdBy("user_b"), NOON + HOLD_MS - 1 + RUNNER_UP_MS).effects).toEqual(remembered);
  expect(decide(held, holdBy("user_b"), NOON + RUNNER_UP_MS + 1).effects).toEqual([]);
  expect(decide(sold, holdBy("user_b"), NOON + HOLD_MS + RUNNER_UP_MS).effects).toEqual([]);
  expect(decide(held, holdBy("user_new", { hasPaid: false }), NOON + 1).effects).toEqual([]);
  const rescued = decide(listed(), holdBy("user_b"), NOON + 1).listing;
  expect(decide(rescued, holdBy("user_c"), NOON + 2).effects).toEqual([]);
});

const BUSINESSES = ["user_first", "user_b", "user_c", "user_d", "user_x"];

const steps = fc.array(
  fc.record({
    wait: fc.integer({ min: 0, max: 2 * OFFER_MS }),
    act: fc.constantFrom("hold", "sell", "end_offer", "lapse", "release", "list", "announce"),
    who: fc.constantFrom(...BUSINESSES),
  }),
  { maxLength: 30 },
);

test("whatever happens: one open offer, each business once, and only that business holds the lead", () => {
  fc.assert(
    fc.property(steps, (acts) => {
      let now = NOON;
      let listing = listed("user_b", "user_c", "user_d");
      for (const { wait, act, who } of acts) {
        now += wait;
        const command: Command =
          act === "hold"
            ? holdBy(who)
            : act === "sell"
              ? sellTo(who)
              : act === "list"
                ? listCommand(["user_b", "user_c", "user_d"])
                : act === "release"
                  ? { type: "release", holdId: `hold_${who}`, cause: "closed" }
                  : { type: act as "end_offer" | "lapse" | "announce" };
        const before = openOffer(listing);
        listing = decide(listing, command, now).listing!;
        const { offers } = listing.rescue!;
        expect(offers.filter(({ outcome }) => outcome === null).length).toBeLessThanOrEqual(1);
        expect(new Set(offers.map(({ businessId }) => businessId)).size).toBe(offers.length);
        const owner = (listing.hold ?? listing.sale)?.businessId;
        expect(owner).not.toBe("user_first");
        const offer = openOffer(listing);
        if (offer && owner) expect(owner).toBe(offer.businessId);
        if (listing.sale) expect(offer).toBeNull();
        if (before && !offer && !listing.sale) expect(offers.length).toBe(3);
      }
    }),
  );
});
