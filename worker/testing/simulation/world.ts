/**
 * The world of a simulated schedule: two exchanges around the real state machine, a Stripe, a D1 and a
 * clock, all in memory. What the Durable Object and the SQL do is modelled; what decides is not.
 */
import { close, type Answer, type Command, type Decision, type Listing } from "../../exchange/listing.ts";
import type { Payment } from "../../exchange/payment.ts";
import { decide, decideWhilePaused } from "../../exchange/rules.ts";

/** Mistakes made on purpose, to see that the invariants catch them. */
export const BREAKS = [
  "release_before_cancel",
  "forget_idempotency",
  "trust_the_browser",
  "drop_outbox_on_error",
  "sell_twice_on_duplicate_webhook",
  "accept_wrong_amount",
  "ignore_generation",
  "serve_the_deactivated",
] as const;
export type Break = (typeof BREAKS)[number];

export type Intent = {
  id: string;
  status: Payment["status"];
  amountCents: number;
  leadId: string;
  holdId: string;
  businessId: string;
  /** Whether its secret has left the server: only then can it be paid. */
  isOut: boolean;
  chargedCents: number;
  refunds: number;
};

export type LedgerRow = {
  holdId: string;
  leadId: string;
  businessId: string;
  intentId: string | null;
  slot: 1 | 2 | null;
  state: "pending" | "processing" | "succeeded" | "cancelled" | "refund_pending" | "refunded";
  amountCents: number;
  at: number;
};

export const PRICE_CENTS = 5000;
export const BUSINESSES = ["anna", "bert", "cleo"] as const;

/** Small and seedable (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export class Violation extends Error {}

/** The two markets. A lead starts in one of them; its record in the other has a name of its own here. */
export const REGIONS = ["parramatta", "blacktown"] as const;
type Market = (typeof REGIONS)[number];

/** A lead's record in a market: what the exchanges, the ledger and Stripe call the lead in a schedule. */
export const placeOf = (leadId: string, region: Market) => `${leadId}@${region}`;
export const leadOf = (place: string) => place.split("@")[0]!;
export const regionOf = (place: string) => place.split("@")[1] as Market;
export const otherRegion = (region: Market): Market => (region === "parramatta" ? "blacktown" : "parramatta");

/** D1's row of a lead. */
export type LeadRow = {
  region: Market;
  generation: number;
  version: number;
  state: string;
  isPending: boolean;
  expiresAt: number;
};

type Due = { kind: "expire" | "hold" | "release" | "project"; leadId: string; at: number };

export class World {
  now = 1_000_000;
  /** Whether things may go wrong; not while the world comes to rest. */
  hasFaults = true;
  readonly listings = new Map<string, Listing>();
  readonly due = new Map<string, Due>();
  readonly outbox = new Map<string, Listing>();
  readonly releases: { businessId: string; leadId: string; at: number; lapsed: boolean }[] = [];
  readonly claims = new Map<string, string>();
  readonly intents = new Map<string, Intent>();
  readonly intentKeys = new Map<string, string>();
  readonly ledger = new Map<string, LedgerRow>();
  readonly rows = new Map<string, LeadRow>();
  readonly paused = new Set<Market>();
  /** Deactivated businesses, and the time they were deactivated for: they may have worked again in between. */
  readonly inactive = new Map<string, string>();
  /** Deactivated, and every exchange has let go of what they held. */
  readonly letGo = new Set<string>();
  readonly purchases = new Map<string, { purchaseId: string; businessId: string }>();
  readonly webhooks: string[] = [];
  /** Who was ever given a lead's contact details. */
  readonly told: { leadId: string; businessId: string }[] = [];
  readonly random: () => number;
  readonly broken: Break | null;
  #ids = 0;

  constructor(seed: number, broken: Break | null) {
    this.random = randomFrom(seed);
    this.broken = broken;
  }

  id(prefix: string): string {
    return `${prefix}_${++this.#ids}`;
  }

  chance(likelihood: number): boolean {
    return this.random() < likelihood;
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)];
  }

  /** One command to the exchange, as the object carries it out: all of it or nothing. */
  apply(leadId: string, command: Command): Answer {
    const before = this.listings.get(leadId) ?? null;
    const decision = this.paused.has(regionOf(leadId))
      ? decideWhilePaused(before, command, this.now)
      : this.#decide(before, command);
    const after = decision.listing;
    if (before?.sale && JSON.stringify(after?.sale) !== JSON.stringify(before.sale))
      throw new Violation(`I1: the sale of ${leadId} changed`);
    if (after) this.listings.set(leadId, after);
    if (before?.hold && !after?.hold) {
      this.due.delete(`hold ${leadId}`);
      this.due.delete(`release ${leadId}`);
    }
    for (const effect of decision.effects) {
      if (effect.type === "project") {
        this.outbox.set(leadId, after!);
        this.wake("project", leadId, this.now + 5_000);
      } else if (effect.type === "wake_at") this.wake("expire", leadId, effect.at);
      else if (effect.type === "hold_ends_at") this.wake("hold", leadId, effect.at);
      else if (effect.type === "cancel_payment_at") this.wake("release", leadId, effect.at);
      else if (effect.type === "remember_release") {
        const { businessId, lapsed } = effect;
        this.releases.push({ businessId, leadId, at: this.now, lapsed });
      } else if (effect.type === "remember_claim")
        this.claims.set(`${effect.businessId} ${effect.claimKey}`, leadId);
    }
    return decision.answer;
  }

  #decide(before: Listing | null, command: Command): Decision {
    const { broken, now } = this;
    const hold = before?.hold;
    if (before && hold) {
      if (
        broken === "release_before_cancel" &&
        command.type === "lapse" &&
        before.state === "held" &&
        hold.endsAt <= now
      )
        return decide({ ...before, hold: { ...hold, paymentIntentId: null } }, command, now);
      if (broken === "forget_idempotency" && command.type === "hold" && before.state === "held")
        if (hold.businessId === command.businessId)
          return decide({ ...before, state: "available", hold: null }, command, now);
      if (broken === "accept_wrong_amount" && command.type === "settle")
        return decide(
          before,
          { ...command, payment: { ...command.payment, amountCents: hold.amountCents } },
          now,
        );
    }
    if (broken === "sell_twice_on_duplicate_webhook" && command.type === "settle" && before?.sale)
      if (before.sale.holdId === command.payment.holdId)
        return close(before, "sold", {
          sale: { ...before.sale, purchaseId: command.purchaseId, soldAt: now },
        });
    if (broken === "ignore_generation" && command.type === "list" && before?.state === "withdrawn")
      return decide(before, { ...command, generation: before.generation + 1 }, now);
    return decide(before, command, now);
  }

  wake(kind: Due["kind"], leadId: string, at: number): void {
    this.due.set(`${kind} ${leadId}`, { kind, leadId, at });
  }

  /** What Stripe says of a payment just now. */
  payment(intent: Intent): Payment {
    const { id, status, amountCents, leadId, holdId, businessId } = intent;
    return { paymentIntentId: id, status, amountCents, currency: "aud", leadId, holdId, businessId };
  }

  /** Must hold after every single step. */
  checkAlways(): void {
    for (const intent of this.intents.values()) {
      if (intent.refunds > 1) throw new Violation(`I2: ${intent.id} was refunded twice`);
      const canBePaid = intent.isOut && (intent.status === "open" || intent.status === "processing");
      const listing = this.listings.get(intent.leadId);
      if (canBePaid && listing?.hold?.holdId !== intent.holdId)
        throw new Violation(`${intent.leadId} was let go while ${intent.id} could still be paid`);
    }
    for (const leadId of this.rows.keys()) {
      const alive = REGIONS.map((region) => this.listings.get(placeOf(leadId, region))?.state).filter(
        (state) => state === "available" || state === "held" || state === "releasing" || state === "sold",
      );
      if (alive.length > 1) throw new Violation(`I1: ${leadId} is on two markets: ${alive.join(", ")}`);
    }
    const slots = [...this.ledger.values()].filter(({ slot }) => slot !== null);
    if (new Set(slots.map(({ businessId, slot }) => `${businessId} ${slot}`)).size < slots.length)
      throw new Violation("A business holds more than two slots");
  }

  /** Must hold once everything has gone quiet. */
  checkAtRest(): void {
    for (const [leadId, row] of this.rows) {
      if (row.isPending) throw new Violation(`I3: ${leadId} was never listed in ${row.region}`);
      const gone = this.listings.get(placeOf(leadId, otherRegion(row.region)));
      if (gone && gone.departure?.toRegion !== row.region)
        throw new Violation(`I4: D1 says ${leadId} is in ${row.region}, where it never went`);
      const { state, sale, generation } = this.listings.get(placeOf(leadId, row.region))!;
      if (state === "held" || state === "releasing")
        throw new Violation(`I3: ${leadId} is stuck as ${state}`);
      if (row.state !== state || row.generation !== generation)
        throw new Violation(`I4: D1 says ${leadId} is ${row.state}, the exchange ${state}`);
      const purchase = this.purchases.get(leadId);
      if (purchase?.purchaseId !== sale?.purchaseId || purchase?.businessId !== sale?.businessId)
        throw new Violation(`I4: D1's purchase of ${leadId} is not the exchange's sale`);
      if (sale?.mode === "stripe") {
        const paid = this.intents.get(sale.paymentIntentId!);
        if (paid?.chargedCents !== PRICE_CENTS || paid.refunds > 0)
          throw new Violation(`I2: ${leadId} was given for a charge of ${paid?.chargedCents}`);
      }
    }
    for (const intent of this.intents.values()) {
      const { sale } = this.listings.get(intent.leadId)!;
      const hasLead = sale?.paymentIntentId === intent.id;
      if (intent.chargedCents > 0 && !hasLead && intent.refunds !== 1)
        throw new Violation(
          `I2: ${intent.id} was charged, got no lead and was refunded ${intent.refunds} times`,
        );
    }
    for (const row of this.ledger.values()) {
      if (row.slot !== null || row.state === "refund_pending")
        throw new Violation(`I3: the ledger's row of ${row.holdId} is left as ${row.state}`);
      const intent = row.intentId ? this.intents.get(row.intentId) : undefined;
      const told = {
        open: "pending",
        processing: "processing",
        succeeded: "succeeded",
        cancelled: "cancelled",
      };
      const expected = intent ? (intent.refunds > 0 ? "refunded" : told[intent.status]) : "cancelled";
      if (row.state !== expected)
        throw new Violation(`I4: the ledger says ${row.state} of ${row.intentId}, Stripe ${expected}`);
    }
    for (const { leadId, businessId } of this.told) {
      if (this.listings.get(leadId)?.sale?.businessId !== businessId)
        throw new Violation(`I5: ${businessId} was told who is behind ${leadId}`);
    }
  }
}
