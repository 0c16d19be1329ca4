/** No two requests get the same reference. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { db } from "../../../testing/client.ts";
import { insertBooking, insertPendingLead } from "../../../testing/world.ts";
import { bookings, leads } from "../../tables.ts";
import { isUniqueViolation, unusedReference } from "./unique.ts";

test("a reference that a lead or a booking already has is skipped", async () => {
  const { id } = await insertPendingLead(db);
  await db.update(leads).set({ reference: "AAAAA2" }).where(eq(leads.id, id));
  await insertBooking(db, { reference: "AAAAA3" });
  const other = await insertBooking(db);
  const reference = unusedReference(["AAAAA2", "AAAAA3", "AAAAA4"]);
  const [stored] = await db.update(bookings).set({ reference }).where(eq(bookings.id, other)).returning();
  expect(stored!.reference).toBe("AAAAA4");
});

test("the database rejects a duplicate reference", async () => {
  await insertBooking(db, { reference: "BBBBB2" });
  const again = insertBooking(db, { reference: "BBBBB2" });
  await expect(again.catch((error: Error) => isUniqueViolation(error, "reference"))).resolves.toBe(true);
});
