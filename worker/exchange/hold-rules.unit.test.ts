import { expect, test } from "vitest";

import { ANNOUNCE_AFTER_MS, HOLD_MS, holdMsFor, LAPSES_WAIT_MS, SAME_LEAD_WAIT_MS } from "./hold-rules.ts";
import type { Command, Listing, BuyerHistory } from "./listing.ts";
import type { Payment } from "./ports.ts";
import { decide, decideWhilePaused } from "./rules.ts";

const NOW = 10_000_000;
const LEAD = "lead_inner-west_0000000000000000000a";
const NO_HISTORY: BuyerHistory = {
  releasedAt: null,
  releaseTimes: [],
  isShareTaken: false,
};

const holdCommand = (overrides: Partial<Extract<Command, { type: "hold" }>> = {}): Command => ({
  type: "hold",
  businessId: "user_a",
  userId: "user_a",
  holdId: "hold_a",
  amountCents: 5000,
  holdMs: HOLD_MS,
  isNewcomer: false,
  hasPaid: false,
  buyerHistory: NO_HISTORY,
  ...overrides,
});

const payment = (overrides: Partial<Payment> = {}): Payment => ({
  paymentIntentId: "pi_a",
  status: "succeeded",
  amountCents: 5000,
  currency: "aud",
  leadId: LEAD,
  holdId: "hold_a",
  businessId: "user_a",
  ...overrides,
});

const settleCommand = (overrides: Partial<Payment> = {}): Command => ({
  type: "settle",
  ...payment(overrides),
  purchaseId: "pur_a",
});

const attachCommand: Command = { type: "attach", holdId: "hold_a", paymentIntentId: "pi_a" };

function after(now: number, ...commands: Command[]): Listing {
  let listing: Listing | null = null;
  for (const command of commands) listing = decide(listing, command, now).listing;
  return listing!;
}

const list: Command = { type: "list", leadId: LEAD, generation: 1, priceCents: 5000, expiresAt: NOW * 2 };
const available = after(NOW, list);
const held = after(NOW, list, holdCommand());
const attached = after(NOW, list, holdCommand(), attachCommand);
const END = NOW + HOLD_MS;
const releasing = decide(attached, { type: "lapse" }, END).listing!;

test("a hold fixes price and end, and is announced once its payment is attached", () => {
  const decision = decide(available, holdCommand(), NOW);
  expect(decision.listing).toMatchObject({
    state: "held",
    hold: { businessId: "user_a", amountCents: 5000, endsAt: END, paymentIntentId: null, release: null },
  });
  expect(decision.effects).toEqual([
    { type: "announce_held_at", at: NOW + ANNOUNCE_AFTER_MS },
    { type: "hold_ends_at", at: END },
  ]);
  expect(decide(held, attachCommand, NOW + 1).effects).toEqual([{ type: "announce_held", until: END }]);
});

test("an undecided hold is announced once, after two seconds; a refused one never", () => {
  const at = NOW + ANNOUNCE_AFTER_MS;
  expect(decide(held, { type: "announce" }, at - 1)).toMatchObject({
    listing: held,
    effects: [{ type: "announce_held_at", at }],
  });
  const announced = decide(held, { type: "announce" }, at);
  expect(announced.effects).toEqual([{ type: "announce_held", until: END }]);
  expect(decide(announced.listing, { type: "announce" }, at)).toMatchObject({ effects: [] });
  expect(decide(announced.listing, attachCommand, at).effects).toEqual([]);
  const release: Command = { type: "release", holdId: "hold_a", cause: "failed" };
  expect(decide(held, release, NOW).effects).toEqual([]);
  expect(decide(announced.listing, release, NOW).effects).toEqual([{ type: "announce_returned" }]);
});

test("a new provider's hold lasts 90 seconds", () => {
  const endsAt = NOW + 90_000;
  const decision = decide(available, holdCommand({ holdMs: holdMsFor(false) }), NOW);
  expect(decision.listing?.hold).toMatchObject({ heldAt: NOW, endsAt });
  expect(decision.effects).toEqual([
    { type: "announce_held_at", at: NOW + ANNOUNCE_AFTER_MS },
    { type: "hold_ends_at", at: endsAt },
  ]);
  const other = holdCommand({ businessId: "user_b", holdId: "hold_b" });
  expect(decide(decision.listing, other, endsAt - 1).answer).toMatchObject({ reason: "taken" });
  expect(decide(decision.listing, other, endsAt)).toMatchObject({ answer: { ok: true } });
  expect(holdMsFor(true)).toBe(300_000);
});

test("a losing claim changes nothing and has no effects", () => {
  for (const listing of [held, attached, releasing]) {
    const decision = decide(listing, holdCommand({ businessId: "user_b", holdId: "hold_b" }), NOW + 1);
    expect(decision).toEqual({ listing, effects: [], answer: { ok: false, reason: "taken" } });
  }
});

test("the same business gets its existing hold", () => {
  const again = decide(held, holdCommand({ holdId: "hold_b" }), NOW + 1);
  expect(again).toMatchObject({ listing: held, effects: [], answer: { ok: true, repeated: true } });
});

test("a claim with a different price gets no hold", () => {
  const decision = decide(available, holdCommand({ amountCents: 4999 }), NOW);
  expect(decision).toMatchObject({ listing: available, effects: [], answer: { reason: "price_changed" } });
});

test("an expired lead cannot be held, even before the alarm runs", () => {
  const { answer, listing } = decide(available, holdCommand(), available.expiresAt);
  expect(answer).toEqual({ ok: false, reason: "closed" });
  expect(listing).toMatchObject({ state: "expired", hold: null });
});

test("in a paused region nothing is listed or held; a payment in progress can finish", () => {
  for (const [before, command] of [
    [null, list],
    [available, holdCommand()],
  ] as const) {
    const { answer, listing } = decideWhilePaused(before, command, NOW);
    expect(answer).toEqual({ ok: false, reason: "paused" });
    expect(listing).toEqual(before);
  }
  expect(decideWhilePaused(held, holdCommand(), NOW).answer.ok).toBe(true);
  expect(decideWhilePaused(attached, settleCommand(), NOW).listing).toMatchObject({ state: "sold" });
});

test("a business that released this lead, or three leads within an hour, waits to the millisecond", () => {
  const releasedAt = NOW - SAME_LEAD_WAIT_MS;
  const justBefore = (buyerHistory: Partial<BuyerHistory>) =>
    decide(available, holdCommand({ buyerHistory: { ...NO_HISTORY, ...buyerHistory } }), NOW).answer;
  expect(justBefore({ releasedAt })).toMatchObject({ ok: true });
  expect(justBefore({ releasedAt: releasedAt + 1 })).toEqual({
    ok: false,
    reason: "waiting",
    until: NOW + 1,
  });
  const last = NOW - LAPSES_WAIT_MS;
  expect(justBefore({ releaseTimes: [last, last - 1, last - 2] })).toMatchObject({ ok: true });
  const lapses = [last + 1, last - 1, last - 2];
  expect(justBefore({ releaseTimes: lapses })).toEqual({
    ok: false,
    reason: "waiting",
    until: NOW + 1,
    isForAll: true,
  });
  // The longer wait is reported.
  expect(justBefore({ releasedAt: releasedAt + 2, releaseTimes: lapses })).toEqual({
    ok: false,
    reason: "waiting",
    until: NOW + 2,
  });
  expect(justBefore({ releaseTimes: [last + 1, last - 1] })).toMatchObject({ ok: true });
  expect(justBefore({ releaseTimes: [last + 1, last - 1, NOW - 60 * 60_000] })).toMatchObject({ ok: true });
});

test("a payment is attached once, during the hold, and only to its own hold", () => {
  expect(decide(held, attachCommand, END - 1).listing?.hold?.paymentIntentId).toBe("pi_a");
  expect(decide(attached, attachCommand, NOW).answer).toMatchObject({ ok: true, repeated: true });
  const ended = { ok: false, reason: "hold_ended" };
  expect(decide(held, attachCommand, END).answer).toEqual(ended);
  expect(decide(held, { ...attachCommand, holdId: "hold_b" }, NOW).answer).toEqual(ended);
  expect(decide(attached, { ...attachCommand, paymentIntentId: "pi_b" }, NOW).answer).toEqual(ended);
  expect(decide(releasing, attachCommand, NOW).answer).toEqual(ended);
});

test("a hold without a payment ends at once; with one it ends when the payment certainly cannot succeed", () => {
  expect(decide(held, { type: "lapse" }, END).listing).toMatchObject({ state: "available", hold: null });
  expect(releasing).toMatchObject({ state: "releasing", hold: { release: { cause: "lapsed" } } });
  for (const status of ["open", "processing"] as const)
    expect(decide(releasing, settleCommand({ status }), END).listing).toBe(releasing);
  const over = decide(releasing, settleCommand({ status: "cancelled" }), END);
  expect(over.listing).toMatchObject({ state: "available", hold: null });
  expect(over.effects).toEqual([
    { type: "remember_release", businessId: "user_a", lapsed: true },
    { type: "announce_returned" },
  ]);
  expect(decide(releasing, settleCommand(), END).listing).toMatchObject({ state: "sold" });
});

test("a payment that is cancelled at Stripe during its hold is not the buyer's own release", () => {
  const over = decide(attached, settleCommand({ status: "cancelled" }), NOW + 1);
  expect(over.listing).toMatchObject({ state: "available", hold: null });
  expect(over.effects).toEqual([{ type: "announce_returned" }]);
});

test("a hold whose alarm fires early is checked again at its end", () => {
  expect(decide(held, { type: "lapse" }, END - 1)).toMatchObject({
    listing: held,
    effects: [{ type: "hold_ends_at", at: END }],
  });
});

test("a hold with a late alarm does not block other buyers", () => {
  const next = decide(held, holdCommand({ businessId: "user_b", holdId: "hold_b" }), END);
  expect(next.listing).toMatchObject({ state: "held", hold: { businessId: "user_b" } });
  expect(next.effects.map(({ type }) => type)).toEqual([
    "remember_release",
    "announce_held_at",
    "hold_ends_at",
  ]);
  // The hold's own business must wait, as after any lapse.
  expect(decide(held, holdCommand({ holdId: "hold_b" }), END).answer).toMatchObject({ reason: "waiting" });
  // A hold with a payment must be cancelled first.
  const paid = decide(attached, holdCommand({ businessId: "user_b", holdId: "hold_b" }), END);
  expect(paid).toMatchObject({ listing: { state: "releasing" }, answer: { reason: "taken" } });
});

test("our own failure causes no wait, and does not end a hold whose payment another call attached", () => {
  const failed: Command = { type: "release", holdId: "hold_a", cause: "failed" };
  expect(decide(held, failed, NOW)).toMatchObject({ listing: { state: "available" }, effects: [] });
  expect(decide(attached, failed, NOW)).toMatchObject({ listing: attached, effects: [] });
  expect(decide(attached, { ...failed, cause: "closed" }, NOW).listing).toMatchObject({ state: "releasing" });
});

test("an old dialog releases only its own hold, not the next one", () => {
  const old: Command = { type: "release", holdId: "hold_before", cause: "closed" };
  expect(decide(held, old, NOW)).toMatchObject({
    listing: held,
    answer: { ok: false, reason: "hold_ended" },
    effects: [],
  });
  expect(decide(available, old, NOW)).toMatchObject({ listing: available, effects: [] });
});

test("a lead that expires during the hold expires when the hold ends", () => {
  const late = { ...held, expiresAt: NOW + 1 };
  expect(decide(late, { type: "expire" }, NOW + 2).listing).toBe(late);
  expect(decide(late, { type: "lapse" }, END).listing).toMatchObject({ state: "expired", hold: null });
});

test("a payment that differs from the hold or comes too late is not a sale, and is refunded", () => {
  for (const wrong of [{ amountCents: 4999 }, { currency: "usd" }, { businessId: "user_b" }]) {
    const decision = decide(attached, settleCommand(wrong), NOW);
    expect(decision.answer).toEqual({ ok: false, reason: "refund_mismatch" });
    expect(decision.listing).toMatchObject({ state: "available", sale: null });
  }
  const sold = decide(attached, settleCommand(), NOW).listing!;
  expect(decide(sold, settleCommand(), NOW + 1)).toMatchObject({ listing: sold, answer: { repeated: true } });
  const late = { ok: false, reason: "refund_late" };
  for (const listing of [available, sold, null, held]) {
    const command = settleCommand({ holdId: "hold_older", paymentIntentId: "pi_older" });
    expect(decide(listing, command, NOW)).toMatchObject({ listing, effects: [], answer: late });
  }
  // A second payment of the same hold.
  expect(decide(attached, settleCommand({ paymentIntentId: "pi_b" }), NOW).answer).toEqual(late);
});

test("a payment that cannot be cancelled is retried with back-off, and shown to admins after ten minutes", () => {
  let listing = releasing;
  const retryDelaysS: number[] = [];
  let now = END;
  let isShown = false;
  while (!isShown) {
    const decision = decide(listing, { type: "unclear", holdId: "hold_a" }, now);
    listing = decision.listing!;
    const next = decision.effects.find(({ type }) => type === "cancel_payment_at") as { at: number };
    retryDelaysS.push((next.at - now) / 1000);
    isShown = decision.effects.some(({ type }) => type === "alert_stuck");
    if (!isShown) now = next.at;
  }
  expect(retryDelaysS.slice(0, 7)).toEqual([2, 4, 8, 16, 32, 60, 60]);
  expect(now - END).toBeGreaterThanOrEqual(600_000);
  expect(now - END).toBeLessThan(660_001);
  expect(decide(held, { type: "unclear", holdId: "hold_a" }, NOW).listing).toBe(held);
});
