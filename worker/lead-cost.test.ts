/**
 * Measures the rows that one lead reads and writes, which D1 and Durable Objects bill. docs/scale.md uses these
 * figures.
 */
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { buyer, exchange, stripe, webhook } from "../testing/cards.ts";
import { callWith } from "../testing/client.ts";
import { Recorder } from "../testing/recorded-statements.ts";
import { quoteRequest } from "../testing/world.ts";

type Cost = { d1Read: number; d1Written: number; exchangeRead: number; exchangeWritten: number };

/** Maximum rows for each step, as in docs/scale.md. */
const MAX_ROWS: Record<string, Cost> = {
  requested: { d1Read: 45, d1Written: 29, exchangeRead: 5, exchangeWritten: 6 },
  bought: { d1Read: 90, d1Written: 60, exchangeRead: 25, exchangeWritten: 25 },
  "moved a stage": { d1Read: 20, d1Written: 16, exchangeRead: 0, exchangeWritten: 0 },
};

/** Counts the rows that `work` reads and writes in D1 and in the exchange of the Inner West. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const recorder = new Recorder();
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const exec = await runInDurableObject(exchange, (_, { storage: { sql } }) => {
    const original = sql.exec.bind(sql);
    sql.exec = ((...args: Parameters<typeof original>) => {
      const cursor = original(...args);
      cursors.push(cursor);
      return cursor;
    }) as typeof original;
    return original;
  });
  recorder.start();
  await work().finally(() => recorder.stop());
  return runInDurableObject(exchange, (_, { storage: { sql } }) => {
    sql.exec = exec;
    const { read, written } = recorder.rows;
    return {
      d1Read: read,
      d1Written: written,
      exchangeRead: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      exchangeWritten: cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    };
  });
}

test("a lead costs no more rows than docs/scale.md reckons with", async () => {
  const pat = await buyer();
  let leadId = "";
  const rows: Record<string, Cost> = {
    requested: await costOf(async () => {
      const response = await callWith({}, "POST", "/api/leads", { body: quoteRequest() });
      ({ id: leadId } = (await response.json()) as { id: string });
    }),
    bought: await costOf(async () => {
      const { holdId, intentId } = await pat.opened(leadId);
      stripe.confirm(intentId, "good");
      expect((await pat.settle(holdId)).status).toBe("sold");
      await webhook("payment_intent.succeeded", intentId);
    }),
  };
  const [purchase] = (await (await pat.as("GET", "/api/lead-purchases")).json()) as [{ id: string }];
  rows["moved a stage"] = await costOf(async () => {
    const path = `/api/lead-purchases/${purchase.id}/sales-stage`;
    expect((await pat.as("PATCH", path, { salesStage: "called" })).status).toBe(200);
  });
  // oxlint-disable-next-line no-console -- the figures of docs/scale.md
  console.log(JSON.stringify(rows));
  for (const [step, cost] of Object.entries(rows))
    for (const [what, count] of Object.entries(cost))
      expect(count, `${step}: ${what}`).toBeLessThanOrEqual(MAX_ROWS[step]![what as keyof Cost]);
});
