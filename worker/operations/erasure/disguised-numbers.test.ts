/** The erasure finds a person by their number and email. `rules.unit.test.ts` has the formats of a number. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { bookings } from "../../tables.ts";
import { call, db } from "../../../testing/client.ts";
import { runJob } from "../../../testing/operator.ts";
import { bookingRequest, insertBooking, insertPendingLead, insertUser } from "../../../testing/world.ts";
import { contactKeys, leadRow, setLead, userRow } from "../../../testing/facts.ts";

async function erase(phone: string) {
  const job = await runJob({ kind: "erase_person", input: { phone, email: null } });
  expect(job.state).toBe("done");
  return job.result as Record<string, number>;
}

test("erasing a person erases their inspection with a note after the number, and no other", async () => {
  const inspection = { serviceType: "pre_purchase_inspection", vehicle: "Ute" } as const;
  const phone = "0491 570 001 (Ivy's mobile)";
  const request = bookingRequest({ ...inspection, phone, email: "ivy@example.com" });
  const { id } = (await (await call("POST", "/api/bookings", { body: request })).json()) as { id: string };
  const stranger = await insertBooking(db, { phone: "0491 570 002 (Ivy's mobile)" });
  expect(await erase("0491570001")).toMatchObject({ bookings: 1 });
  for (const [booking, name] of [
    [id, "Erased customer"],
    [stranger, "Ivy Inspect"],
  ] as const) {
    const [row] = await db.select().from(bookings).where(eq(bookings.id, booking));
    expect(row!.name).toBe(name);
  }
});

test("erasing a person erases their request and customer account with another spelling of the number", async () => {
  const phone = "0491\u2009570\u2009003";
  const lead = await insertPendingLead(db, { customerPhone: phone, customerEmail: null });
  const account = await insertUser(db, { userType: "customer", phone });
  expect(await erase("0491570003")).toMatchObject({ leads: 1, accounts: 1 });
  expect((await leadRow(lead.id)).customerName).toBe("Erased customer");
  expect((await userRow(account.id)).phone).toBeNull();
});

test("a provider's own lead with two numbers is found by the second", async () => {
  const lead = await insertPendingLead(db, { customerEmail: null });
  const customerPhone = "02 5550 0123 or 0491570004";
  await setLead(lead.id, { customerPhone, ...contactKeys(customerPhone, null) });
  expect(await erase("0491570004")).toMatchObject({ leads: 1 });
  expect((await leadRow(lead.id)).customerName).toBe("Erased customer");
});

test("bookings are found by email, ignoring case", async () => {
  const id = await insertBooking(db, { phone: "0000", email: "Ivy.Upper@Example.com" });
  const input = { phone: null, email: "ivy.upper@example.COM" };
  expect((await runJob({ kind: "erase_person", input })).result).toMatchObject({ bookings: 1 });
  const [row] = await db.select().from(bookings).where(eq(bookings.id, id));
  expect(row).toMatchObject({ email: "", phoneKey: null, otherPhoneKey: null, emailKey: null });
});
