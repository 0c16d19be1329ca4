/** Free claims follow the published rules, and each eligible customer was asked for one review, once all is done. */
import { FREE_CLAIM_CAP } from "../../contract/guarantee.ts";
import type { Actors } from "./actors.ts";
import { Violation } from "./violation.ts";

type Row = {
  id: string;
  buyerId: string;
  mode: string;
  paymentStatus: string;
  removedAt: number | null;
  rescuedAt: number | null;
  answer: string | null;
  isQuoted: number;
  isOff: number;
  erasedAt: number | null;
  rule: string | null;
  state: string | null;
  claimedAt: number | null;
  revokedAt: number | null;
  usedAt: number | null;
  invitedAt: number | null;
};

const isPaid = ({ mode }: Row) => mode === "stripe" || mode === "direct";

export function checkGuarantee({ world, reviewsAskedAt }: Actors): void {
  // A refund that fails later has undone the sale for a while.
  const mustAsk = !world.features.has("pending_refunds");
  const rows = world.d1.statements.rows(
    `SELECT lead_purchases.id, lead_purchases.buyer_id AS buyerId, mode, payment_status AS paymentStatus,
       removed_at AS removedAt, call_clock ->> 'rescuedAt' AS rescuedAt, call_clock ->> 'answer' AS answer,
       coalesce(quote_sent_at, job_booked_at, job_complete_at) IS NOT NULL AS isQuoted,
       EXISTS (SELECT 1 FROM customer_updates WHERE customer_updates.lead_id = leads.id
         AND customer_updates.kind = 'withdrawn') AS isOff,
       erased_at AS erasedAt, rule, guarantee_cases.state, free_claims.created_at AS claimedAt,
       revoked_at AS revokedAt, used_at AS usedAt, invited_at AS invitedAt
     FROM lead_purchases INNER JOIN leads ON leads.id = lead_purchases.lead_id
       LEFT JOIN guarantee_cases ON guarantee_cases.purchase_id = lead_purchases.id
       LEFT JOIN free_claims ON free_claims.purchase_id = lead_purchases.id
       LEFT JOIN reviews ON reviews.purchase_id = lead_purchases.id
     WHERE mode <> 'manual'`,
    [],
  ) as Row[];
  for (const row of rows) {
    checkClaim(row);
    checkReview(row, reviewsAskedAt, mustAsk);
  }
  for (const own of Map.groupBy(rows, ({ buyerId }) => buyerId).values()) checkCap(own);
}

/** A free claim belongs to a granted case of a lead that was paid for. It ends with its reason, unless it is spent. */
function checkClaim(row: Row): void {
  const { id, rule, state, claimedAt, revokedAt, usedAt } = row;
  const fail = (what: string) => {
    throw new Violation(`Guarantee: the free claim for ${id}, ${rule} and ${state}, ${what}`);
  };
  if (state === "waiting" || state === "asked")
    throw new Violation(`Guarantee: the case of ${id} is still ${state}`);
  if (state === "granted" && (claimedAt === null || revokedAt !== null)) fail("is missing");
  if (claimedAt === null) return;
  if (rule === null || !isPaid(row)) fail("has no reason");
  if (revokedAt !== null && usedAt !== null) fail("was spent, and is revoked");
  if (revokedAt !== null || usedAt !== null) return;
  if (state !== "granted") fail("can be spent");
  if (row.isQuoted) fail("can be spent after a quote");
  if (row.paymentStatus !== "completed") fail(`can be spent, and the payment is ${row.paymentStatus}`);
  if (row.rescuedAt !== null) fail("can be spent, although the request was passed on");
}

/** The rules alone give no more free claims than the cap allows. */
function checkCap(own: Row[]): void {
  const given = own.filter(({ claimedAt, revokedAt }) => claimedAt !== null && revokedAt === null).length;
  // An earlier state may have had more: a refund lowers the cap, but a spent claim stays.
  const cap = Math.max(1, Math.floor(own.filter(isPaid).length * FREE_CLAIM_CAP.share));
  if (given > cap)
    throw new Violation(`Guarantee: ${own[0]!.buyerId} got ${given} free claims of ${cap} by the rules`);
}

/** Only customers of leads that were paid for are asked for a review, and all of them, unless an exception applies. */
function checkReview(row: Row, askedAt: number, mustAsk: boolean): void {
  const isFreeClaimed = row.claimedAt !== null && row.revokedAt === null && row.rule !== "no_answer";
  const isException =
    row.removedAt !== null ||
    row.paymentStatus === "refunded" ||
    row.answer === "never_asked" ||
    row.rescuedAt !== null ||
    row.erasedAt !== null ||
    row.isOff === 1 ||
    isFreeClaimed;
  const { id, mode, invitedAt } = row;
  if (invitedAt !== null && !isPaid(row))
    throw new Violation(`Reviews: the customer of ${id}, ${mode}, was asked`);
  if (invitedAt !== null && invitedAt >= askedAt && isException)
    throw new Violation(
      `Reviews: the customer of ${id} was asked, against the rules: ${JSON.stringify(row)}`,
    );
  if (mustAsk && invitedAt === null && askedAt < Infinity && isPaid(row) && !isException)
    throw new Violation(`Reviews: the customer of ${id} was not asked: ${JSON.stringify(row)}`);
}
