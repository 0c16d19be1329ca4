/** Mutants that test one invariant or fault of the simulation. Each is one small change to the real source. */
import type { Mutant } from "./mutant.ts";

const ASKING = "worker/exchange/exchange-calls.ts";
const HOLD_RULES = "worker/exchange/hold-rules.ts";
const STORED = "worker/exchange/stored-records.ts";
const LIVE = "worker/exchange/live-list.ts";

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
    name: "a claim with a credit returns the credit",
    file: "worker/selling/purchases/credit-commands.ts",
    find: `    return await giveLead(context, leadId, { ...who, mode: "claimed" }, ctx);`,
    put: `    const given = await giveLead(context, leadId, { ...who, mode: "claimed" }, ctx);
    await returnCredit(context.db, credit.id, credit.reservedAt);
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
    name: "a rewound exchange keeps the leads that D1 has sold since",
    file: "worker/operations/rewinding/rules.ts",
    find: `if (!isOffered) return "close";`,
    put: `if (!isOffered) return "keep";`,
  },
  {
    name: "a rewound exchange refunds an old hold that has bought its lead since",
    file: "worker/selling/payments/port.ts",
    find: `await preferSaleInD1(context, payment, answer)`,
    put: `answer`,
  },
  {
    name: "leads of an exchange that lost its storage are not relisted",
    file: "worker/operations/relisting/commands.ts",
    find: `if (result.status === "rejected" || !result.value) continue;`,
    put: `continue;`,
  },
];
