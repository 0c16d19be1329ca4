/** Rows of every tenant with planted marks. Another tenant may request each one's ID. */
import { eq } from "drizzle-orm";

import { leadPurchases } from "../worker/platform/db/schema.ts";
import type { UserRow } from "../worker/platform/session.ts";
import { insertManualPurchase } from "../testing/world.ts";
import { type Mark, MARKS } from "./people.ts";
import type { Target } from "./product.ts";

export type Statement = { sql: string; params: unknown[] };
type Values = Readonly<Record<string, string | number | null>>;

/**
 * Returns statements that write a row, or restore it after a change. Does not use an upsert, because its conflict
 * clause would also apply inside triggers.
 */
function restoreStatements(table: string, row: Values, key = "id"): Statement[] {
  const names = Object.keys(row);
  const [values, id] = [Object.values(row), row[key]];
  const isMissing = `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${key} = ?)`;
  return [
    {
      sql: `INSERT INTO ${table} (${names.join(", ")}) SELECT ${names.map(() => "?").join(", ")} WHERE ${isMissing}`,
      params: [...values, id],
    },
    {
      sql: `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE ${key} = ?`,
      params: [...values, id],
    },
  ];
}

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** Returns the rows of a signed-in user: a device, a passkey, another session and a sign-in. */
function personalRows({ id: userId }: UserRow, { word, ref }: Mark, signInId: number): Statement[] {
  const now = Date.now();
  const times = { created_at: now, last_seen_at: now, signed_in_at: now, expires_at: now + YEAR_MS };
  const keys = { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22), origin: "https://n.example" };
  return [
    // The device's session does not exist, so it receives no messages.
    ...restoreStatements("push_devices", {
      id: `psh_${ref}`,
      user_id: userId,
      session_id: "ses_ended",
      endpoint: `https://push.example/${word}`,
      ...keys,
      created_at: now,
    }),
    ...restoreStatements("passkeys", {
      id: `key_${ref}`,
      user_id: userId,
      credential_id: `credential-${word}`,
      public_key: "AAAA",
      counter: 0,
      transports: "[]",
      is_synced: 0,
      name: `Key of ${word}`,
      created_at: now,
    }),
    ...restoreStatements("sessions", {
      id: `ses_${ref}`,
      token_hash: `hash-${word}`,
      user_id: userId,
      user_agent: word,
      ...times,
    }),
    ...restoreStatements("sign_ins", {
      id: signInId,
      user_id: userId,
      at: now,
      method: "password",
      succeeded: 1,
      device: `Safari on ${word}`,
    }),
  ];
}

/** Returns an open payment with its hold, and a receipt. */
function paymentRows({ id }: UserRow, { word, ref }: Mark, leadId: string): Statement[] {
  const now = Date.now();
  const common = { lead_id: leadId, region: "inner-west", buyer_id: id, user_id: id, amount_cents: 5_000 };
  const times = { created_at: now, updated_at: now };
  return [
    ...restoreStatements("payments", {
      ...common,
      ...times,
      id: `pay_${ref}`,
      hold_id: `hold_${ref}1`,
      stripe_payment_intent_id: `pi_${ref}1`,
      state: "succeeded",
      slot: null,
      card_brand: word,
      card_last4: "4242",
      succeeded_at: now,
    }),
    ...restoreStatements("payments", {
      ...common,
      ...times,
      id: `pay_${ref}2`,
      hold_id: `hold_${ref}`,
      state: "pending",
      slot: 2,
      let_go_at: null,
      last_error: null,
    }),
  ];
}

/** Returns a lead in the pipeline: its customer, notes, next action, a report and a reply. */
async function pipelineRows({ db }: Target, owner: UserRow, { word, ref }: Mark) {
  const request = {
    customerName: `Marta ${word}`,
    customerEmail: `${word}@example.org`,
    customerAddress: `1 ${word} Street, Leichhardt NSW 2040`,
    specificRequests: `The ${word} hedge`,
  };
  const id = await insertManualPurchase(db, owner, { stage: "called", startedAt: 1, request });
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, id));
  const { leadId } = purchase!;
  const change = {
    sales_notes: `Notes of ${word}`,
    next_action_note: `Ring ${word}`,
    buyer_name: `Buyer ${word}`,
    sales_stage: "called",
    is_archived: 0,
    archived_at: null,
    finalised_at: null,
    removed_at: null,
    removed_by_user_id: null,
    corrected: null,
    answers_seen_at: null,
    assigned_to_user_id: null,
  };
  const names = Object.keys(change).map((name) => `${name} = ?`);
  const statements: Statement[] = [
    {
      sql: `UPDATE lead_purchases SET ${names.join(", ")} WHERE id = ?`,
      params: [...Object.values(change), id],
    },
    ...restoreStatements("customer_answers", {
      id: `ans_${ref}`,
      purchase_id: id,
      body: `Reply about ${word}`,
      gateway_ref: `gateway-${ref}`,
      at: 1,
    }),
    // The report below is open again, so it must not have a credit yet.
    { sql: "DELETE FROM free_claims WHERE purchase_id = ?", params: [id] },
    ...restoreStatements("dud_reports", {
      id: `dud_${ref}`,
      purchase_id: id,
      lead_id: leadId,
      buyer_id: owner.id,
      reason: "disconnected",
      note: `A report of ${word}`,
      state: "open",
      answer: null,
      created_at: 1,
    }),
  ];
  return { purchaseId: id, leadId, statements };
}

/** Returns a check that waits for an admin. */
const checkRow = ({ id }: UserRow, { word, ref }: Mark): Statement[] =>
  restoreStatements("provider_checks", {
    id: `chk_${ref}`,
    business_id: id,
    kind: "licence",
    state: "waiting",
    number: `Licence ${word}`,
    seen_on: null,
    ends_on: null,
    reason: null,
    decided_at: null,
    created_at: 1,
  });
/** Returns a review of a business by its purchase's customer, with the owner's reply. */
function reviewRow(
  { id: businessId }: UserRow,
  { word, ref }: Mark,
  { purchaseId, leadId }: { purchaseId: string; leadId: string },
): Statement[] {
  return restoreStatements("reviews", {
    id: `rev_${ref}`,
    purchase_id: purchaseId,
    lead_id: leadId,
    business_id: businessId,
    invited_at: 1,
    ends_at: 2,
    stars: 4,
    words: `Review about ${word}`,
    customer_name: "Marta",
    service_type: "lawn_mowing",
    written_at: 1,
    reply: `Reply of ${word}`,
    replied_at: 1,
    flag: "network",
    hidden_rule: null,
    hidden_at: null,
    updated_at: 1,
  });
}

/** Returns rows that only admins may read: a note about a provider, an alert for admins, a failed message. */
function adminRows(provider: UserRow, { word, ref }: Mark): Statement[] {
  const now = Date.now();
  return [
    ...restoreStatements("provider_notes", {
      id: `note_${ref}`,
      provider_id: provider.id,
      kind: "note",
      text: `Admins note ${word}`,
      by_user_id: provider.id,
      created_at: now,
    }),
    ...restoreStatements(
      "attention",
      {
        kind: "refund_failed",
        subject_id: `pay_${ref}`,
        detail: `A refund of ${word}`,
        since: now,
        resolved_at: null,
      },
      "subject_id",
    ),
    ...restoreStatements("messages", {
      id: `msg_${ref}`,
      dedupe_key: ref,
      channel: "push",
      template: "test",
      recipient: `psh_${MARKS.owner.ref}`,
      user_id: provider.id,
      payload: "{}",
      due: now,
      expires_at: now + YEAR_MS,
      state: "failed",
      created_at: now,
    }),
  ];
}

const auditRow = (word: string): Statement => ({
  sql: "INSERT INTO audit_log (at, action, subject_type, subject_id, after) VALUES (?, ?, ?, ?, ?)",
  params: [Date.now(), "user.profile_changed", "user", "user_planted", JSON.stringify({ note: word })],
});

/** A photo of the provider's work on a garden. */
const PLANTED_PHOTO = "pho_planted0000000000000";

/**
 * Plants the rows of every tenant.
 *
 * @param openLead a lead on the market, for payments
 * @returns `own`: IDs of the provider's rows, by the kind of ID that a route takes. `personal`: those of them that a
 * team member must not access. `restore` returns the statements that write all rows again, and restores the cards at
 * Stripe
 */
export async function plantTenants(
  target: Target,
  people: Record<"provider" | "stranger" | "team", UserRow>,
  openLead: string,
) {
  const { provider, stranger, team } = people;
  const { vault } = target.stripe.book;
  const cards = [provider, stranger].map(({ id }) => {
    const customer = vault.addCustomer({ businessId: id }).id;
    const card = vault.addMethod("4242424242424242");
    return {
      id: card.id,
      restore: () => void (card.customer = customer),
      statement: { sql: "UPDATE users SET stripe_customer_id = ? WHERE id = ?", params: [customer, id] },
    };
  });
  const pipeline = await pipelineRows(target, provider, MARKS.business);
  const rivals = await pipelineRows(target, stranger, MARKS.stranger);
  const statements = [
    ...pipeline.statements,
    ...rivals.statements,
    ...reviewRow(provider, MARKS.owner, pipeline),
    ...reviewRow(stranger, MARKS.stranger, rivals),
    ...paymentRows(provider, MARKS.owner, openLead),
    ...paymentRows(stranger, MARKS.stranger, openLead),
    ...personalRows(provider, MARKS.owner, 900_001),
    ...personalRows(stranger, MARKS.stranger, 900_002),
    ...personalRows(team, MARKS.team, 900_003),
    ...checkRow(provider, MARKS.owner),
    ...checkRow(stranger, MARKS.stranger),
    ...adminRows(provider, MARKS.admins),
    ...restoreStatements("photos", {
      id: PLANTED_PHOTO,
      kind: "after",
      purchase_id: pipeline.purchaseId,
      business_id: provider.id,
      width: 4,
      height: 3,
      bytes: 100,
      created_at: Date.now(),
    }),
    ...cards.map(({ statement }) => statement),
  ];
  await target.batch([...statements, auditRow(MARKS.admins.word)]);
  const { ref } = MARKS.owner;
  const personal = {
    checks: `chk_${ref}`,
    devices: `psh_${ref}`,
    passkeys: `key_${ref}`,
    sessions: `ses_${ref}`,
  };
  return {
    own: {
      ...personal,
      leads: pipeline.leadId,
      purchases: pipeline.purchaseId,
      duds: `dud_${MARKS.business.ref}`,
      reviews: `rev_${ref}`,
      payments: `pay_${ref}`,
      holds: `hold_${ref}`,
      cards: cards[0]!.id,
      users: team.id,
      notes: `note_${MARKS.admins.ref}`,
      messages: `msg_${MARKS.admins.ref}`,
      photos: PLANTED_PHOTO,
    },
    personal: Object.keys(personal),
    rivalPurchase: rivals.purchaseId,
    restore(): Statement[] {
      for (const card of cards) card.restore();
      return statements;
    },
  };
}

export type Tenants = Awaited<ReturnType<typeof plantTenants>>;
