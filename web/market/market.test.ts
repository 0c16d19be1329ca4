import { expect, test } from "vitest";

import type { ExchangeMessage } from "../../contract/exchange.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { formatHold } from "./format-hold.ts";
import {
  EMPTY_REGION,
  goneReason,
  listMarket,
  buildMarket,
  withDetails,
  withFirstPage,
  withMessage,
  withOlderPage,
  withoutLead,
  withoutPassedOn,
} from "./market.ts";

/** Returns a lead with only the fields that the market reads. */
function lead(id: string, createdAt: number): LeadSummary {
  return { id, createdAt, region: "inner-west", customerName: "Anna B.", heldUntil: null } as LeadSummary;
}

function snapshot(seq: number, leads: LeadSummary[], total = leads.length): ExchangeMessage {
  const cursor = total > leads.length ? "more" : null;
  return { type: "snapshot", epoch: "e", seq, serverNow: 0, leads, total, cursor };
}

function changes(
  seq: number,
  list: Extract<ExchangeMessage, { type: "changes" }>["changes"],
): ExchangeMessage {
  return { type: "changes", epoch: "e", seq, serverNow: 0, changes: list };
}

const [one, two, three] = [lead("one", 1), lead("two", 2), lead("three", 3)];
const ids = (region: { leads: LeadSummary[] }) => region.leads.map(({ id }) => id);

test("applies changes in order after a snapshot", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(4, [two, one]));
  const next = withMessage(
    region,
    changes(6, [
      { kind: "listed", seq: 5, lead: three },
      { kind: "gone", seq: 6, leadId: "one", reason: "sold" },
    ]),
  );
  expect(next.gap).toBe(false);
  expect(ids(next.region)).toEqual(["three", "two"]);
  expect(next.region).toMatchObject({ total: 2, position: { seq: 6 } });
});

test("a lead that was passed on from a purchase of this business is neither listed nor counted", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(4, [three, two, one], 9));
  const purchases = [{ callClock: { state: "rescued", rescueLeadId: "two" } as const }, { callClock: null }];
  const market = withoutPassedOn({ here: region, elsewhere: EMPTY_REGION }, purchases);
  expect(ids(market["here"]!)).toEqual(["three", "one"]);
  expect(market).toMatchObject({ here: { total: 8 }, elsewhere: EMPTY_REGION });
});

test("a held lead stays in the list and in the count", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [{ ...two, heldUntil: 900 }, one]));
  expect(region.leads.map(({ heldUntil }) => heldUntil ?? null)).toEqual([900, null]);
  const { region: held } = withMessage(
    region,
    changes(3, [
      { kind: "held", seq: 2, leadId: "one", until: 700 },
      { kind: "returned", seq: 3, lead: two },
    ]),
  );
  expect(held.leads).toMatchObject([
    { id: "two", heldUntil: null },
    { id: "one", heldUntil: 700 },
  ]);
  expect(held.total).toBe(2);
  const { region: sold } = withMessage(
    held,
    changes(4, [{ kind: "gone", seq: 4, leadId: "one", reason: "sold" }]),
  );
  expect(ids(sold)).toEqual(["two"]);
});

test("a lead lost to another buyer is listed again when its hold is released", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [two, one]));
  const lost = withoutLead(region, "one", "taken");
  const { region: back } = withMessage(lost, changes(2, [{ kind: "returned", seq: 2, lead: one }]));
  expect(ids(back)).toEqual(["two", "one"]);
  expect(back).toMatchObject({ total: 2, gone: {} });
});

test("loading a super admin's details does not undo live changes", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [one]));
  const { region: held } = withMessage(
    region,
    changes(2, [{ kind: "held", seq: 2, leadId: "one", until: 700 }]),
  );
  const full = withDetails(held, [{ ...one, customerName: "Anna Brown" }]);
  expect(full.leads).toMatchObject([{ customerName: "Anna Brown", heldUntil: 700 }]);
});

test("the remaining time stays correct until the next tick", () => {
  expect(formatHold(300_000, 0)).toBe("Being bought, less than 5 min left");
  expect(formatHold(90_000, 0)).toBe("Being bought, less than 2 min left");
  expect(formatHold(60_000, 1_000)).toBe("Being bought, less than 1 min left");
  expect(formatHold(1_000, 1_000)).toBe("Payment being confirmed");
});

test("ignores a repeated change", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(5, [one]));
  const again = withMessage(region, changes(5, [{ kind: "listed", seq: 5, lead: one }]));
  expect(again).toEqual({ region, gap: false });
});

test("an unknown change advances the position, so the next one is no gap", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [one]));
  const next = withMessage(region, {
    ...changes(3, []),
    changes: [
      { kind: "unknown", seq: 2 },
      { kind: "listed", seq: 3, lead: three },
    ],
  } as Parameters<typeof withMessage>[1]);
  expect(next).toMatchObject({ gap: false, region: { position: { seq: 3 }, total: 2 } });
});

test("a gap keeps the position before it", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [one]));
  const next = withMessage(region, changes(3, [{ kind: "listed", seq: 3, lead: three }]));
  expect(next.gap).toBe(true);
  expect(next.region.position).toEqual({ epoch: "e", seq: 1 });
});

test("a new epoch requests a snapshot", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [one]));
  const next = withMessage(region, { ...changes(2, []), epoch: "f" });
  expect(next).toMatchObject({ gap: true, region: { position: null } });
});

test("a bought lead leaves the count once, and a late response does not add it again", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [two, one]));
  const bought = withoutLead(region, "one", "bought");
  const { region: known } = withMessage(
    bought,
    changes(2, [{ kind: "gone", seq: 2, leadId: "one", reason: "sold" }]),
  );
  expect(known.total).toBe(1);
  expect(ids(withFirstPage(known, [two, one], null))).toEqual(["two"]);
  expect(goneReason({ "inner-west": known }, one)).toBe("bought");
});

test("a lead that moved to another region and back is listed again", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [two, one]));
  const away = withMessage(
    region,
    changes(2, [{ kind: "gone", seq: 2, leadId: "one", reason: "withdrawn" }]),
  ).region;
  const back = withMessage(away, changes(3, [{ kind: "listed", seq: 3, lead: one }])).region;
  expect(ids(back)).toEqual(["two", "one"]);
  expect(back).toMatchObject({ total: 2, gone: {} });
  const reconnected = withMessage(away, snapshot(3, [two, one])).region;
  expect(ids(reconnected)).toEqual(["two", "one"]);
  expect(reconnected).toMatchObject({ total: 2, gone: {} });
});

test("a gone lead on a page not loaded yet still leaves the count", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [three, two], 3));
  const next = withMessage(region, changes(2, [{ kind: "gone", seq: 2, leadId: "one", reason: "expired" }]));
  expect(next.region.total).toBe(2);
});

test("appends older pages, and a refresh keeps them", () => {
  const first = withFirstPage(EMPTY_REGION, [three], "more");
  const both = withOlderPage(first, [two, one], null);
  expect(ids(both)).toEqual(["three", "two", "one"]);
  expect(ids(withFirstPage(both, [lead("four", 4), three], "more"))).toEqual(["four", "three", "two", "one"]);
});

test("lists the leads of several regions together", () => {
  const elsewhere = { ...two, region: "nsw" as const };
  const market = buildMarket(["inner-west", "nsw"], [three, elsewhere, one], null);
  const all = listMarket(market, ["inner-west", "nsw"]);
  expect(ids(all)).toEqual(["three", "two", "one"]);
  expect(all).toMatchObject({ count: "3", hasMore: false });
  expect(listMarket(market, ["nsw"]).count).toBe("1");
});

test("a changed lead shows its new details in its place, and keeps its hold; an unknown lead is not added", () => {
  const { region } = withMessage(EMPTY_REGION, snapshot(1, [{ ...two, heldUntil: 900 }, one]));
  const revised = { ...two, urgency: "urgent", heldUntil: null };
  const { region: next } = withMessage(
    region,
    changes(3, [
      { kind: "revised", seq: 2, lead: revised },
      { kind: "revised", seq: 3, lead: three },
    ]),
  );
  expect(ids(next)).toEqual(["two", "one"]);
  expect(next.leads[0]).toMatchObject({ urgency: "urgent", heldUntil: 900 });
  expect(next).toMatchObject({ total: 2, position: { seq: 3 } });
});

test("a snapshot brings changed details, except to super admins, who load them unmasked", () => {
  const shown = { ...two, urgency: "flexible" };
  const { region } = withMessage(
    EMPTY_REGION,
    snapshot(1, [shown, { ...one, customerAddress: "8 High St" }]),
  );
  const { region: next } = withMessage(region, snapshot(2, [{ ...shown, urgency: "urgent" }, one]));
  expect(next.leads).toMatchObject([{ urgency: "urgent" }, { customerAddress: "8 High St" }]);
});

test("a lead is not counted again when a restored exchange reports its end a second time", () => {
  const gone = changes(2, [{ kind: "gone", seq: 2, leadId: "one", reason: "expired" }]);
  const first = withMessage(EMPTY_REGION, snapshot(1, [one])).region;
  const before = withMessage(first, gone).region;
  expect(before.total).toBe(0);
  // The exchange counts the lead until its alarm has ended it, but no longer sends it.
  const restored = withMessage(before, { ...snapshot(1, [], 1), epoch: "f" }).region;
  expect(withMessage(restored, { ...gone, epoch: "f" }).region.total).toBe(0);
});
