/** What the Worker, the alarms and admins do with leads on the market, step by step. */
import { HOLD_MS } from "../../exchange/hold-rules.ts";
import { ask, type Flow, over } from "./calls.ts";
import { cancelIntent, create, refund, settle, takeBack } from "./paying-flows.ts";
import { dropOutbox, project, takeOver } from "./projection.ts";
import { otherRegion, placeOf, PRICE_CENTS, regionOf, REGIONS, type World } from "./world.ts";

/** Puts a pending lead on the market that D1's row names, as the Worker and the sweep do. */
export function* list(world: World, leadId: string): Flow {
  const { region, generation, expiresAt, isPending } = world.rows.get(leadId)!;
  if (!isPending) return;
  const place = placeOf(leadId, region);
  const terms = { leadId: place, generation, priceCents: PRICE_CENTS, expiresAt };
  const answer = yield* ask(world, () => world.apply(place, { type: "list", ...terms }));
  if (answer.ok) yield* over(world, () => takeOver(world, answer.listing));
}

/** An admin takes a lead off its market, or moves it to the other one. */
export function* depart(world: World, leadId: string, isMove: boolean): Flow {
  const { region, generation, expiresAt } = world.rows.get(leadId)!;
  const place = placeOf(leadId, region);
  const answer = yield* ask(world, () =>
    world.apply(place, {
      type: "withdraw",
      terms: { leadId: place, generation, priceCents: PRICE_CENTS, expiresAt },
      byUserId: "admin",
      toRegion: isMove ? otherRegion(region) : null,
    }),
  );
  if (!answer.ok) return;
  yield* over(world, () => takeOver(world, answer.listing));
  yield* over(world, () => dropOutbox(world, place, answer.listing.version));
  if (isMove) yield* list(world, leadId);
}

/** An admin deactivates a business: no new slots, and whatever it holds is let go of. */
export function* deactivate(world: World, businessId: string): Flow {
  const time = world.id("deactivation");
  yield* over(world, () => world.inactive.set(businessId, time));
  for (const region of REGIONS)
    yield* over(world, () => {
      for (const [place, { hold }] of world.listings)
        if (regionOf(place) === region && hold?.businessId === businessId)
          world.apply(place, { type: "release", holdId: hold.holdId, cause: "closed" });
    });
  if (world.inactive.get(businessId) === time) world.letGo.add(businessId);
}

/** … and lets it work again. */
export function reactivate(world: World, businessId: string): void {
  world.inactive.delete(businessId);
  world.letGo.delete(businessId);
}

/** A row of the due-table whose time has come. */
export function* attend(world: World, kind: string, leadId: string): Flow {
  if (kind === "hold" || kind === "expire") {
    world.due.delete(`${kind} ${leadId}`);
    world.apply(leadId, { type: kind === "hold" ? "lapse" : "expire" });
  } else if (kind === "release") yield* takeBack(world, leadId);
  else yield* project(world, leadId);
}

/** The minutely sweep: leads that were not listed, and payments that nothing was heard of. */
export function* sweep(world: World): Flow {
  for (const leadId of world.rows.keys()) yield* list(world, leadId);
  for (const row of world.ledger.values()) {
    const intent = row.intentId ? world.intents.get(row.intentId)! : null;
    if (row.state === "refund_pending" && intent) yield* refund(world, row, intent);
    const isOpen = row.state === "pending" || row.state === "processing";
    if (!isOpen || row.at > world.now - HOLD_MS - 30_000) continue;
    yield* ask(world, () => world.apply(row.leadId, { type: "lapse" }));
    if (!intent) {
      const made = yield* create(world, row);
      yield* over(world, () => (row.intentId = made.id));
      yield* over(world, () => cancelIntent(made));
    }
    const known = world.intents.get(row.intentId!)!;
    yield* settle(world, known.id, "stripe");
    const isHeld = world.listings.get(row.leadId)?.hold?.holdId === row.holdId;
    if (known.status === "open" && !isHeld) {
      yield* over(world, () => cancelIntent(known));
      yield* settle(world, known.id, "stripe");
    }
  }
}
