/** Runs the operator's drills as tests. Each is also a script in scripts/drills. */
import { expect, test } from "vitest";

import { drillBackup } from "./back-up.ts";
import { drillReprojection } from "./reproject.ts";
import { drillRollback } from "./roll-back.ts";

test("a backup restores every row, index and trigger", async () => {
  const { counts, refused, lost, names, before, after } = await drillBackup();
  expect(counts).toMatchObject({ suburbs: 4509, users: 4 });
  expect(counts.lead_purchases).toBeGreaterThan(5);
  const cutOff = "is truncated or was changed: its checksum does not match. Use another backup.";
  expect(refused).toEqual([
    `cut ${cutOff}`,
    `shorter ${cutOff}`,
    expect.stringMatching(/^firstLineLost is not a backup: its first line has no checksum/),
    `changed ${cutOff}`,
  ]);
  expect(lost).toEqual([]);
  expect(names, "no copy is left behind").toEqual(["drill.sql"]);
  expect(before.purchase).toMatchObject({ sales_notes: expect.stringMatching(/./) });
  expect(after.purchase).toEqual(before.purchase);
  expect(before.guards.length).toBeGreaterThan(40);
  expect(after.guards).toEqual(before.guards);
});

test("D1 restored to before a sale gets the sale back from the exchange, field by field", async () => {
  const {
    sold,
    forgotten: lostSale,
    restored,
    lead,
    job,
    kept: earlierSale,
    keptAfter,
  } = await drillReprojection();
  expect(sold).not.toBeNull();
  expect(lostSale).toBeNull();
  expect(job).toMatchObject({ state: "done", result: { purchases_restored: 1 } });
  expect(restored).toEqual(sold);
  expect(lead).toMatchObject({ status: "sold", listingState: "closed" });
  expect(keptAfter).toEqual(earlierSale);
});

test("a rolled-back release works with the next release's database", async () => {
  const { before, after, fresh, moved, pipeline, healthStatus, newColumn } = await drillRollback();
  expect(pipeline.toSorted()).toEqual([before.id, after.id].toSorted());
  expect(moved).toMatchObject({
    id: before.id,
    leadId: before.leadId,
    amountPaidCents: before.amountPaidCents,
    purchasedAt: before.purchasedAt,
    salesStage: "called",
    salesNotes: "Rang, and all is well.",
    notesVersion: expect.any(Number),
    updatedAt: expect.any(Number),
    calledAt: expect.any(Number),
  });
  expect(fresh).toMatchObject({ salesStage: "accepted_lead", amountPaidCents: 5000 });
  expect(newColumn).toBe(0);
  expect(healthStatus).toBe(200);
});
