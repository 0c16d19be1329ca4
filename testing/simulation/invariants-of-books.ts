/** Money, free claims, figures and alerts match what happened, once all operations have finished. */
import { textToCents } from "../../contract/money.ts";
import type { Actors } from "./actors.ts";
import { ledgerOf, leadsOf, purchasesOf, closedRecords } from "./facts.ts";
import type { Intent } from "../stand-ins/stripe-book.ts";
import { Violation } from "./violation.ts";

export function checkBooks(cast: Actors): void {
  checkFreeClaims(cast);
  checkReceipts(cast);
  checkFigures(cast);
  checkAttention(cast);
}

const sum = (amounts: (number | null)[]) => amounts.reduce<number>((total, cents) => total + (cents ?? 0), 0);
const isPaid = ({ mode }: { mode: string }) => mode === "stripe" || mode === "direct";

/** Checks that the spent free claims match the leads claimed with free claims. */
function checkFreeClaims({ world, admin }: Actors): void {
  const rows = world.d1.statements.rows(
    "SELECT used_for_lead_id AS leadId FROM free_claims WHERE used_at IS NOT NULL",
    [],
  ) as { leadId: string }[];
  const spent = rows.map(({ leadId }) => leadId).toSorted();
  const claimed = closedRecords(world)
    .filter(({ sale }) => sale?.mode === "claimed" && sale.businessId !== admin.businessId)
    .map(({ leadId }) => leadId)
    .toSorted();
  if (spent.join() !== claimed.join())
    throw new Violation(`Credits: spent on [${spent.join(", ")}], claimed [${claimed.join(", ")}]`);
}

/** Returns the payments that our current account has charged. */
function listCharges({ world }: Actors): Intent[] {
  return [...world.stripe.book.intents.values()].filter(
    ({ id, latest_charge: charge }) => charge && !world.stripe.isDeleted(id),
  );
}

/** The sum of a business's receipts equals the charges to its cards. */
function checkReceipts(cast: Actors): void {
  if (cast.has("wrong_amounts") || cast.has("missing_payments")) return;
  const buyerOf = new Map(ledgerOf(cast.world).map(({ intentId, buyerId }) => [intentId, buyerId]));
  for (const [businessId, receipts] of cast.receipts) {
    const charges = listCharges(cast).filter(({ id }) => buyerOf.get(id) === businessId);
    const paid = sum(charges.map(({ latest_charge: charge }) => charge!.amount));
    const refundedCents = sum(charges.map(({ latest_charge: charge }) => charge!.amount_refunded));
    const listed = sum(receipts.map(({ amount }) => textToCents(amount)));
    const refunded = sum(receipts.map(({ refunded }) => (refunded === null ? 0 : textToCents(refunded))));
    if (listed !== paid || refunded !== refundedCents)
      throw new Violation(
        `Receipts: ${businessId} has receipts of ${listed} cents with ${refunded} refunded, and was charged ${paid} with ${refundedCents} refunded`,
      );
  }
}

/** The market's figures equal a recount. */
function checkFigures(cast: Actors): void {
  if (cast.has("wrong_amounts") || cast.has("missing_payments") || !cast.areFiguresRecounted) return;
  const [figures] = cast.world.d1.statements.rows(
    `SELECT sum(leads) AS leads, sum(sold) AS sold, sum(given) AS given, sum(revenue_cents) AS revenue,
            sum(refund_cents) AS refunds FROM market_days`,
    [],
  ) as { [figure: string]: number }[];
  const purchases = purchasesOf(cast.world);
  const charges = listCharges(cast).map(({ latest_charge: charge }) => charge!);
  const direct = purchases.filter(({ mode }) => mode === "direct");
  const expected = {
    // A rescued lead is the same request as its first lead.
    leads: leadsOf(cast.world).filter(({ rescuedFromId }) => rescuedFromId === null).length,
    sold: purchases.filter(isPaid).length,
    given: purchases.filter((one) => !isPaid(one)).length,
    revenue: sum(charges.map(({ amount }) => amount)) + sum(direct.map(({ amountCents }) => amountCents)),
    // The figures count only full refunds (docs/figures.md).
    refunds: sum(
      charges.map(({ refunded, amount_refunded: refundedCents }) => (refunded ? refundedCents : 0)),
    ),
  };
  if (JSON.stringify(figures) !== JSON.stringify(expected))
    throw new Violation(
      `Figures: they say ${JSON.stringify(figures)}, a recount ${JSON.stringify(expected)}`,
    );
}

/** Checks that admins have an alert for each problem that only they can solve. */
function checkAttention(cast: Actors): void {
  const { world } = cast;
  const raised = new Set(
    (
      world.d1.statements.rows("SELECT kind || ' ' || subject_id AS item FROM attention", []) as {
        item: string;
      }[]
    ).map(({ item }) => item),
  );
  const expectRaised = (kind: string, subjectId: string, why: string) => {
    if (!raised.has(`${kind} ${subjectId}`))
      throw new Violation(`Attention: no admin was alerted that ${why} (${kind} ${subjectId})`);
  };
  for (const { intentId, leadId, state } of ledgerOf(world)) {
    const intent = intentId ? world.stripe.book.intents.get(intentId) : undefined;
    if (intent && world.stripe.isDeleted(intent.id) && state === "cancelled" && intent.status !== "canceled")
      expectRaised("payment_missing", leadId, `Stripe does not know ${intent.id}`);
  }
  const abandoned = world.d1.statements.rows(
    `SELECT lead_id AS leadId FROM payments WHERE released_at IS NOT NULL
     GROUP BY lead_id HAVING count(DISTINCT buyer_id) >= 3`,
    [],
  ) as { leadId: string }[];
  for (const { leadId } of abandoned)
    expectRaised("held_in_vain", leadId, `three businesses let ${leadId} go`);
}
