/** An exchange loses its storage, but D1 keeps its data (row 40). */
import type { Actors } from "./actors.ts";
import { OPEN_STATES, recordsOf } from "./facts.ts";

const SECOND_MS = 1_000;
/** Maximum waits for an empty outbox. A decision that D1 never received would be lost permanently. */
const MAX_POLLS = 60;

/** Deletes a region's storage and closes its connections, once D1 has all its decisions. */
export async function loseStorage(cast: Actors, region: string): Promise<void> {
  const { world } = cast;
  const host = world.exchanges.hosts.get(region);
  if (!host) return;
  for (let i = 0; host.statements.rows("SELECT 1 FROM outbox", []).length > 0; i++) {
    if (i === MAX_POLLS) return;
    await world.wait(SECOND_MS);
  }
  if (world.faults.areFaultsStopped) return;
  const records = recordsOf(world, region);
  for (const record of records) {
    if (record.hold) world.lostHolds.add(record.hold.holdId);
    // After an earlier loss the exchange may know a sold lead as withdrawn. D1 still has the sale.
    if (!OPEN_STATES.has(record.state) && !world.lostRecords.get(`${region} ${record.leadId}`)?.sale)
      world.lostRecords.set(`${region} ${record.leadId}`, record);
  }
  world.losses.set(region, (world.losses.get(region) ?? 0) + 1);
  world.story.logStep(() => `the exchange of ${region} loses its storage, with ${records.length} records`);
  host.loseStorage();
  cast.recordFeature("lost_storage", records.length > 0);
}
