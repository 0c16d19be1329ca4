import { expect, test } from "vitest";

import { readBusinessMessage, readExchangeMessage } from "./exchange.ts";
import { label } from "./lead-labels.ts";
import { leadSummarySchema } from "./leads.ts";
import { regionName } from "./regions.ts";

const needed = { region: "inner-west", price: "50.00", createdAt: 1, expiresAt: 2 };
const first: Record<string, unknown> = leadSummarySchema.parse({ ...needed, id: "lead_1" });
const second: Record<string, unknown> = leadSummarySchema.parse({ ...needed, id: "lead_2" });

const place = { epoch: "e", seq: 7, serverNow: 1 };
const snapshot = (leads: unknown[], total = leads.length) =>
  JSON.stringify({ type: "snapshot", ...place, leads, total, cursor: null });
const changes = (list: unknown[]) => JSON.stringify({ type: "changes", ...place, changes: list });
const idsOf = (text: string) =>
  (readExchangeMessage(text) as { leads: { id: string }[] }).leads.map(({ id }) => id);

test("a snapshot is parsed unchanged", () => {
  expect(readExchangeMessage(snapshot([first, second]))).toMatchObject({ leads: [first, second], total: 2 });
});

test("a lead with a missing field is parsed, unless the field is needed to show or buy it", () => {
  const essential = new Set(["id", "region", "price", "createdAt", "expiresAt"]);
  for (const field of Object.keys(leadSummarySchema.shape)) {
    const { [field]: _, ...rest } = first;
    expect(idsOf(snapshot([rest, second])), field).toHaveLength(essential.has(field) ? 1 : 2);
  }
});

test("a lead from the next release is shown despite unknown fields, values and regions", () => {
  const later = {
    ...first,
    fieldOfTomorrow: { metres: 0.9 },
    propertySize: "half_a_hectare",
    urgency: "someday",
    status: "reserved",
    serviceType: ["drone_mowing"],
    region: "snowy-mountains",
    grassType: 7,
  };
  const message = readExchangeMessage(snapshot([later]));
  expect(message).toMatchObject({
    leads: [{ id: first.id, region: "snowy-mountains", propertySize: "half_a_hectare", grassType: null }],
  });
  expect(regionName("snowy-mountains")).toBe("snowy-mountains");
  expect(label("half_a_hectare")).toBe("Half a hectare");
});

test("an unreadable lead is skipped and not counted; other leads are parsed", () => {
  const bad = [null, "lead", {}, { ...first, createdAt: "yesterday" }];
  expect(readExchangeMessage(snapshot([...bad, second], 12))).toMatchObject({
    leads: [{ id: second.id }],
    total: 8,
  });
});

test("an unknown change, or one with an unreadable lead, keeps its place in the history", () => {
  const read = readExchangeMessage(
    changes([
      { kind: "price_changed", seq: 4, leadId: first.id, price: "40.00" },
      { kind: "listed", seq: 5, lead: { id: "half a lead" } },
      { kind: "listed", seq: 6, lead: { ...second, fieldOfTomorrow: "narrow" } },
      { kind: "gone", seq: 7, leadId: first.id, reason: "reserved" },
    ]),
  );
  expect(read).toMatchObject({
    seq: 7,
    changes: [
      { kind: "unknown", seq: 4 },
      { kind: "unknown", seq: 5 },
      { kind: "listed", seq: 6, lead: { id: second.id } },
      // This release may not know the reason, but it must still remove the lead.
      { kind: "gone", seq: 7, leadId: first.id, reason: "withdrawn" },
    ],
  });
});

test("an unknown message type from the next release does not close the connection", () => {
  const notice = JSON.stringify({ type: "market_notice", text: "Closed on Monday", serverNow: 5 });
  for (const read of [readExchangeMessage, readBusinessMessage]) {
    expect(read(notice)).toEqual({ type: "unknown", serverNow: 5 });
    expect(read('{"type":"constructor"}')).toEqual({ type: "unknown", serverNow: null });
  }
});

test("an invalid or incomplete message is rejected", () => {
  for (const text of ["", "{", "[]", "null", "{}", '{"type":"snapshot"}', '{"type":"changes","epoch":"e"}'])
    expect(readExchangeMessage(text), text).toBeNull();
  expect(readExchangeMessage(changes([{ kind: "held" }]))).toBeNull();
  expect(readBusinessMessage('{"type":"purchase_changed"}')).toBeNull();
});

test("a business message is parsed without fields from a later release", () => {
  const change = { type: "purchase_changed", purchaseId: "pur_1", byUserId: "user_1", serverNow: 1 };
  expect(readBusinessMessage(JSON.stringify({ ...change, fields: ["notes"] }))).toEqual(change);
  expect(readBusinessMessage('{"type":"hello","serverNow":1}')).toEqual({ type: "hello", serverNow: 1 });
});
