/** Row 26: after releasing a lead, a business must wait before it can hold the same lead again. */
import { MINUTE_MS } from "../../contract/durations.ts";
import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";
import type { Record } from "./facts.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

const WAIT_MS = SAME_LEAD_WAIT_MINUTES * MINUTE_MS;

/** Observes holds. Times are those of the region's exchange (epoch ms). */
export class CoolDowns {
  readonly #world: World;
  #before: Record[] = [];
  /** When a business last released a lead, by region, lead and business. */
  readonly #releasedAt = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  check(records: Record[]): void {
    const now = new Map(records.map((record) => [`${record.region} ${record.leadId}`, record]));
    for (const before of this.#before)
      this.#recordRelease(before, now.get(`${before.region} ${before.leadId}`));
    for (const record of records) this.#checkHold(record);
    this.#before = records;
  }

  /** Deletes what a region's exchange lost with its storage. */
  clearRegion(region: string): void {
    this.#before = this.#before.filter((record) => record.region !== region);
    for (const place of this.#releasedAt.keys())
      if (place.startsWith(`${region} `)) this.#releasedAt.delete(place);
  }

  #recordRelease({ region, leadId, hold }: Record, now: Record | undefined): void {
    if (!hold || now?.hold?.holdId === hold.holdId || now?.sale?.businessId === hold.businessId) return;
    const at = this.#world.scheduler.now + this.#world.exchanges.host(region).clockSkewMs;
    const hasLapsed = hold.paymentIntentId === null && !hold.release && hold.endsAt <= at;
    const { stripe } = this.#world;
    // We refund a payment of a wrong amount. That is not the buyer's release.
    const isPaid = Boolean(stripe.book.intents.get(hold.paymentIntentId ?? "")?.latest_charge);
    const cause = isPaid ? "failed" : (hold.release?.cause ?? (hasLapsed ? "lapsed" : "failed"));
    if (cause !== "failed") this.#releasedAt.set(`${region} ${leadId} ${hold.businessId}`, at);
  }

  #checkHold({ region, leadId, hold }: Record): void {
    const at = hold && this.#releasedAt.get(`${region} ${leadId} ${hold.businessId}`);
    if (hold && at && hold.heldAt >= at && hold.heldAt < at + WAIT_MS)
      throw new Violation(
        `26: ${hold.businessId} holds ${leadId} again ${hold.heldAt - at} ms after releasing it`,
      );
  }
}
