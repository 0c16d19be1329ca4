/** The erasure finds a person's number in any format, in requests, bookings and accounts. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { bookings, leads, users } from "../../tables.ts";
import { call, db } from "../../../testing/client.ts";
import { runJob } from "../../../testing/operator.ts";
import { bookingRequest, insertBooking, insertPendingLead, insertUser } from "../../../testing/world.ts";
import { contactKeys } from "../../../testing/facts.ts";

/** Formats of one number, 0491 57x yyy, as visitors type them. */
const WAYS: ((digits: string) => string)[] = [
  (n) => `${n.slice(0, 4)}\u2009${n.slice(4, 7)}\u2009${n.slice(7)}`,
  (n) => `${n.slice(0, 4)}\u202F${n.slice(4, 7)}\u00A0${n.slice(7)}`,
  (n) => `${n.slice(0, 4)}–${n.slice(4, 7)}–${n.slice(7)}`,
  (n) => `${n.slice(0, 4)}\u2011${n.slice(4, 7)}\u2212${n.slice(7)}`,
  (n) => `${n.slice(0, 4)} ${n.slice(4, 7)} ${n.slice(7)} after six`,
  (n) => `${n.slice(0, 4)} ${n.slice(4, 7)} ${n.slice(7)} (Ivy's mobile)`,
  (n) => [...n].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(""),
  (n) => `+61 (0)${n.slice(1, 4)} ${n.slice(4, 7)} ${n.slice(7)}`,
  (n) => `0061 ${n.slice(1)}`,
  (n) => `+61${n.slice(1)}`,
  (n) => `Ph: ${n.slice(0, 4)}.${n.slice(4, 7)}.${n.slice(7)}`,
];

/** A customer's number as a provider may type it for a lead of their own. Visitors' forms take one number. */
const TWO_NUMBERS: ((number: string) => string)[] = [
  (n) => `02 5550 0123 or ${n}`,
  (n) => `${n} / 02 5550 0124`,
];

let people = 0;

/** Returns a number that these tests have not used before. */
function freshNumber(): string {
  people += 1;
  return `0491570${String(people).padStart(3, "0")}`;
}

async function erase(phone: string) {
  const job = await runJob({ kind: "erase_person", input: { phone, email: null } });
  expect(job.state).toBe("done");
  return job.result as Record<string, number>;
}

const inspection = { serviceType: "pre_purchase_inspection", vehicle: "Ute" } as const;

test.each(WAYS.map((way) => [way("0491570999"), way] as const))(
  "an inspection booked with %j is erased with its person",
  async (_, way) => {
    const number = freshNumber();
    const request = bookingRequest({ ...inspection, phone: way(number), email: "ivy@example.com" });
    const { id } = (await (await call("POST", "/api/bookings", { body: request })).json()) as { id: string };
    const stranger = await insertBooking(db, { phone: way(freshNumber()) });
    expect(await erase(number)).toMatchObject({ bookings: 1 });
    for (const [booking, name] of [
      [id, "Erased customer"],
      [stranger, "Ivy Inspect"],
    ] as const) {
      const [row] = await db.select().from(bookings).where(eq(bookings.id, booking));
      expect(row!.name).toBe(name);
    }
  },
);

test.each(WAYS.map((way) => [way("0491570999"), way] as const))(
  "a request and a customer's account with %j are erased with their person",
  async (_, way) => {
    const number = freshNumber();
    const lead = await insertPendingLead(db, { customerPhone: way(number), customerEmail: null });
    const account = await insertUser(db, { userType: "customer", phone: way(number) });
    expect(await erase(number)).toMatchObject({ leads: 1, accounts: 1 });
    const [row] = await db.select().from(leads).where(eq(leads.id, lead.id));
    expect(row!.customerName).toBe("Erased customer");
    const [person] = await db.select().from(users).where(eq(users.id, account.id));
    expect(person!.phone).toBeNull();
  },
);

test.each(TWO_NUMBERS.map((way) => [way("0491570999"), way] as const))(
  "a request with %j is erased with its person",
  async (_, way) => {
    const number = freshNumber();
    const lead = await insertPendingLead(db, { customerEmail: null });
    await db
      .update(leads)
      .set({ customerPhone: way(number), ...contactKeys(way(number), null) })
      .where(eq(leads.id, lead.id));
    expect(await erase(number)).toMatchObject({ leads: 1 });
    const [asked] = await db.select().from(leads).where(eq(leads.id, lead.id));
    expect(asked!.customerName).toBe("Erased customer");
  },
);

test("bookings are found by email, ignoring case", async () => {
  const id = await insertBooking(db, { phone: "0000", email: "Ivy.Upper@Example.com" });
  const input = { phone: null, email: "ivy.upper@example.COM" };
  expect((await runJob({ kind: "erase_person", input })).result).toMatchObject({ bookings: 1 });
  const [row] = await db.select().from(bookings).where(eq(bookings.id, id));
  expect(row).toMatchObject({ email: "", phoneKey: null, otherPhoneKey: null, emailKey: null });
});
