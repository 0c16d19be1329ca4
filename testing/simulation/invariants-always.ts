/** Invariants that hold at every moment, even during operations. */
import type { BrowserWindow } from "./browsers.ts";
import { CoolDowns } from "./cool-downs.ts";
import { checkOffers } from "./invariants-of-rescues.ts";
import { WindowFreshness } from "./invariants-of-windows.ts";
import type { Actors } from "./actors.ts";
import { allRecords, type Record, closedRecords } from "./facts.ts";
import { MAX_ALARM_DELAY_MS } from "./objects.ts";
import { Violation } from "./violation.ts";

/** Maximum time an alarm needs to process its rows. Each row takes up to a second. */
const ALARM_MARGIN_MS = 5_000;

const MARKET_STATES = new Set(["available", "held", "releasing", "sold"]);

export class StepInvariants {
  readonly #cast: Actors;
  readonly #sales = new Map<string, string>();
  readonly #attached = new Set<string>();
  readonly #outSecrets = new Set<string>();
  readonly #charged = new Set<string>();
  /** The records at the last check. The same list object means that nothing has changed. */
  #seen: Record[] | null = null;

  readonly #lossesSeen = new Map<string, number>();
  readonly #coolDowns: CoolDowns;
  readonly #freshWindows: WindowFreshness;

  constructor(cast: Actors, windows: readonly BrowserWindow[]) {
    this.#cast = cast;
    this.#coolDowns = new CoolDowns(cast.world);
    this.#freshWindows = new WindowFreshness(cast.world, windows);
    const { book } = cast.world.stripe;
    book.onChange((change, id) => {
      if (change === "payment_intent.succeeded" || change === "payment_intent.processing") this.#onPaid(id);
    });
  }

  check(): void {
    const records = allRecords(this.#cast.world);
    for (const [region, count] of this.#cast.world.losses)
      if (this.#lossesSeen.get(region) !== count) {
        this.#lossesSeen.set(region, count);
        this.#coolDowns.clearRegion(region);
      }
    if (records !== this.#seen) {
      this.#checkMarkets(records);
      this.#checkSales(records);
      this.#checkHolds(records);
      checkOffers(this.#cast.world, records);
      this.#coolDowns.check(records);
      this.#seen = records;
    }
    this.#checkEnds(records);
    this.#freshWindows.check();
    this.#checkPayments(records);
    this.#checkRefunds();
  }

  /** A hold never outlasts its end by more than the delay of its exchange's alarm. */
  #checkEnds(records: Record[]): void {
    const { world } = this.#cast;
    const { now } = world.scheduler;
    const delay = ALARM_MARGIN_MS + (world.features.has("alarms") ? MAX_ALARM_DELAY_MS : 0);
    for (const { leadId, region, state, hold } of records) {
      if (state !== "held" || !hold) continue;
      const { clockSkewMs, lastFaultAt } = world.exchanges.host(region);
      // After an eviction or a failed alarm, the minute's sweep ends the hold.
      if (lastFaultAt >= hold.heldAt - clockSkewMs) continue;
      const late = now - (hold.endsAt - clockSkewMs);
      if (late > delay) throw new Violation(`Ends: ${leadId} is held ${late} ms past the end of its hold`);
    }
  }

  /** I1: a lead is in one market at a time. */
  #checkMarkets(records: Record[]): void {
    const seen = new Map<string, Record>();
    for (const record of records) {
      if (!MARKET_STATES.has(record.state)) continue;
      const other = seen.get(record.leadId);
      if (other)
        throw new Violation(
          `I1: ${record.leadId} is ${other.state} in ${other.region} and ${record.state} in ${record.region}`,
        );
      seen.set(record.leadId, record);
    }
  }

  /** I1: a sale of a lead is permanent. */
  #checkSales(records: Record[]): void {
    for (const { leadId, sale } of records) {
      const before = this.#sales.get(leadId);
      if (!sale) continue;
      const text = JSON.stringify(sale);
      if (before !== undefined && before !== text)
        throw new Violation(`I1: the sale of ${leadId} changed from ${before} to ${text}`);
      this.#sales.set(leadId, text);
    }
    if (this.#sales.size === 0) return;
    const sold = new Set(
      closedRecords(this.#cast.world)
        .filter(({ sale }) => sale)
        .map(({ leadId }) => leadId),
    );
    for (const leadId of this.#sales.keys())
      if (!sold.has(leadId)) throw new Violation(`I1: ${leadId} was sold but no longer is`);
  }

  /** Row 25: no payment is attached for a business that was deactivated and released everywhere. */
  #checkHolds(records: Record[]): void {
    for (const record of records) {
      const { leadId, state, hold } = record;
      // A hold that is being released already had its payment, even if no check has seen it.
      if (state !== "held" || !hold?.paymentIntentId || this.#attached.has(hold.holdId)) continue;
      this.#attached.add(hold.holdId);
      if (this.#cast.inactive.has(hold.businessId) && !this.#cast.world.regionsNotInformed.has(record.region))
        throw new Violation(
          `25: ${hold.businessId} is deactivated, but a payment was attached for ${leadId}`,
        );
    }
  }

  /** A payment whose secret reached a browser belongs to its lead's hold for as long as it could succeed. */
  #checkPayments(records: Record[]): void {
    const { stripe } = this.#cast.world;
    for (const id of this.#cast.world.exposedIntents) this.#outSecrets.add(id);
    for (const id of this.#outSecrets) {
      const intent = stripe.book.intents.get(id)!;
      if (intent.status === "canceled" || intent.status === "succeeded") {
        this.#outSecrets.delete(id);
        this.#cast.world.exposedIntents.delete(id);
        continue;
      }
      if (stripe.isDeleted(id) || this.#cast.world.lostHolds.has(intent.metadata.hold!)) continue;
      const record = records.find(({ leadId, hold }) => leadId === intent.metadata.lead && hold);
      if (record?.hold?.holdId !== intent.metadata.hold)
        throw new Violation(`I2: ${intent.metadata.lead} was released while ${id} could still be paid`);
    }
  }

  /** Checks that a payment succeeds only if its hold records the payment's ID. */
  #onPaid(id: string): void {
    if (this.#charged.has(id)) return;
    this.#charged.add(id);
    // Since the keys changed it belongs to another account. The Worker cannot cancel it and has alerted the
    // admins.
    if (this.#cast.world.stripe.isDeleted(id)) return;
    const { lead, hold } = this.#cast.world.stripe.book.intents.get(id)!.metadata;
    // The exchange has lost the hold, so the Worker refunds the payment.
    if (this.#cast.world.lostHolds.has(hold!)) return;
    const record = allRecords(this.#cast.world).find(
      (one) => one.leadId === lead && one.hold?.holdId === hold,
    );
    if (record?.hold?.paymentIntentId !== id)
      this.#cast.world.fail(new Violation(`I2: ${id} was paid although no hold of ${lead} knows of it`));
  }

  /** I2: refunds never exceed the payment. */
  #checkRefunds(): void {
    const { book } = this.#cast.world.stripe;
    for (const { id, amount_received: received, latest_charge: charge } of book.intents.values())
      if (charge && charge.amount_refunded > received)
        throw new Violation(`I2: ${charge.amount_refunded} of ${received} cents of ${id} were refunded`);
  }
}
