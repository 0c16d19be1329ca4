/**
 * The users and leads of a world, with a record of the responses that the users received. Invariants check
 * that record.
 */
import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { type Feature, ERROR_FAULTS } from "./features.ts";
import {
  addFreeClaim,
  addDevice,
  addLead,
  addPerson,
  customerOf,
  type Person,
  REGIONS,
  switchTextsOn,
} from "./population.ts";
import { BROWSERS } from "./senders.ts";
import type { Random } from "./random.ts";
import { Violation } from "./violation.ts";
import type { Call, Reply, World } from "./world.ts";

/** `priceCents`: if it is not the price of an ordinary lead. */
export type SimulatedLead = { id: string; n: number; priceCents?: number };

/** A customer's details that a user received, in response to a request sent at `askedAt`. */
type Disclosure = { leadId: string; person: Person; askedAt: number; call: string };

export class Actors {
  readonly world: World;
  readonly businesses: Person[];
  readonly teamMember: Person;
  readonly admin: Person;
  readonly leads: SimulatedLead[] = [];
  readonly disclosures: Disclosure[] = [];
  /** The buyers of leads, according to responses. */
  readonly confirmedSales: { leadId: string; businessId: string }[] = [];
  /** Leads whose customer withdrew the request by its link: it is off the market, or its buyer knows. */
  readonly withdrawnByCustomer = new Set<string>();
  /** Leads whose customer changed the job by the link, according to responses. */
  readonly changedByCustomer = new Set<string>();
  /** Purchases with a logged call that the customer confirmed at some time. */
  readonly confirmedCalls = new Set<string>();
  /** Purchases that an admin removed, with the time of the response. */
  readonly removed: { leadId: string; at: number }[] = [];
  /** Opened holds, with their claim key and the interval in which the exchange decided. */
  readonly openedHolds: {
    businessId: string;
    key: string | null;
    leadId: string;
    from: number;
    to: number;
  }[] = [];
  /**
   * Every attempt to open a hold, with its possible duration. The exchange announces a long hold before it
   * ends.
   */
  readonly holdAttempts: { leadId: string; from: number; to: number }[] = [];
  /** Refused third holds, with the interval in which the exchange decided. */
  readonly refusedThirdHolds: { leadId: string; from: number; to: number }[] = [];
  /** The receipts that each business sees at the end. */
  readonly receipts = new Map<string, { amount: string; refunded: string | null }[]>();
  /** When the customers who had not been asked for a review were due at the latest. */
  reviewsAskedAt = Infinity;
  /** Whether the market's figures were recounted at the end. */
  areFiguresRecounted = false;
  /** Businesses that are deactivated and not reactivated, with the time of the response. */
  readonly inactive = new Map<string, number>();

  constructor(world: World, random: Random) {
    this.world = world;
    const { mark, number, scheduler } = world;
    const d1 = world.d1.statements;
    const now = scheduler.now;
    const person = (name: string, of?: Person, isAdmin = false) => {
      const hasPaid = this.has("rescues");
      const one = addPerson(d1, now, { name, mark, number, isAdmin, hasPaid, ...(of && { of }) });
      world.story.name(one.userId, name);
      return one;
    };
    const count = random.int(this.has("rescues") ? 3 : 2, 3);
    this.businesses = ["anna", "bert", "cleo"].slice(0, count).map((name) => person(name));
    this.teamMember = person("tess", this.businesses[0]);
    this.admin = person("rosa", undefined, true);
    const fewest = this.has("many_holds") ? 3 : this.has("kept_cards") ? 2 : 1;
    const leads = random.int(fewest, Math.max(fewest + 1, 2));
    for (let n = 0; n < leads; n++) this.#addLead(n, random);
    if (this.has("messages")) {
      switchTextsOn(d1);
      for (const [i, one] of this.businesses.entries()) addDevice(d1, now, one, BROWSERS[i]!);
    }
    if (world.features.has("free_claims"))
      addFreeClaim(d1, now, this.businesses[0]!.businessId, "clm_00000000");
  }

  has(feature: Feature): boolean {
    return this.world.features.has(feature);
  }

  /** Returns whether the nth lead's customer gave an email address. Others get texts. */
  hasEmail(n: number): boolean {
    return !this.has("messages") || n % 2 === 0;
  }

  /** Records a feature if it has occurred. */
  recordFeature(feature: Feature, isInjected: boolean): void {
    if (isInjected) this.world.faults.recordFault(feature);
  }

  #addLead(n: number, random: Random): void {
    const { world } = this;
    const isOtherRegion = random.chance(0.25) || (n === 1 && this.has("many_holds"));
    const region = isOtherRegion ? REGIONS[1] : REGIONS[0];
    const id = `lead_${region}_${String(n).padStart(4, "0")}0000${world.mark}`;
    const isShortLived = this.has("short_lives") && random.chance(0.6);
    const lifetimeMs = isShortLived ? random.int(2, 25) * MINUTE_MS : 14 * DAY_MS;
    addLead(world.d1.statements, {
      id,
      n,
      region,
      now: world.scheduler.now,
      lifetimeMs,
      hasEmail: this.hasEmail(n),
    });
    world.story.name(id, `lead ${"ABCDEF"[n]!}`);
    this.leads.push({ id, n });
  }

  /** Makes a call as a signed-in user. Records the customers' details in the response. */
  async call(
    person: Person,
    method: string,
    path: string,
    options: Omit<Call, "cookie"> = {},
  ): Promise<Reply> {
    const askedAt = this.world.scheduler.now;
    const reply = await this.world.call(person.name, method, path, { ...options, cookie: person.cookie });
    this.#checkSmooth(person, `${method} ${path}`, reply);
    if (reply) this.recordDisclosures(person, reply.body, askedAt, `${method} ${path}`);
    return reply;
  }

  /** Checks that no user receives an error in a world without network or platform faults. */
  #checkSmooth(person: Person, call: string, reply: Reply): void {
    if (ERROR_FAULTS.some((name) => this.has(name))) return;
    if (!reply || (reply.status >= 500 && !reply.body.includes('"region_paused"')))
      this.world.fail(new Violation(`Smooth: ${person.name} got ${reply?.status ?? "no answer"} to ${call}`));
  }

  /** Records the customers' details that a text contains. */
  recordDisclosures(person: Person, text: string, askedAt: number, call: string): void {
    for (const { id: leadId, n } of this.leads) {
      const { phone, email, surname, street } = customerOf(n);
      if ([phone, email, surname, street].some((word) => text.includes(word)))
        this.disclosures.push({ leadId, person, askedAt, call });
    }
  }
}
