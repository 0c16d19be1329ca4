/** Drives the guard of batches (worker/platform/db/guarded-batch.ts) with the price of a lead, because no endpoint exposes it. */
import { and, eq } from "drizzle-orm";

import { FactsChanged, guardedBatch, retryIfChanged } from "../worker/platform/db/guarded-batch.ts";
import { leads, mustHold } from "../worker/tables.ts";
import { db } from "./client.ts";

export async function readPrice(id: string): Promise<number> {
  const [row] = await db.select({ cents: leads.priceCents }).from(leads).where(eq(leads.id, id));
  return row!.cents;
}

/** Sets a lead's price twice in one batch, if it is still `was`. @returns the rows that each statement returns */
export function setPrices(id: string, was: number, [first, second]: [number, number]) {
  const isThis = eq(leads.id, id);
  const set = (priceCents: number) =>
    db.update(leads).set({ priceCents }).where(isThis).returning({ cents: leads.priceCents });
  const guard = { from: leads, where: and(isThis, eq(leads.priceCents, was)) };
  return guardedBatch(db, guard, [set(first), set(second)]);
}

/** Reads a lead's price and sets it, while another caller raises it by a cent before the first `races` writes. */
export async function setPriceInRaces(id: string, priceCents: number, races: number) {
  let attempts = 0;
  const command = retryIfChanged(async () => {
    attempts += 1;
    const was = await readPrice(id);
    if (attempts <= races)
      await db
        .update(leads)
        .set({ priceCents: was + 1 })
        .where(eq(leads.id, id));
    await setPrices(id, was, [priceCents, priceCents]);
  });
  const isWritten = await command.then(
    () => true,
    (error: unknown) => !isFactsChanged(error),
  );
  return { attempts, isWritten };
}

export const isFactsChanged = (error: unknown) => error instanceof FactsChanged;

/** Returns the number of rows in the table of the guard. */
export const countGuardRows = () => db.$count(mustHold);
