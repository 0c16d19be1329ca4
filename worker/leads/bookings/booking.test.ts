/** A booking from a suburb's page: garden work becomes a lead, an inspection does not. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { BookingResponse, BookingRequestInput } from "../../../contract/bookings.ts";
import { addDays, sydneyDay } from "../../../contract/sydney-time.ts";
import { bookings } from "../../tables.ts";
import { call, db, rowCounts } from "../../../testing/client.ts";
import { leadRow } from "../../../testing/facts.ts";
import { eventually } from "../../../testing/eventually.ts";
import { bookingRequest } from "../../../testing/world.ts";

async function book(overrides: Partial<BookingRequestInput> = {}) {
  const response = await call("POST", "/api/bookings", { body: bookingRequest(overrides) });
  expect(response.status).toBe(201);
  const result = (await response.json()) as BookingResponse;
  const [row] = await db.select().from(bookings).where(eq(bookings.id, result.id));
  return { result, row: row! };
}

test("a garden booking becomes a lead in its suburb and is listed", async () => {
  const { result, row } = await book({
    vehicle: "a van that was not asked for",
    consentWording: "quote-test",
  });
  expect(result).toEqual({
    id: expect.stringMatching(/^bkg_/),
    leadId: row.leadId,
    reference: (await leadRow(row.leadId!)).reference,
    suburbId: "sub_leichhardt",
    suburbName: "Leichhardt",
    createdAt: row.createdAt,
    token: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { preferredDate } = bookingRequest();
  expect(row).toMatchObject({ vehicle: "", propertySize: "medium", preferredDate });
  expect(await leadRow(row.leadId!)).toMatchObject({
    source: "booking",
    region: "inner-west",
    customerName: "Anna Brown",
    customerEmail: "anna.brown@example.com",
    customerAddress: "Leichhardt NSW 2040",
    serviceType: ["hedge_trimming"],
    specificRequests: expect.stringMatching(
      /^The side gate sticks a little\.\nPreferred date: \d+ [A-Z][a-z]+ \d{4}$/,
    ),
    priceCents: 5000,
    consentWording: "quote-test",
    consentAt: row.createdAt,
  });
  await eventually(async () => {
    expect(await leadRow(row.leadId!)).toMatchObject({ listingState: "listed" });
  });
});

test.each(["pink_slip_inspection", "pre_purchase_inspection", "vehicle_safety_check"] as const)(
  "a booking of a %s is stored with its vehicle and never becomes a lead",
  async (serviceType) => {
    const before = await rowCounts();
    const { row, result } = await book({ serviceType, vehicle: "Toyota Corolla 2015" });
    expect(result).toMatchObject({ leadId: null, suburbName: "Leichhardt" });
    expect(row).toMatchObject({ serviceType, vehicle: "Toyota Corolla 2015", leadId: null });
    const after = await rowCounts();
    // One more message: the confirmation email.
    const more = { bookings: before.bookings! + 1, messages: before.messages! + 1 };
    expect(after).toEqual({ ...before, ...more });
  },
);

test("a booking with an unknown suburb is stored", async () => {
  for (const suburbId of ["sub_atlantis", null]) {
    const { row } = await book({ suburbId });
    expect(row.suburbId).toBeNull();
    expect(await leadRow(row.leadId!)).toMatchObject({ region: "nsw", suburbName: null });
  }
});

test("a booking with an invisible name is refused", async () => {
  const response = await call("POST", "/api/bookings", { body: bookingRequest({ name: "\u200B\u200B" }) });
  expect(response.status).toBe(400);
});

test("a form sent five times at once creates one booking and one lead", async () => {
  const submissionId = crypto.randomUUID();
  const before = await rowCounts();
  const results = await Promise.all(Array.from({ length: 5 }, () => book({ submissionId })));
  expect(new Set(results.map(({ result }) => result.id)).size).toBe(1);
  expect(new Set(results.map(({ result }) => result.leadId)).size, "one reference").toBe(1);
  const after = await rowCounts();
  expect(after.bookings! - before.bookings!).toBe(1);
  expect(after.leads! - before.leads!).toBe(1);
});

test("a past day in Sydney is refused at its field, but today is accepted", async () => {
  const today = sydneyDay(Date.now());
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
  const refused = await call("POST", "/api/bookings", { body: bookingRequest({ preferredDate: yesterday }) });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { errors: { preferredDate: "That day has passed. Please choose another." } },
  ]);
  expect((await book({ preferredDate: today })).row.preferredDate).toBe(today);

  const far = { body: bookingRequest({ preferredDate: addDays(today, 367) }) };
  expect(await (await call("POST", "/api/bookings", far)).json()).toMatchObject({
    errors: { preferredDate: "Please choose a day within the next 12 months." },
  });
  const last = addDays(today, 366);
  expect((await book({ preferredDate: last })).row.preferredDate).toBe(last);
});

test("optional fields can be omitted", async () => {
  const { row } = await book({ preferredDate: "", message: " " });
  expect(row).toMatchObject({ preferredDate: null, message: null });
  expect(await leadRow(row.leadId!)).toMatchObject({ specificRequests: null });
});
