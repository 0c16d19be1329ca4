/** How D1 learns what an exchange knows. */
import { isOpen, type Listing } from "../../exchange/listing.ts";
import { retryDelayMs } from "../../exchange/rules.ts";
import { type Flow, over } from "./calls.ts";
import { leadOf, regionOf, type World } from "./world.ts";

/** What D1 does with an exchange's word: nothing, when it is older than what D1 knows. */
export function takeOver(
  world: World,
  { leadId: place, generation, version, state, departure, sale }: Listing,
): void {
  const leadId = leadOf(place);
  const row = world.rows.get(leadId)!;
  if (sale && !world.purchases.has(leadId))
    world.purchases.set(leadId, { purchaseId: sale.purchaseId, businessId: sale.businessId });
  if (row.region !== regionOf(place) || row.generation !== generation || row.version >= version) return;
  const to = departure?.toRegion;
  if (to)
    Object.assign(row, {
      region: to,
      generation: generation + 1,
      version: 0,
      state: "available",
      isPending: true,
    });
  else Object.assign(row, { version, state: isOpen(state) ? "available" : state, isPending: false });
}

/** Hands over what the outbox has for D1. */
export function tellD1(world: World, place: string): void {
  const entry = world.outbox.get(place);
  if (entry) takeOver(world, entry);
}

/** Forgets what D1 has been told, unless something newer waits. */
export function dropOutbox(world: World, leadId: string, version: number): void {
  if ((world.outbox.get(leadId)?.version ?? Infinity) > version) return;
  world.outbox.delete(leadId);
  world.due.delete(`project ${leadId}`);
}

/** The outbox tries to tell D1. */
export function* project(world: World, leadId: string): Flow {
  const entry = world.outbox.get(leadId);
  if (!entry) return void world.due.delete(`project ${leadId}`);
  world.wake("project", leadId, world.now + retryDelayMs(3));
  try {
    yield* over(world, () => tellD1(world, leadId));
    dropOutbox(world, leadId, entry.version);
  } catch {
    if (world.broken === "drop_outbox_on_error") dropOutbox(world, leadId, entry.version);
  }
}
