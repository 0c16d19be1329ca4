/** How leads are paid for: from the hold to the money, and back again. */
import type { Answer } from "../../exchange/listing.ts";
import { LAPSE_WINDOW_MS } from "../../exchange/hold-rules.ts";
import { ask, type Flow, Lost, over } from "./calls.ts";
import { dropOutbox, tellD1 } from "./projection.ts";
import {
  type Intent,
  type LedgerRow,
  otherRegion,
  placeOf,
  PRICE_CENTS,
  regionOf,
  REGIONS,
  Violation,
  type World,
} from "./world.ts";

function takeSlot(world: World, row: Omit<LedgerRow, "slot" | "state" | "intentId" | "at">): boolean {
  if (world.ledger.has(row.holdId)) return true;
  if (world.inactive.has(row.businessId) && world.broken !== "serve_the_deactivated") return false;
  const taken = [...world.ledger.values()].filter((other) => other.businessId === row.businessId);
  const slot = ([1, 2] as const).find((slot) => !taken.some((other) => other.slot === slot));
  if (!slot) return false;
  world.ledger.set(row.holdId, { ...row, slot, state: "pending", intentId: null, at: world.now });
  return true;
}

function createIntent(world: World, row: LedgerRow): Intent {
  const saved = world.intentKeys.get(row.holdId);
  if (saved) return world.intents.get(saved)!;
  const { leadId, holdId, businessId } = row;
  const id = world.id("pi");
  // Once in a while Stripe has another amount than we asked for.
  const amountCents = world.hasFaults && world.chance(0.05) ? 1 : PRICE_CENTS;
  const nothing = { isOut: false, chargedCents: 0, refunds: 0 };
  const intent: Intent = { id, status: "open", amountCents, leadId, holdId, businessId, ...nothing };
  world.intents.set(id, intent);
  world.intentKeys.set(row.holdId, id);
  return intent;
}

/** Makes the payment of a hold; asking again with the same key tells its id. */
export function* create(world: World, row: LedgerRow): Generator<void, Intent, void> {
  try {
    return yield* over(world, () => createIntent(world, row));
  } catch {
    // The same key again tells its id.
    return yield* over(world, () => createIntent(world, row));
  }
}

export function cancelIntent(intent: Intent): void {
  if (intent.status === "open") intent.status = "cancelled";
}

function* giveUp(world: World, leadId: string, holdId: string): Flow {
  const answer = yield* ask(world, () => world.apply(leadId, { type: "release", holdId, cause: "failed" }));
  if (answer.ok && answer.listing.hold?.holdId === holdId) return;
  yield* over(world, () => {
    const row = world.ledger.get(holdId);
    if (row?.state === "pending") Object.assign(row, { slot: null, at: world.now });
  });
}

type Bid = { businessId: string; leadId: string; key: string | null };

function* hold(world: World, { businessId, leadId, key }: Bid): Generator<void, Answer, void> {
  return yield* ask(world, () => {
    const mine = world.releases.filter(
      (row) => row.businessId === businessId && row.at > world.now - LAPSE_WINDOW_MS,
    );
    const standing = {
      releasedAt: mine.findLast((row) => row.leadId === leadId)?.at ?? null,
      lapsedAt: mine.filter(({ lapsed }) => lapsed).map(({ at }) => at),
      claimedLeadId: key ? (world.claims.get(`${businessId} ${key}`) ?? null) : null,
    };
    return world.apply(leadId, {
      type: "hold",
      businessId,
      userId: businessId,
      holdId: world.id("hold"),
      amountCents: PRICE_CENTS,
      claimKey: key,
      standing,
    });
  });
}

/** POST /api/create-payment-intent. The lead's id names its first region; who it has left says where it went. */
export function* openPayment(world: World, bid: Bid): Flow {
  const { businessId } = bid;
  let leadId = placeOf(bid.leadId, REGIONS[0]);
  let answer = yield* hold(world, { ...bid, leadId });
  for (let moves = 0; moves < 20 && !answer.ok && answer.reason === "moved"; moves++) {
    leadId = placeOf(bid.leadId, otherRegion(regionOf(leadId)));
    answer = yield* hold(world, { ...bid, leadId });
  }
  const held = answer.ok ? answer.listing.hold : null;
  if (!held) return;
  const { holdId, amountCents } = held;
  try {
    const order = { holdId, leadId, businessId, amountCents };
    if (!(yield* over(world, () => takeSlot(world, order)))) return yield* giveUp(world, leadId, holdId);
    const row = world.ledger.get(holdId)!;
    const intent = yield* create(world, row);
    yield* over(world, () => (row.intentId = intent.id));
    const attach = { type: "attach", holdId, paymentIntentId: intent.id } as const;
    const attached = yield* ask(world, () => {
      const answer = world.apply(leadId, attach);
      if (answer.ok && !answer.repeated && world.letGo.has(businessId))
        throw new Violation(`25: ${businessId} is deactivated and got a payment attached`);
      return answer;
    });
    if (attached.ok) intent.isOut = true;
    else {
      yield* giveUp(world, leadId, holdId);
      yield* over(world, () => cancelIntent(intent));
    }
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    yield* giveUp(world, leadId, holdId);
  }
}

export function* refund(world: World, row: LedgerRow, intent: Intent): Flow {
  // Looking first keeps a lost answer from paying back twice.
  if (!(yield* over(world, () => intent.refunds > 0))) {
    yield* over(world, () => {
      if (intent.refunds === 0) intent.refunds = 1;
    });
  }
  yield* over(world, () => Object.assign(row, { state: "refunded", slot: null }));
}

/** Writes into the ledger what a payment came to. */
function* record(world: World, intent: Intent, status: Intent["status"], answer: Answer): Flow {
  const row = world.ledger.get(intent.holdId);
  if (!row) return;
  const isFinal = row.state === "refunded" || row.state === "refund_pending";
  if (!answer.ok && answer.reason.startsWith("refund")) {
    yield* over(world, () => {
      if (row.state !== "refunded")
        Object.assign(row, { state: "refund_pending", slot: null, at: world.now });
    });
    if (row.state !== "refunded") yield* refund(world, row, intent);
  } else if (!isFinal) {
    yield* over(world, () => {
      const isEarlier = row.state === "pending" || row.state === "processing";
      if (status === "succeeded") Object.assign(row, { state: "succeeded", slot: null });
      else if (isEarlier && status === "cancelled") Object.assign(row, { state: "cancelled", slot: null });
      else if (isEarlier && status === "processing") row.state = "processing";
      row.at = world.now;
    });
  }
}

/** Webhook, browser's return or sweep: reads the payment, tells the exchange, writes what came of it. */
export function* settle(world: World, intentId: string, from: "stripe" | "browser"): Flow {
  const intent = world.intents.get(intentId)!;
  const payment = yield* over(world, () => world.payment(intent));
  // The browser says that it has paid, whether or not it has.
  if (world.broken === "trust_the_browser" && from === "browser") payment.status = "succeeded";
  const { leadId, holdId } = payment;
  const purchaseId = world.id("pur");
  const answer = yield* ask(world, () => world.apply(leadId, { type: "settle", payment, purchaseId }));
  const sale = answer.ok ? answer.listing.sale : null;
  if (answer.ok && sale?.holdId === holdId) {
    world.told.push({ leadId, businessId: intent.businessId });
    const { version } = answer.listing;
    try {
      yield* over(world, () => tellD1(world, leadId));
      yield* over(world, () => dropOutbox(world, leadId, version));
    } catch {
      // The outbox does it.
    }
  }
  yield* record(world, intent, payment.status, answer);
}

/** DELETE /api/exchange/holds/{id} */
export function* closeDialog(world: World, row: LedgerRow): Flow {
  yield* ask(world, () => world.apply(row.leadId, { type: "release", holdId: row.holdId, cause: "closed" }));
}

/** The alarm cancels the payment of a hold that is let go of. */
export function* takeBack(world: World, leadId: string): Flow {
  const listing = world.listings.get(leadId);
  const hold = listing?.state === "releasing" ? listing.hold : null;
  if (!hold?.paymentIntentId) return void world.due.delete(`release ${leadId}`);
  world.wake("release", leadId, world.now + 30_000);
  const intent = world.intents.get(hold.paymentIntentId)!;
  let payment = null;
  try {
    payment = yield* over(world, () => {
      cancelIntent(intent);
      return world.payment(intent);
    });
  } catch {
    // Stripe did not answer.
  }
  if (payment?.status !== "cancelled" && payment?.status !== "succeeded")
    return void world.apply(leadId, { type: "unclear", holdId: hold.holdId });
  const answer = world.apply(leadId, { type: "settle", payment, purchaseId: world.id("pur") });
  yield* record(world, intent, payment.status, answer);
}
