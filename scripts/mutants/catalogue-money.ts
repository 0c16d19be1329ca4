/** Mutants of the code for money, purchases and people. Each is one small change to the real source. */
import type { Mutant } from "./mutant.ts";

const PAYMENTS = "worker/selling/payments/commands.ts";
const HOLDS = "worker/selling/payments/hold-commands.ts";
const LEDGER = "worker/selling/payments/ledger-commands.ts";
const REFUNDS = "worker/selling/payments/refund-commands.ts";
const SWEEP = "worker/selling/payments/sweep-commands.ts";
const STRIPE = "worker/selling/payments/stripe.ts";
const INTENTS = "worker/selling/payments/intents.ts";
const PAYMENT_RULES = "worker/selling/payments/rules.ts";
const EXCHANGE_COMMANDS = "worker/exchange/projection-commands.ts";
const LEADS = "worker/leads/commands.ts";
const ADMIN = "worker/operations/leads/admin-commands.ts";
const BUYING = "worker/selling/purchases/buy-commands.ts";
const FREE_CLAIMS = "worker/selling/purchases/credit-commands.ts";
const PROVIDERS = "worker/operations/providers/commands.ts";
const ASKING = "worker/exchange/exchange-calls.ts";
const SOCKETS = "worker/live/sockets.ts";
const WALK = "worker/operations/reconciliation/queries.ts";

export const MONEY_MUTANTS: readonly Mutant[] = [
  {
    name: "a failed call releases a hold that another call made",
    file: HOLDS,
    find: `    if (!held.isCreator) {`,
    put: `    if (false) {`,
  },
  {
    name: "a buyer must wait after releasing a hold whose payment failed",
    file: HOLDS,
    find: `if (why === NOT_CREATED) await recordCreationFailure(db, holdId);`,
    put: ``,
  },
  {
    name: "a hold that ends without a payment keeps its slot",
    file: HOLDS,
    find: `  await closeRow(db, hold.holdId, "pending", row.lastError ?? "lapsed", now);\n`,
    put: ``,
  },
  {
    name: "holds without a payment never count as releases",
    file: HOLDS,
    find: `if (row.lastError !== NOT_CREATED) await markAbandoned(db, { ...hold, hasLapsed: true }, now);`,
    put: ``,
  },
  {
    name: "a buyer gets a payment after their session has ended",
    file: HOLDS,
    find: `(await isHoldCurrent(db, order, buyer, now))`,
    put: `(await findRowOfHold(db, order.holdId)) !== null`,
  },
  {
    name: "a row without a slot counts as entered",
    file: LEDGER,
    find: `WHERE hold_id = \${holdId} AND slot IS NOT NULL`,
    put: `WHERE hold_id = \${holdId}`,
  },
  {
    name: "a new provider may hold several leads",
    file: LEDGER,
    find: `isBelowLimit(perBusiness, sql`,
    put: `isBelowLimit(9 * perBusiness, sql`,
  },
  {
    name: "a payment is attached before its ID is stored",
    file: PAYMENTS,
    find: `    await recordIntent(db, holdId, intent.id);\n    const attachment = { type: "attach", leadId, holdId, paymentIntentId: intent.id } as const;\n    const attached = await sendCommand(context, region, attachment);\n    if (!attached.ok) throw refusalError(attached);\n`,
    put: `    const attachment = { type: "attach", leadId, holdId, paymentIntentId: intent.id } as const;\n    const attached = await sendCommand(context, region, attachment);\n    if (!attached.ok) throw refusalError(attached);\n    await recordIntent(db, holdId, intent.id);\n`,
  },
  {
    name: "a cool-down is counted from the hold's start, across regions",
    file: LEDGER,
    find: `.set({ releasedAt: now })`,
    put: ".set({ releasedAt: sql`${payments.createdAt}` })",
  },
  {
    name: "a hold is not released if its payment cannot be created",
    file: HOLDS,
    find: `    await closeRow(db, holdId, state, why, Date.now());\n  } catch (error) {\n    // The alarm`,
    put: `  } catch (error) {\n    // The alarm`,
  },
  {
    name: "the secret is sent before the payment is attached",
    file: PAYMENTS,
    find: `const attached = await sendCommand(context, region, attachment);\n    if (!attached.ok) throw refusalError(attached);`,
    put: `void sendCommand(context, region, attachment).catch(() => {});`,
  },
  {
    name: "a refused attachment is ignored",
    file: PAYMENTS,
    find: `    if (!attached.ok) throw refusalError(attached);\n`,
    put: ``,
  },
  {
    name: "a payment without a hold is not cancelled",
    file: PAYMENTS,
    find: `    if (isEnded) await cancelQuietly(context, intent.id, order);\n`,
    put: ``,
  },
  {
    name: "a sale stays in the outbox after its write to D1",
    file: BUYING,
    find: `await exchangeOf(context, region)?.acknowledge(listing.leadId, listing.version);`,
    put: `void 0;`,
  },
  {
    name: "a payment that bought nothing is not refunded",
    file: PAYMENTS,
    find: `  await refundOwed(context, paymentIntentId, now);\n  return true;`,
    put: `  return true;`,
  },
  {
    name: "the ledger is not updated",
    file: PAYMENTS,
    find: `  const update = await advancePayment(db, payment, state, now);`,
    put: `  const update: string = "followed";`,
  },
  {
    name: "a refunded purchase is not flagged",
    file: LEDGER,
    find: `await db.batch([updateRow, ...flagPurchase(db, paymentIntentId, now)]);`,
    put: `await db.batch([updateRow]);`,
  },
  {
    name: "a third slot is available",
    file: LEDGER,
    find: `FROM (SELECT 1 AS slot UNION ALL SELECT 2) AS slots\n    WHERE NOT EXISTS (SELECT 1 FROM payments AS taken WHERE taken.buyer_id = \${businessId} AND taken.slot = slots.slot)`,
    put: `FROM (SELECT NULL AS slot) AS slots\n    WHERE 1`,
  },
  {
    name: "a signed-out buyer opens a payment",
    file: LEDGER,
    find: `const live = isSessionLive(db, buyer.sessionHash, now);`,
    put: "const live = sql`1`;",
  },
  {
    name: "a payment's slot stays taken",
    file: LEDGER,
    find: `...(isFinal(state) && NO_SLOT),\n      ...(payment.lastError`,
    put: `...(payment.lastError`,
  },
  {
    name: "a closed row keeps its slot",
    file: LEDGER,
    find: `.set({ state, ...NO_SLOT, lastError, updatedAt: now })\n    .where(and(eq(payments.holdId, holdId), eq(payments.state, "pending")));`,
    put: `.set({ state, lastError, updatedAt: now })\n    .where(and(eq(payments.holdId, holdId), eq(payments.state, "pending")));`,
  },
  {
    name: "a row is closed regardless of its payment",
    file: LEDGER,
    find: `.set({ state, ...NO_SLOT, lastError, updatedAt: now })\n    .where(and(eq(payments.holdId, holdId), eq(payments.state, "pending")));`,
    put: `.set({ state, ...NO_SLOT, lastError, updatedAt: now })\n    .where(eq(payments.holdId, holdId));`,
  },
  {
    name: "the ledger leaves a final state",
    file: LEDGER,
    find: `inArray(
          payments.state,
          payment.isDisputeWon ? [...ALLOWED_FROM[state], "disputed"] : ALLOWED_FROM[state],
        ),`,
    put: ``,
  },
  {
    name: "an owed refund may become paid again",
    file: LEDGER,
    find: `succeeded: ["pending", "processing", "cancelled", "succeeded"],`,
    put: `succeeded: ["pending", "processing", "cancelled", "succeeded", "refund_pending"],`,
  },
  {
    name: "a late refund is not recorded",
    file: LEDGER,
    find: `refunded: ["pending", "processing", "cancelled", "succeeded", "refund_pending", "disputed"],`,
    put: `refunded: ["pending", "processing", "cancelled", "refund_pending", "disputed"],`,
  },
  {
    name: "a late success is ignored",
    file: LEDGER,
    find: `succeeded: ["pending", "processing", "cancelled", "succeeded"],`,
    put: `succeeded: ["pending", "processing", "succeeded"],`,
  },
  {
    name: "two refunds are attempted at once",
    file: LEDGER,
    find: `return claimed.length > 0 ? \`refund_\${row.id}_\${at}\` : null;`,
    put: `return \`refund_\${row.id}_\${at}_\${claimed.length}\`;`,
  },
  {
    name: "a refund that failed counts as made",
    file: REFUNDS,
    find: `    await recordRefundFailed(db, row.id, message);`,
    put: `    await recordRefunded(db, { id: row.id, intentId }, row.amountCents, now);`,
  },
  {
    name: "earlier refunds are not checked",
    file: STRIPE,
    find: `  if (before >= owedCents) return before;\n`,
    put: ``,
  },
  {
    name: "a refund with a new key per attempt is made twice",
    file: REFUNDS,
    find: `    await recordRefunded(db, { id: row.id, intentId }, refundedCents, now);\n`,
    put: ``,
  },
  {
    name: "a returned refund is ignored",
    file: REFUNDS,
    find: `  await recordUndoneRefund(`,
    put: `  if (now < 0) await recordUndoneRefund(`,
  },
  {
    name: "owed refunds are not swept",
    file: SWEEP,
    find: `    ...owed.map((row) => () => refundOwed(context, row.stripePaymentIntentId!, now)),\n`,
    put: ``,
  },
  {
    name: "open payments are not swept",
    file: SWEEP,
    find: `    ...open.map((row) => () => recheckPayment(context, row, now)),\n`,
    put: ``,
  },
  {
    name: "a payment in processing is not swept",
    file: SWEEP,
    find: `states: ["pending", "processing"]`,
    put: `states: ["pending"]`,
  },
  {
    name: "a payment without an ID is not looked up",
    file: SWEEP,
    find: `    return cancelUnknown(context, row, now);`,
    put: `    return;`,
  },
  {
    name: "a payment created by the sweep is not cancelled",
    file: SWEEP,
    find: `  const payment = await cancelOrRead(cards, intent.id, order);\n  if (payment) await settlePayment(context, payment);\n}`,
    put: `}`,
  },
  {
    name: "a payment without a hold is left open",
    file: SWEEP,
    find: `if (payment.status === "open" && !isHeld) {`,
    put: `if (payment.status === "open" && isHeld && !isHeld) {`,
  },
  {
    name: "the sweep cancels a held payment and releases its lead",
    file: SWEEP,
    find: `before: now - MIN_AGE_MS`,
    put: `before: now`,
  },
  {
    name: "an unclear response counts as a refusal",
    file: STRIPE,
    find: `return statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500;`,
    put: `return false;`,
  },
  {
    name: "a payment is created again with another key",
    file: STRIPE,
    find: `idempotencyKey: intentKey(order.holdId)`,
    put: `idempotencyKey: \`\${intentKey(order.holdId)}_\${Math.random()}\``,
  },
  {
    name: "a 409 is not retried",
    file: STRIPE,
    find: `if (!isInProgress(error)) throw error;\n      await scheduler.wait(pause);`,
    put: `throw error;`,
  },
  {
    name: "another account's payments count as ours",
    file: INTENTS,
    find: `const status = STATUSES[intent.status] ?? "open";`,
    put: `const status = STATUSES[intent.status] ?? "succeeded";`,
  },
  {
    name: "a payment's amount is the requested one, not the received one",
    file: PAYMENT_RULES,
    find: `return sale?.holdId === payment.holdId && sale.paymentIntentId === payment.paymentIntentId ? sale : null;`,
    put: `return sale ?? null;`,
  },
  {
    name: "a mismatched payment is not refunded",
    file: PAYMENT_RULES,
    find: `(answer.reason === "refund_late" || answer.reason === "refund_mismatch")`,
    put: `answer.reason === "refund_late"`,
  },
  {
    name: "an older version overwrites D1",
    file: EXCHANGE_COMMANDS,
    find: `    lt(leads.exchangeVersion, version),\n`,
    put: ``,
  },
  {
    name: "an older generation overwrites D1",
    file: EXCHANGE_COMMANDS,
    find: `    eq(leads.generation, generation),\n    lt(`,
    put: `    lt(`,
  },
  {
    name: "a moved lead keeps its old version in D1",
    file: EXCHANGE_COMMANDS,
    find: `        exchangeVersion: 0,\n`,
    put: ``,
  },
  {
    name: "a moved lead is not pending",
    file: EXCHANGE_COMMANDS,
    find: `        listingState: "pending" as const,`,
    put: `        listingState: "listed" as const,`,
  },
  {
    name: "a moved lead keeps its generation",
    file: EXCHANGE_COMMANDS,
    find: `        generation: generation + 1,\n        // The next`,
    put: `        generation,\n        // The next`,
  },
  {
    name: "the lead is not updated with the purchase",
    file: EXCHANGE_COMMANDS,
    find: `await db.batch([...statements, updateLead]);`,
    put: `await db.batch([...statements]);`,
  },
  {
    name: "a sale is logged each time it is written",
    file: EXCHANGE_COMMANDS,
    find: `auditWhen(db, notExists(alreadyWritten)!, { userId, asUserId: null }, entry),`,
    put: `auditWhen(db, exists(db.select({ id: leads.id }).from(leads).where(eq(leads.id, leadId))), { userId, asUserId: null }, entry),`,
  },
  {
    name: "a held lead is withdrawn from D1's list",
    file: EXCHANGE_COMMANDS,
    find: `listingState: isOpen(state) ? "listed" : "closed",`,
    put: `listingState: "listed",`,
  },
  {
    name: "a request that its exchange refused is never closed",
    file: LEADS,
    find: `  else await closeListing(context.db, leadId, generation);`,
    put: ``,
  },
  {
    name: "a listing is not recorded in D1",
    file: LEADS,
    find: `  if (answer.ok) await projectListing(context.db, answer.listing, null);`,
    put: `  if (answer.ok) return;`,
  },
  {
    name: "an admin's withdrawal does not reach D1",
    file: ADMIN,
    find: `  await projectListing(context.db, answer.listing, null, requestId);\n  await exchangeOf(context, region)?.acknowledge(leadId, answer.listing.version);`,
    put: `  await exchangeOf(context, region)?.acknowledge(leadId, answer.listing.version);`,
  },
  {
    name: "a moved lead is not listed again",
    file: ADMIN,
    find: `await projectListing(context.db, answer.listing, null, requestId);`,
    put: `void projectListing(context.db, answer.listing, null, requestId).catch(() => {});`,
  },
  {
    name: "a losing claim's free claim is not returned",
    file: FREE_CLAIMS,
    find: `      await returnFreeClaim(context.db, freeClaim.id, freeClaim.reservedAt);\n`,
    put: ``,
  },
  {
    name: "a free claim is returned after a lost response",
    file: FREE_CLAIMS,
    find: `if (error instanceof DomainError && LOST_CLAIM_CODES.has(error.code))\n      await`,
    put: `if (error instanceof DomainError)\n      await`,
  },
  {
    name: "one free claim is spent on two leads",
    file: FREE_CLAIMS,
    find: ` AND used_at IS NULL AND revoked_at IS NULL`,
    put: ` AND revoked_at IS NULL`,
  },
  {
    name: "a deactivated business keeps its holds",
    file: PROVIDERS,
    find: `    await releaseBusiness(context, id);\n`,
    put: ``,
  },
  {
    name: "a deactivated business keeps its windows",
    file: PROVIDERS,
    find: `    await closeSockets(context, ended`,
    put: `    if (ended.length < 0) await closeSockets(context, ended`,
  },
  {
    name: "a deactivated business is not signed out",
    file: PROVIDERS,
    find: `isEnding ? or(inArray(sessions.userId, team), eq(sessions.impersonatorId, id)) : eq(sessions.id, ""),`,
    put: `eq(sessions.id, ""),`,
  },
  {
    name: "an exchange that does not respond is not retried",
    file: ASKING,
    find: `const RETRY_DELAYS_MS = [40, 160];`,
    put: `const RETRY_DELAYS_MS: number[] = [];`,
  },
  {
    name: "a lead that has moved is not found",
    file: ASKING,
    find: `    const movedTo = answer.ok ? null : answer.region;`,
    put: `    const movedTo = null as Region | null;`,
  },
  {
    name: "an ended session stays in the cache",
    file: SOCKETS,
    find: `    this.#confirmedByHash.clear();\n    this.#nextEnd = Math.min(`,
    put: `    this.#nextEnd = Math.min(`,
  },
  {
    name: "a walk skips rows of the same millisecond",
    file: WALK,
    find: `, gt(id, after.id))`,
    put: `)`,
  },
  {
    name: "a rewound exchange withdraws a bought lead",
    file: EXCHANGE_COMMANDS,
    find: `    sale ? undefined : notExists(bought),\n`,
    put: ``,
  },
  {
    name: "a session's end leaves its sockets open",
    file: SOCKETS,
    find: `    this.#close(sessionId, CLOSE.signedOut, "Signed out");`,
    put: ``,
  },
];
