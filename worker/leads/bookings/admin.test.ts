/** Super admins list and handle bookings. */
import { expect, test } from "vitest";

import type { AdminBooking } from "../../../contract/bookings.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { db } from "../../../testing/client.ts";
import { auditEntries } from "../../../testing/facts.ts";
import { insertBooking } from "../../../testing/world.ts";

const { asAdmin, list } = await insertAdmin();

test("an admin marks an inspection booking as handled, logged once, and can reopen it", async () => {
  const reference = "V3RD4S";
  const id = await insertBooking(db, { suburbId: "sub_manly", reference });
  await insertBooking(db, { leadId: "lead_nsw_00000000000000000000", serviceType: "lawn_mowing" });
  const open = () => list<AdminBooking>("/api/super-admin/bookings?open=yes");
  expect(await open()).toMatchObject([{ id, suburbName: "Manly", handledAt: null }]);
  const path = `/api/super-admin/bookings/${id}/handled`;
  for (let i = 0; i < 2; i++) expect((await asAdmin("POST", path, { handled: true })).status).toBe(200);
  expect(await open()).toEqual([]);
  const [handled] = await list<AdminBooking>("/api/super-admin/bookings");
  expect(handled).toMatchObject({ id, handledBy: "Alex Admin", handledAt: expect.any(Number) });
  const byReference = await list<AdminBooking>(
    `/api/super-admin/bookings?open=yes&q=${reference.toLowerCase()}`,
  );
  expect(byReference, "a reference finds its booking in every view").toMatchObject([{ id }]);
  expect(await list<AdminBooking>("/api/super-admin/bookings?q=Manly")).toEqual([]);
  await asAdmin("POST", path, { handled: false });
  expect(await open()).toHaveLength(1);
  const lines = await auditEntries(id);
  expect(lines.map(({ action }) => action)).toEqual(["booking.handled", "booking.reopened"]);
  expect(
    (await asAdmin("POST", "/api/super-admin/bookings/bkg_00000000/handled", { handled: true })).status,
  ).toBe(404);
});
