/** Invariants that hold when all operations have finished. */
import { LEAD_PRICE_CENTS, RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { ANNOUNCE_AFTER_MS, HOLD_MS } from "../../worker/exchange/hold-rules.ts";
import type { BrowserWindow } from "./browsers.ts";
import type { Actors } from "./actors.ts";
import {
  announcementTimes,
  isPublic,
  isPaused,
  usedKeys,
  ledgerOf,
  type LedgerFacts,
  leadsOf,
  liveSessions,
  purchasesOf,
  type Record,
  closedRecords,
  recordsOf,
  countSalesInLog,
} from "./facts.ts";
import { checkBooks } from "./invariants-of-books.ts";
import { checkGuarantee } from "./invariants-of-guarantee.ts";
import { checkMessages } from "./invariants-of-messages.ts";
import { checkRescues } from "./invariants-of-rescues.ts";
import { REGIONS } from "./population.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

const AT_REST = new Set(["available", "sold", "withdrawn", "expired"]);

export function checkAtRest(cast: Actors, windows: BrowserWindow[]): void {
  const records = closedRecords(cast.world);
  checkLeads(cast, records);
  checkPurchases(cast, records);
  checkMoney(cast, records);
  checkLedger(cast);
  checkDisclosures(cast, records);
  checkWindows(cast, windows);
  checkSockets(cast);
  checkErased(cast, records);
  checkKeys(cast);
  checkThirdHolds(cast);
  checkRescues(cast, records);
  checkBooks(cast);
  checkGuarantee(cast);
  checkMessages(cast);
  for (const region of REGIONS)
    if (isPaused(cast.world, region)) throw new Violation(`Pauses: ${region} is paused after its resume`);
}

/** Returns whether the admins were asked to look at the payment for a lead that its exchange has lost. */
function needsLookAtPayment(world: World, leadId: string): boolean {
  const query = "SELECT 1 FROM attention WHERE kind = 'offer_differs' AND subject_id = ?";
  return world.d1.statements.rows(query, [leadId]).length > 0;
}

/** I3, I4: every lead is in the right place, and D1 agrees. */
function checkLeads({ world }: Actors, records: Record[]): void {
  for (const lead of leadsOf(world)) {
    if (lead.listingState === "pending")
      throw new Violation(`I3: ${lead.id} was never listed in ${lead.region}`);
    const here = records.find(({ leadId, region }) => leadId === lead.id && region === lead.region);
    if (lead.listingState === "quarantined") {
      if (here) throw new Violation(`I3: ${lead.id} is quarantined but was listed`);
      continue;
    }
    // The exchange lost the hold. A disputed payment cannot be refunded, so an admin decides.
    if (!here && lead.listingState === "closed" && needsLookAtPayment(world, lead.id)) continue;
    if (!here)
      throw new Violation(`I4: D1 says ${lead.id} is in ${lead.region}, whose exchange does not know it`);
    if (!AT_REST.has(here.state)) throw new Violation(`I3: ${lead.id} is stuck as ${here.state}`);
    if (here.state === "available" && here.expiresAt <= world.scheduler.now)
      throw new Violation(`I3: ${lead.id} is for sale but expired at ${here.expiresAt}`);
    if (lead.erasedAt !== null && here.state !== "available") continue;
    if (lead.status !== here.state || lead.generation !== here.generation)
      throw new Violation(`I4: D1 says ${lead.id} is ${lead.status}, the exchange ${here.state}`);
    const listing = here.state === "available" ? "listed" : "closed";
    if (lead.listingState !== listing)
      throw new Violation(`I4: D1 has ${lead.id} as ${lead.listingState}, the exchange as ${here.state}`);
    const elsewhere = records.find(
      ({ leadId, region, state }) => leadId === lead.id && region !== lead.region && state !== "withdrawn",
    );
    if (elsewhere)
      throw new Violation(
        `I4: ${lead.id} is ${elsewhere.state} in ${elsewhere.region}, D1 says ${lead.region}`,
      );
  }
}

/** I1, I4: every sale has a purchase by its buyer, and no other business has a purchase of the lead. */
function checkPurchases({ world, confirmedSales }: Actors, records: Record[]): void {
  const purchases = purchasesOf(world);
  const sales = new Map(records.flatMap(({ leadId, sale }) => (sale ? [[leadId, sale] as const] : [])));
  for (const [leadId, sale] of sales) {
    const found = purchases.filter((one) => one.leadId === leadId);
    const [purchase] = found;
    if (found.length !== 1 || purchase!.id !== sale.purchaseId || purchase!.buyerId !== sale.businessId)
      throw new Violation(
        `I4: ${leadId} was sold to ${sale.businessId}, D1 has ${found.length} purchases: ${found.map(({ buyerId }) => buyerId).join(", ")}`,
      );
    if (purchase!.amountCents !== sale.amountCents || purchase!.mode !== sale.mode)
      throw new Violation(
        `I4: ${leadId} was sold as ${sale.mode} for ${sale.amountCents}, D1 says ${purchase!.mode} for ${purchase!.amountCents}`,
      );
    if (countSalesInLog(world, leadId) !== 1)
      throw new Violation(`I4: the log records ${countSalesInLog(world, leadId)} sales of ${leadId}`);
  }
  for (const { leadId, buyerId } of purchases)
    if (!sales.has(leadId))
      throw new Violation(`I4: D1 has a purchase of ${leadId} for ${buyerId}, without a sale`);
  for (const { leadId, businessId } of confirmedSales)
    if (sales.get(leadId)?.businessId !== businessId)
      throw new Violation(
        `I1: ${businessId} was shown ${leadId} as bought, which is ${sales.get(leadId)?.businessId ?? "no one"}'s`,
      );
}

/** I2: a buyer who was charged has the lead or a refund. */
function checkMoney({ world }: Actors, records: Record[]): void {
  const { book } = world.stripe;
  const rescued = new Set(leadsOf(world).flatMap(({ id, rescuedFromId }) => (rescuedFromId ? [id] : [])));
  for (const intent of book.intents.values()) {
    if (world.stripe.isDeleted(intent.id)) continue;
    const { lead } = intent.metadata;
    const sale = records.find(({ leadId, sale }) => leadId === lead && sale)?.sale;
    const charge = intent.latest_charge;
    if (sale?.paymentIntentId === intent.id) {
      const price = rescued.has(lead!) ? RESCUE_PRICE_CENTS : LEAD_PRICE_CENTS;
      if (charge?.amount !== price || sale.amountCents !== price)
        throw new Violation(`I2: ${lead} was sold for a charge of ${charge?.amount ?? 0} cents`);
      continue;
    }
    // A lost dispute has also returned the money.
    if (charge && !charge.refunded && !book.hasOpenDispute(intent))
      throw new Violation(
        `I2: ${intent.id} was charged ${charge.amount}, got no lead and has ${charge.amount_refunded} back`,
      );
    if (!charge && intent.status !== "canceled")
      throw new Violation(`I3: ${intent.id} is left as ${intent.status}`);
  }
  for (const { leadId, sale } of records)
    if (sale?.mode === "stripe" && !book.intents.get(sale.paymentIntentId!)?.latest_charge)
      throw new Violation(`I2: ${leadId} was sold for a payment that was never charged`);
}

/** Returns Stripe's state of a payment, in the ledger's terms. */
function stripeState(cast: Actors, row: LedgerFacts): string {
  const { book } = cast.world.stripe;
  const intent = row.intentId ? book.intents.get(row.intentId) : undefined;
  if (!intent || intent.status === "canceled") return "cancelled";
  const { latest_charge: charge } = intent;
  if (!charge) return intent.status;
  if (charge.refunded) return "refunded";
  return book.hasOpenDispute(intent) ? "disputed" : "succeeded";
}

/** I4: ledger, purchase and Stripe agree, and every slot is free. */
function checkLedger(cast: Actors): void {
  const { world } = cast;
  const rows = ledgerOf(world);
  for (const row of rows) {
    if (row.slot !== null)
      throw new Violation(`I3: ${row.holdId} still takes slot ${row.slot} of ${row.buyerId}`);
    if (row.intentId && world.stripe.isDeleted(row.intentId)) continue;
    const expected = stripeState(cast, row);
    if (row.state !== expected)
      throw new Violation(
        `I4: the ledger has ${row.intentId ?? row.holdId} as ${row.state}, Stripe as ${expected}`,
      );
  }
  checkCents(cast, rows);
  const known = new Set(rows.map(({ intentId }) => intentId));
  for (const { id, latest_charge: charge } of world.stripe.book.intents.values())
    if (charge && !known.has(id))
      throw new Violation(`I4: the ledger does not have ${id}, which was charged`);
  checkFlags(cast, rows);
}

/** I4: ledger and Stripe agree to the cent on payments and refunds. */
function checkCents({ world }: Actors, rows: LedgerFacts[]): void {
  for (const { intentId, amountCents, refundedCents } of rows) {
    const charge = intentId ? world.stripe.book.intents.get(intentId)?.latest_charge : null;
    if (!charge || world.stripe.isDeleted(intentId!)) continue;
    if (!world.features.has("wrong_amounts") && amountCents !== charge.amount)
      throw new Violation(`I4: the ledger has ${amountCents} cents for ${intentId}, Stripe ${charge.amount}`);
    if (charge.amount_refunded !== refundedCents && amountCents === charge.amount)
      throw new Violation(
        `I4: the ledger says ${refundedCents} cents of ${intentId} went back, Stripe ${charge.amount_refunded}`,
      );
  }
}

/** I4: a purchase shows the state of its own payment. */
function checkFlags({ world }: Actors, rows: LedgerFacts[]): void {
  const paidWith = new Map(
    closedRecords(world).flatMap(({ leadId, sale }) =>
      sale?.paymentIntentId ? [[leadId, sale.paymentIntentId] as const] : [],
    ),
  );
  for (const purchase of purchasesOf(world)) {
    const intentId = paidWith.get(purchase.leadId);
    const row = rows.find((one) => one.intentId !== null && one.intentId === intentId);
    const isFlagged = row?.state === "refunded" || row?.state === "disputed";
    const expected = isFlagged ? row.state : "completed";
    // No business can see a removed purchase.
    if (purchase.removedAt === null && purchase.paymentStatus !== expected)
      throw new Violation(
        `I4: the purchase of ${purchase.leadId} is ${purchase.paymentStatus}, its payment ${row?.state ?? "none"}`,
      );
  }
}

/**
 * I5: only the buyer, their team and admins received a customer's details, and no one after the purchase's
 * removal.
 */
function checkDisclosures({ world, disclosures, removed, admin }: Actors, records: Record[]): void {
  const rescues = new Map(leadsOf(world).map(({ id, rescuedFromId }) => [rescuedFromId, id]));
  for (const { leadId, person, askedAt, call } of disclosures) {
    if (person === admin) continue;
    // A request has a second buyer after its rescue.
    const ids = new Set([leadId, rescues.get(leadId)]);
    const bought = records.find((one) => ids.has(one.leadId) && one.sale?.businessId === person.businessId);
    if (!bought) throw new Violation(`I5: ${person.name} saw in ${call} who is behind ${leadId}`);
    if (removed.some((removal) => removal.leadId === bought.leadId && removal.at < askedAt))
      throw new Violation(
        `I5: ${person.name} saw in ${call} who is behind ${leadId}, which was taken away before`,
      );
  }
}

/** After catching up, every browser shows the exchange's list. */
function checkWindows({ world }: Actors, windows: BrowserWindow[]): void {
  for (const window of windows) {
    if (window.isClosed) continue;
    if (!window.isLive) throw new Violation(`Windows: ${window.name} never got through again`);
    const open = recordsOf(world, window.region)
      .filter(isPublic)
      .map(({ leadId, hold }) => `${leadId} ${hold?.endsAt ?? null}`)
      .toSorted();
    const shown = window
      .shown()
      .map(({ id, heldUntil }) => `${id} ${heldUntil}`)
      .toSorted();
    if (open.join() !== shown.join())
      throw new Violation(
        `Windows: ${window.name} shows [${shown.join(", ")}], the exchange has [${open.join(", ")}]`,
      );
    if (window.total !== open.length)
      throw new Violation(
        `Windows: ${window.name} counts ${window.total} leads, the exchange ${open.length}`,
      );
  }
}

/** Checks that every open socket belongs to a valid session. */
function checkSockets({ world }: Actors): void {
  const live = liveSessions(world);
  for (const host of [...world.exchanges.hosts.values(), ...world.rooms.hosts.values()])
    for (const socket of host.sockets) {
      const { sessionId } = socket.deserializeAttachment() as { sessionId: string };
      if (socket.isOpen && !live.has(sessionId))
        throw new Violation(`Sockets: ${sessionId} has ended and still hears ${host.name}`);
    }
}

/** Checks that no trace of an erased customer is left. */
function checkErased({ world }: Actors, records: Record[]): void {
  const erased = new Set(
    leadsOf(world)
      .filter(({ erasedAt }) => erasedAt !== null)
      .map(({ id }) => id),
  );
  for (const { leadId, region, state, summary } of records)
    if (erased.has(leadId) && (summary !== null || state === "available"))
      throw new Violation(
        `Erasure: ${leadId} was erased and is ${state} in ${region}${summary ? ", with what was said of it" : ""}`,
      );
}

/** A claim key that has created a hold stays bound to its lead, in all regions. */
function checkKeys({ world, openedHolds }: Actors): void {
  for (const made of usedKeys(world)) {
    const other = openedHolds.find(
      ({ businessId, key, leadId, from }) =>
        businessId === made.buyerId && key === made.key && leadId !== made.leadId && from > made.at,
    );
    if (other)
      throw new Violation(
        `Keys: ${made.buyerId} got ${other.leadId} with ${made.key}, which is ${made.leadId}'s`,
      );
  }
}

/** Row 26: a hold that the exchange refuses is never announced. */
function checkThirdHolds({ world, refusedThirdHolds, openedHolds, holdAttempts }: Actors): void {
  for (const { leadId, from, to } of refusedThirdHolds)
    for (const at of announcementTimes(world, leadId)) {
      const isOwnedHold = openedHolds.some((one) => one.leadId === leadId && one.from <= at && at <= one.to);
      // After this time an undecided hold is announced, even if another attempt got the hold.
      const isLate = (since: number) => at >= since + ANNOUNCE_AFTER_MS;
      const isUndecided =
        isLate(from) || holdAttempts.some((one) => one.leadId === leadId && isLate(one.from) && at <= one.to);
      const isReleasePending = world.unreleasedHolds.some(
        (one) => one.leadId === leadId && one.at <= at && at <= one.at + HOLD_MS,
      );
      if (at >= from && at <= to && !isOwnedHold && !isUndecided && !isReleasePending)
        throw new Violation(
          `26: ${leadId} was announced as being bought, which was then refused as a third hold`,
        );
    }
}
