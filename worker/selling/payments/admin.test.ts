/** Tests how super admins find the payments of all businesses. */
import { expect, test } from "vitest";

import type { AdminPayment } from "../../../contract/payments.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { db } from "../../../testing/client.ts";
import { insertPayment, insertPendingLead, insertUser } from "../../../testing/world.ts";

const { list } = await insertAdmin();

test("the ledger is listed with Stripe's IDs and searchable by any of them", async () => {
  const owner = await insertUser(db, { companyName: "Ledger Lawns" });
  const lead = await insertPendingLead(db);
  const id = await insertPayment(db, owner, lead.id);
  const [payment] = await list<AdminPayment>(`/api/super-admin/payments?q=${lead.id}`);
  expect(payment).toMatchObject({ id, buyerName: "Ledger Lawns", amount: "50.00", leadId: lead.id });
  for (const q of [payment!.holdId, payment!.stripePaymentIntentId!, id]) {
    expect(await list<AdminPayment>(`/api/super-admin/payments?q=${q}`)).toMatchObject([{ id }]);
  }
  expect(await list(`/api/super-admin/payments?q=nothing`)).toEqual([]);
});
