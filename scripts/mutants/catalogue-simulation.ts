/** Mutants that test one invariant or fault of the simulation. Each is one small change to the real source. */
import type { Mutant } from "./mutant.ts";

const ASKING = "worker/exchange/exchange-calls.ts";
const HOLD_RULES = "worker/exchange/hold-rules.ts";
const STORED = "worker/exchange/stored-records.ts";
const LIVE = "worker/exchange/live-list.ts";
const DELIVER = "worker/messages/deliver-commands.ts";
const RATE_LIMIT = "worker/platform/http/rate-limit.ts";
const OFFERS = "worker/exchange/offer-rules.ts";
const LISTING = "worker/exchange/listing.ts";
const RESCUE = "worker/pipeline/rescue/commands.ts";

export const SIMULATION_MUTANTS: readonly Mutant[] = [
  {
    name: "a call to an overloaded object is retried",
    file: ASKING,
    find: `"overloaded" in error && error.overloaded === true`,
    put: `"overloaded" in error && error.overloaded === false`,
  },
  {
    name: "a later release's fields in a hold are dropped",
    file: STORED,
    find: `({ paymentIntentId: null, release: null, ...stored } as Hold)`,
    put: `({ holdId: stored.holdId, businessId: stored.businessId, userId: stored.userId, amountCents: stored.amountCents, heldAt: stored.heldAt, endsAt: stored.endsAt, announceAt: stored.announceAt ?? null, paymentIntentId: stored.paymentIntentId ?? null, release: stored.release ?? null } as Hold)`,
  },
  {
    name: "a hold's alarm fires 15 minutes late",
    file: HOLD_RULES,
    find: `    { type: "hold_ends_at", at: endsAt },
    ...(claimKey`,
    put: `    { type: "hold_ends_at", at: endsAt + 900_000 },
    ...(claimKey`,
  },
  {
    name: "changes are broadcast only with the next ones",
    file: LIVE,
    find: `if (this.#unsent.length > 0) setTimeout`,
    put: `if (this.#unsent.length > 1) setTimeout`,
  },
  {
    name: "a business may immediately hold a lead it released",
    file: HOLD_RULES,
    find: `releasedAt + SAME_LEAD_WAIT_MS`,
    put: `releasedAt`,
  },
  {
    name: "a claim with a free claim returns the free claim",
    file: "worker/selling/purchases/credit-commands.ts",
    find: `    return await giveLead(context, leadId, { ...who, mode: "claimed" }, ctx);`,
    put: `    const given = await giveLead(context, leadId, { ...who, mode: "claimed" }, ctx);
    await returnFreeClaim(context.db, freeClaim.id, freeClaim.reservedAt);
    return given;`,
  },
  {
    name: "a receipt shows the amount left after a refund",
    file: "worker/selling/payments/receipts.ts",
    find: `    amount: centsToText(amountCents),
    card: cardBrand`,
    put: `    amount: centsToText(amountCents - payment.refundedCents),
    card: cardBrand`,
  },
  {
    name: "the figures count given leads as sold",
    file: "worker/operations/market-figures/commands.ts",
    find: `mode IN ('stripe', 'direct'), mode IN`,
    put: `mode IN ('stripe', 'direct', 'assigned'), mode IN`,
  },
  {
    name: "admins are not alerted to a payment that Stripe does not know",
    file: "worker/selling/payments/commands.ts",
    find: `  if (payment.isMissing) await reportMissing(db, payment, now);
`,
    put: "",
  },
  {
    name: "a rewound exchange refunds an old hold that has bought its lead since",
    file: "worker/selling/payments/port.ts",
    find: `await preferSaleInD1(context, payment, answer)`,
    put: `answer`,
  },
  {
    name: "a worker leases a message for five seconds",
    file: DELIVER,
    find: `due: now + LEASE_MS, triedAt`,
    put: `due: now + 5_000, triedAt`,
  },
  {
    name: "a leased message is due at once",
    file: DELIVER,
    find: `due: now + LEASE_MS, triedAt`,
    put: `due: now, triedAt`,
  },
  {
    name: "a sent message is sent again",
    file: DELIVER,
    find: `if (outcome.kind === "sent") return { id, due, state: "sent" };`,
    put: `if (outcome.kind === "sent") return { id, due: now, state: "waiting" };`,
  },
  {
    name: "a notification counts as sent without an answer",
    file: "worker/messages/push.ts",
    find: `return { kind: "later", afterMs: null, detail: { status: 0 } };`,
    put: `return { kind: "sent" };`,
  },
  {
    name: "a busy service fails the message",
    file: DELIVER,
    find: `if (outcome.kind === "refused") return`,
    put: `if (outcome.kind !== "later") return`,
  },
  {
    name: "a delivery report before the gateway's answer is dropped",
    file: "worker/messages/stop-commands.ts",
    find: `["waiting", "sent", "failed"]`,
    put: `["sent", "failed"]`,
  },
  {
    name: "a customer who opted out still gets emails",
    file: "worker/messages/senders.ts",
    find: `if (!to || (await isStopped(db, message))) return UNWANTED;`,
    put: `if (!to) return UNWANTED;`,
  },
  {
    name: "customers without an email address get no text",
    file: "worker/exchange/projection-commands.ts",
    find: `    enqueueForVisitor(db, "request_taken", { ...taken, channel: "sms" }, Date.now()),
`,
    put: "",
  },
  {
    name: "a lease begins when the queue got the message",
    file: "worker/messages/dispatch-commands.ts",
    find: `deliver(context, data.ids, Date.now())`,
    put: `deliver(context, data.ids, queued.timestamp.getTime())`,
  },
  {
    name: "the sweep leaves every message to the queue",
    file: DELIVER,
    find: `isEnqueued ? now - QUEUE_TIMEOUT_MS : at`,
    put: `isEnqueued ? 0 : at`,
  },
  {
    name: "a full queue stops the sweep",
    file: "worker/messages/queue-commands.ts",
    find: `    log("warn", "queue_refused", { messages: ids.length, error });
    return false;`,
    put: `    throw error;`,
  },
  {
    name: "a call goes ahead although a rate limit refused it",
    file: RATE_LIMIT,
    find: `  if (success) return;
`,
    put: `  if (success || key) return;
`,
  },
  {
    name: "the platform's rate limit is not checked",
    file: RATE_LIMIT,
    find: `const LOCAL_ATTEMPTS = 10;`,
    put: `const LOCAL_ATTEMPTS = 1_000;`,
  },
  {
    name: "the first buyer may buy a rescued lead",
    file: OFFERS,
    find: `  if (listing.rescue?.excludedBusinessId === businessId) return "excluded";
`,
    put: "",
  },
  {
    name: "any business may buy a lead that is offered to another",
    file: OFFERS,
    find: `return offer && offer.businessId !== businessId ? "closed" : null;`,
    put: `return offer && offer.businessId === "" ? "closed" : null;`,
  },
  {
    name: "an offer never ends",
    file: OFFERS,
    find: `if (!offer || offer.endsAt > now || listing.state !== "available") return unchanged(listing);`,
    put: `if (!offer || offer.endsAt > 0 || listing.state !== "available") return unchanged(listing);`,
  },
  {
    name: "an offer that ends during a hold passes the lead on",
    file: OFFERS,
    find: `if (!offer || offer.endsAt > now || listing.state !== "available") return unchanged(listing);`,
    put: `if (!offer || offer.endsAt > now) return unchanged(listing);`,
  },
  {
    name: "an offer lasts a hundred minutes",
    file: OFFERS,
    find: `export const OFFER_MS = 10 * MINUTE_MS;`,
    put: `export const OFFER_MS = 100 * MINUTE_MS;`,
  },
  {
    name: "windows show a lead that is offered to one business",
    file: "worker/exchange/rules.ts",
    find: `return { ...offered, effects: [wake, ...offered.effects] };`,
    put: `return { ...offered, effects: [wake, ...offered.effects, { type: "announce_listed" }] };`,
  },
  {
    name: "windows do not show a lead after its last offer",
    file: OFFERS,
    find: `[{ type: "announce_listed" }, { type: "project" }]`,
    put: `[{ type: "project" }]`,
  },
  {
    name: "a sale leaves its offer open",
    file: LISTING,
    find: `const rescue = listing.rescue && endOpenOffer(listing.rescue, isBought ? "bought" : "ended");`,
    put: `const { rescue } = listing;`,
  },
  {
    name: "D1 does not get what became of an offer",
    file: "worker/exchange/projection-commands.ts",
    find: `  if (projection.rescue) await writeOffers(db, projection);
`,
    put: "",
  },
  {
    name: "a rescued lead costs as much as any other",
    file: RESCUE,
    find: "priceCents: sql`${RESCUE_PRICE_CENTS}`",
    put: "priceCents: sql`5000`",
  },
  {
    name: "a rescue does not end its call clock",
    file: RESCUE,
    find: `    enqueueRescued(db, { purchase, rescueLeadId: id }, now),
    endClock(db, rescue),
`,
    put: `    enqueueRescued(db, { purchase, rescueLeadId: id }, now),
`,
  },
  {
    name: "a customer can take back a call that both sides confirm",
    file: "contract/call-clock.ts",
    find: `  if (purchase.callClock?.answer === "called" && isTried(purchase)) return false;
`,
    put: "",
  },
];
