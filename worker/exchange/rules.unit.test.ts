import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Command, Listing } from "./listing.ts";
import { decide, retryDelayMs } from "./rules.ts";

const NOW = 1_000_000;
const LATER = NOW + 10_000;
const LEAD = "lead_inner-west_0000000000000000000a";

const listCommand = (overrides: Partial<Extract<Command, { type: "list" }>> = {}) =>
  ({
    type: "list",
    leadId: LEAD,
    generation: 1,
    priceCents: 5000,
    expiresAt: LATER,
    ...overrides,
  }) as const satisfies Command;

const sellCommand = (overrides: Partial<Extract<Command, { type: "sell" }>> = {}) =>
  ({
    type: "sell",
    businessId: "user_a",
    userId: "user_a",
    mode: "direct",
    amountCents: null,
    purchaseId: "pur_a",
    ...overrides,
  }) as const satisfies Command;

const withdrawCommand = (generation = 1, toRegion: "blacktown" | "parramatta" | null = null) =>
  ({
    type: "withdraw",
    leadId: LEAD,
    generation,
    priceCents: 5000,
    expiresAt: LATER,
    byUserId: "user_admin",
    toRegion,
  }) as const satisfies Command;

const reviseCommand = (overrides: Partial<Extract<Command, { type: "revise" }>> = {}) =>
  ({ type: "revise", generation: 1, isOutdated: false, ...overrides }) as const satisfies Command;

function after(...commands: Command[]): Listing {
  let listing: Listing | null = null;
  for (const command of commands) listing = decide(listing, command, NOW).listing;
  return listing!;
}

const listed = after(listCommand());
const sold = after(listCommand(), sellCommand());
const withdrawn = after(listCommand(), withdrawCommand());
const expired = decide(listed, { type: "expire" }, LATER).listing!;

const kinds = (decision: ReturnType<typeof decide>) => decision.effects.map((effect) => effect.type);
const GONE = ["announce_gone", "project", "forget_summary"];

test("a new lead is announced and wakes the exchange when it expires", () => {
  const decision = decide(null, listCommand(), NOW);
  expect(decision.answer).toMatchObject({ ok: true, repeated: false });
  expect(decision.listing).toEqual({
    leadId: LEAD,
    generation: 1,
    version: 1,
    state: "available",
    priceCents: 5000,
    listedAt: NOW,
    expiresAt: LATER,
    sale: null,
    hold: null,
    departure: null,
    rescue: null,
  });
  expect(decision.effects).toEqual([{ type: "announce_listed" }, { type: "wake_at", at: LATER }]);
});

test("listing a lead again changes nothing, whatever its state", () => {
  for (const listing of [listed, sold, withdrawn, expired]) {
    const decision = decide(listing, listCommand({ priceCents: 1, expiresAt: LATER * 2 }), NOW);
    expect(decision).toEqual({ listing, effects: [], answer: { ok: true, listing, repeated: true } });
  }
});

test("a customer's change to a lead that is for sale is announced; one that is not newer changes nothing", () => {
  const decision = decide(listed, reviseCommand(), NOW);
  expect(decision.listing).toEqual({ ...listed, version: listed.version + 1 });
  expect(decision.effects).toEqual([{ type: "announce_revised" }]);
  expect(decide(listed, reviseCommand({ isOutdated: true }), NOW)).toEqual({
    listing: listed,
    effects: [],
    answer: { ok: true, listing: listed, repeated: true },
  });
});

test("a customer's change waits for a hold, and is refused after a sale, a departure, a move or the expiry", () => {
  const reasonFor = (listing: Listing | null, command = reviseCommand(), now = NOW) => {
    const { listing: unchanged, answer } = decide(listing, command, now);
    if (now === NOW) expect(unchanged).toBe(listing);
    return answer.ok ? "ok" : [answer.reason, answer.until];
  };
  const held = {
    ...listed,
    state: "held",
    hold: {
      holdId: "hold_a",
      businessId: "user_a",
      userId: "user_a",
      amountCents: 5000,
      heldAt: NOW,
      endsAt: LATER,
      announceAt: null,
      paymentIntentId: null,
      release: null,
    },
  } as const satisfies Listing;
  expect(reasonFor(held)).toEqual(["taken", LATER]);
  expect(reasonFor(sold)).toEqual(["taken", undefined]);
  expect(reasonFor(withdrawn)).toEqual(["closed", undefined]);
  expect(reasonFor(expired)).toEqual(["closed", undefined]);
  expect(reasonFor(null)).toEqual(["unknown", undefined]);
  expect(reasonFor(listed, reviseCommand({ generation: 2 }))).toEqual(["outdated", undefined]);
  expect(reasonFor(after(listCommand(), withdrawCommand(1, "blacktown")))).toEqual(["moved", undefined]);
  expect(reasonFor(listed, reviseCommand(), LATER)).toEqual(["closed", undefined]);
});

test("a lead that arrives after its expiry expires without ever being on the market", () => {
  const decision = decide(null, listCommand({ expiresAt: NOW }), NOW);
  expect(decision.listing).toMatchObject({ state: "expired", sale: null });
  expect(kinds(decision)).toEqual(["project", "forget_summary"]);
});

test("a sale records buyer, price and time, projects to D1 and deletes the summary", () => {
  const decision = decide(listed, sellCommand(), NOW + 1);
  expect(decision.listing).toEqual({
    ...listed,
    version: 2,
    state: "sold",
    sale: {
      purchaseId: "pur_a",
      businessId: "user_a",
      userId: "user_a",
      mode: "direct",
      amountCents: 5000,
      soldAt: NOW + 1,
    },
  });
  expect(kinds(decision)).toEqual(GONE);
  expect(decision.effects[0]).toEqual({ type: "announce_gone", reason: "sold" });
});

test("a free claim costs nothing, not the listed price", () => {
  const decision = decide(listed, sellCommand({ mode: "claimed", amountCents: 0 }), NOW);
  expect(decision.listing!.sale).toMatchObject({ mode: "claimed", amountCents: 0 });
});

test("a buyer who repeats the request gets the same sale, also as a team member or with a new ID", () => {
  const decision = decide(sold, sellCommand({ purchaseId: "pur_b", userId: "user_mate" }), NOW + 5);
  expect(decision).toEqual({
    listing: sold,
    effects: [],
    answer: { ok: true, listing: sold, repeated: true },
  });
});

test("every other caller gets the error that the lead is taken, closed or unknown", () => {
  const other = sellCommand({ businessId: "user_b" });
  expect(decide(sold, other, NOW)).toEqual({
    listing: sold,
    effects: [],
    answer: { ok: false, reason: "taken" },
  });
  for (const listing of [withdrawn, expired]) {
    expect(decide(listing, other, NOW)).toEqual({
      listing,
      effects: [],
      answer: { ok: false, reason: "closed" },
    });
  }
  expect(decide(null, other, NOW)).toEqual({
    listing: null,
    effects: [],
    answer: { ok: false, reason: "unknown" },
  });
});

test("an expired lead cannot be sold, even before the alarm runs", () => {
  expect(decide(listed, sellCommand(), LATER - 1).answer.ok).toBe(true);
  const decision = decide(listed, sellCommand(), LATER);
  expect(decision.answer).toEqual({ ok: false, reason: "closed" });
  expect(decision.listing).toMatchObject({ state: "expired", version: 2, sale: null });
  expect(kinds(decision)).toEqual(GONE);
});

test("an available lead can be withdrawn once, a sold one never", () => {
  const decision = decide(listed, withdrawCommand(), NOW);
  expect(decision.listing).toMatchObject({ state: "withdrawn", version: 2 });
  expect(kinds(decision)).toEqual(GONE);
  expect(decide(withdrawn, withdrawCommand(), NOW).answer).toMatchObject({ ok: true, repeated: true });
  expect(decide(sold, withdrawCommand(), NOW)).toMatchObject({
    listing: sold,
    answer: { ok: false, reason: "taken" },
  });
  expect(decide(expired, withdrawCommand(), NOW).answer).toEqual({ ok: false, reason: "closed" });
});

test("a lead withdrawn before it arrived stays off the market, and is never announced", () => {
  const decision = decide(null, withdrawCommand(), NOW);
  expect(decision.listing).toMatchObject({ state: "withdrawn", version: 1, expiresAt: LATER });
  expect(kinds(decision)).toEqual(["project", "forget_summary"]);
  expect(decide(decision.listing, listCommand(), NOW)).toMatchObject({
    listing: decision.listing,
    effects: [],
  });
});

test("row 30: a moved lead is closed here permanently, and its record names its new region", () => {
  const moved = decide(listed, withdrawCommand(1, "blacktown"), NOW);
  expect(moved.listing).toMatchObject({ state: "withdrawn", departure: { toRegion: "blacktown" } });
  expect(kinds(moved)).toEqual(GONE);
  const movedRefusal = { ok: false, reason: "moved", region: "blacktown" };
  expect(decide(moved.listing, sellCommand(), NOW).answer).toEqual(movedRefusal);
  expect(decide(moved.listing, listCommand(), NOW)).toMatchObject({ listing: moved.listing, effects: [] });
  const again = decide(moved.listing, withdrawCommand(1, "blacktown"), NOW + 1);
  expect(again).toMatchObject({ listing: moved.listing, answer: { ok: true, repeated: true } });
  // Two admins act concurrently: the second is refused, because the lead has already moved.
  expect(decide(moved.listing, withdrawCommand(1, "parramatta"), NOW).answer).toMatchObject({ ok: false });
  const back = decide(moved.listing, listCommand({ generation: 3 }), NOW).listing!;
  expect(back).toMatchObject({ state: "available", departure: null });
  expect(decide(back, withdrawCommand(1, "blacktown"), NOW).answer).toEqual({
    ok: false,
    reason: "outdated",
  });
});

test("a lead expires at its time, not before", () => {
  const early = decide(listed, { type: "expire" }, LATER - 1);
  expect(early.listing).toBe(listed);
  expect(early.effects).toEqual([{ type: "wake_at", at: LATER }]);
  expect(expired).toMatchObject({ state: "expired", version: 2 });
  for (const listing of [sold, withdrawn, expired]) {
    expect(decide(listing, { type: "expire" }, LATER * 2)).toMatchObject({ listing, effects: [] });
  }
  expect(decide(null, { type: "expire" }, LATER).answer).toEqual({ ok: false, reason: "unknown" });
});

test("a lead that an admin moved back is listed again, unless it was sold", () => {
  const again = decide(withdrawn, listCommand({ generation: 3 }), NOW + 1);
  expect(again.listing).toMatchObject({ state: "available", generation: 3, version: 3, sale: null });
  expect(again.effects[0]).toEqual({ type: "announce_listed" });
  expect(decide(sold, listCommand({ generation: 3 }), NOW).listing).toBe(sold);
});

test("a command of an older generation is refused", () => {
  const third = after(listCommand({ generation: 3 }));
  for (const listing of [third, decide(third, withdrawCommand(3), NOW).listing!]) {
    expect(decide(listing, listCommand({ generation: 2 }), NOW)).toEqual({
      listing,
      effects: [],
      answer: { ok: false, reason: "outdated" },
    });
  }
  // The lead is still on the market in this region: it must be withdrawn before it can be listed again.
  expect(decide(third, listCommand({ generation: 4 }), NOW).answer).toEqual({
    ok: false,
    reason: "outdated",
  });
});

const business = fc.constantFrom("user_a", "user_b", "user_c", "user_d");
const command: fc.Arbitrary<Command> = fc.oneof(
  fc
    .record({ generation: fc.integer({ min: 1, max: 3 }), expiresAt: fc.integer({ min: 0, max: 400 }) })
    .map(listCommand),
  fc
    .record({ businessId: business, userId: business, purchaseId: fc.uuid() })
    .map((overrides) => sellCommand(overrides)),
  fc
    .record({ generation: fc.integer({ min: 1, max: 3 }), toRegion: fc.constantFrom("blacktown", null) })
    .map(({ generation, toRegion }) => withdrawCommand(generation, toRegion)),
  fc.constant({ type: "expire" } as const),
);
const schedule = fc.array(fc.record({ command, pauseMs: fc.integer({ min: 0, max: 40 }) }), {
  maxLength: 40,
});

test("in any order of commands, a lead has at most one buyer", () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      let listing: Listing | null = null;
      let now = 0;
      const buyers = new Set<string>();
      for (const { command, pauseMs } of steps) {
        now += pauseMs;
        const before: Listing | null = listing;
        const decision = decide(before, command, now);
        listing = decision.listing;
        if (command.type === "sell" && decision.answer.ok) {
          buyers.add(command.businessId);
          // A business only ever receives its own sale as the answer.
          expect(decision.answer.listing.sale!.businessId).toBe(command.businessId);
        }
        if (listing !== before) {
          expect(listing!.version).toBeGreaterThan(before?.version ?? 0);
          expect(listing!.generation).toBeGreaterThanOrEqual(before?.generation ?? 0);
        }
        if (before?.state === "sold") expect(listing).toBe(before);
        if (before && listing!.state === "available" && before.state !== "available") {
          // Only a newer generation revives a lead.
          expect(listing!.generation).toBeGreaterThan(before.generation);
        }
        if (listing) expect(listing.sale !== null).toBe(listing.state === "sold");
        if (listing?.sale && listing !== before) {
          expect(before!.state).toBe("available");
          expect(before!.expiresAt).toBeGreaterThan(now);
        }
        // D1 receives every final state, and clients receive every change that is visible to them.
        const writesToD1 = listing !== before && listing!.state !== "available";
        expect(kinds(decision).includes("project")).toBe(writesToD1);
        expect(kinds(decision).includes("announce_gone")).toBe(
          before?.state === "available" && listing!.state !== "available",
        );
      }
      expect(buyers.size).toBeLessThanOrEqual(1);
    }),
    { numRuns: 3000 },
  );
});

test("decide does not mutate its arguments", () => {
  fc.assert(
    fc.property(command, fc.constantFrom(listed, sold, withdrawn, expired), (command, listing) => {
      const copy = structuredClone(listing);
      decide(listing, command, NOW);
      expect(listing).toEqual(copy);
    }),
  );
});

test("D1 is retried after two seconds, then with doubled delays up to five minutes", () => {
  expect([0, 1, 2, 3, 4].map(retryDelayMs)).toEqual([2000, 2000, 4000, 8000, 16_000]);
  expect(retryDelayMs(9)).toBe(300_000);
  expect(retryDelayMs(5000)).toBe(300_000);
});
