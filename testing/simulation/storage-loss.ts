/** An exchange loses its storage, but D1 keeps its data (row 40). */
import type { Actors } from "./actors.ts";
import { OPEN_STATES, recordsOf } from "./facts.ts";
import type { World } from "./world.ts";

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

/**
 * Returns whether only the nightly reconciliation can find a loss. The sweep asks for the oldest and the newest lead that
 * D1 offers in a region, and both may have been listed after the loss.
 */
export function isLossHidden(world: World): boolean {
  return [...world.losses.keys()].some((region) => {
    const offered = world.d1.statements.rows(
      `SELECT id FROM leads WHERE region = ? AND status = 'available' AND listing_state = 'listed'
       ORDER BY created_at`,
      [region],
    ) as { id: string }[];
    const known = new Set(recordsOf(world, region).map(({ leadId }) => leadId));
    const isKnown = offered.map(({ id }) => known.has(id));
    return isKnown.includes(false) && isKnown[0] === true && isKnown.at(-1) === true;
  });
}
