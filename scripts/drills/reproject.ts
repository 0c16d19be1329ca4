/**
 * `npm run operate -- drill reproject`: restores D1 to its state before a sale, then recovers the sale from
 * the exchange's record. Uses the production build on this machine.
 */

import { eq } from "drizzle-orm";

import { startProduct } from "../../testing/product/product.ts";
import { leads, operatorJobs } from "../../worker/platform/db/schema.ts";
import { requestQuote, buy, newBuyer, purchaseOf } from "./market-day.ts";
import { captureMoment, restoreMoment } from "./point-in-time.ts";

/** Sells, restores and reprojects. Returns the purchase row in D1 after each step. */
export async function drillReprojection() {
  const product = await startProduct({}, null);
  try {
    const { d1: DB } = product;
    const buyer = await newBuyer(product);
    const earlier = await requestQuote(product);
    const earlierSale = await buy(product, buyer, earlier);
    const leadId = await requestQuote(product);
    const moment = await captureMoment(DB);
    const sold = await buy(product, buyer, leadId);

    await restoreMoment(DB, moment);
    const lostSale = await purchaseOf(product, leadId);

    const now = Date.now();
    const job = {
      id: "job_drill",
      kind: "reproject",
      input: { since: moment.at },
      createdAt: now,
      updatedAt: now,
    };
    await product.db.insert(operatorJobs).values(job);
    await product.runSchedule();
    const [done] = await product.db.select().from(operatorJobs).where(eq(operatorJobs.id, job.id));
    const [lead] = await product.db.select().from(leads).where(eq(leads.id, leadId));
    const restored = await purchaseOf(product, leadId);
    return {
      sold,
      forgotten: lostSale,
      restored,
      lead: lead!,
      job: done!,
      kept: earlierSale,
      keptAfter: await purchaseOf(product, earlier),
    };
  } finally {
    await product.stop();
  }
}

/** Runs the drill for an operator and prints the results. */
export async function reportReprojection(): Promise<void> {
  const { sold, forgotten: lostSale, restored, job } = await drillReprojection();
  console.log({ job: job.result, forgotten: lostSale, restored });
  const isSame = JSON.stringify(sold) === JSON.stringify(restored);
  console.log(isSame ? "The purchase is the same, field by field." : { sold });
  process.exitCode = isSame && lostSale === null ? 0 : 1;
}
