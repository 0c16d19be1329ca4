/** Rows of every tenant with planted marks. Another tenant may request each one's ID. */
import { eq } from "drizzle-orm";

import { leadPurchases } from "../worker/tables.ts";
import type { UserRow } from "../worker/platform/caller.ts";
import type { PhotoKind } from "../contract/photos.ts";
import { DAY_MS } from "../contract/durations.ts";
import { LEAD_PRICE_CENTS } from "../contract/money.ts";
import { hashToken } from "../worker/identity/auth/rules.ts";
import { photoKey } from "../worker/leads/photos/commands.ts";
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
      released_at: null,
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
  // Not older: the retention sweep erases old requests.
  const id = await insertManualPurchase(db, owner, {
    stage: "called",
    startedAt: Date.now() - 10 * DAY_MS,
    request,
  });
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
    // The report and the case below are undecided again, so they must not have a free claim yet.
    { sql: "DELETE FROM free_claims WHERE purchase_id = ?", params: [id] },
    ...restoreStatements(
      "guarantee_cases",
      {
        purchase_id: id,
        lead_id: leadId,
        buyer_id: owner.id,
        rule: "no_answer",
        state: "refused",
        due_at: null,
        contested_at: null,
        contest_note: `A contest of ${word}`,
        answer: `An answer about ${word}`,
        decided_at: null,
        created_at: 1,
        updated_at: 1,
      },
      "purchase_id",
    ),
    ...restoreStatements("bad_lead_reports", {
      id: `bad_${ref}`,
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

/** Returns an insurance check that waits for an admin, with its certificate. */
const checkRow = ({ id }: UserRow, { word, ref }: Mark): Statement[] =>
  restoreStatements("provider_checks", {
    id: `chk_${ref}`,
    business_id: id,
    kind: "insurance",
    state: "waiting",
    number: `Policy ${word}`,
    seen_on: null,
    ends_on: null,
    file_key: `checks/chk_${ref}`,
    file_type: "application/pdf",
    file_bytes: 100,
    reason: null,
    decided_at: null,
    created_at: 1,
  });

type Purchase = { purchaseId: string; leadId: string };

/** Returns a written review of a business by its purchase's customer, with the owner's reply. */
export function reviewRow(
  id: string,
  businessId: string,
  { purchaseId, leadId }: Purchase,
  text: { words: string; reply: string; hiddenRule: string | null },
): Statement[] {
  return restoreStatements("reviews", {
    id,
    purchase_id: purchaseId,
    lead_id: leadId,
    business_id: businessId,
    invited_at: 1,
    ends_at: 2,
    stars: 4,
    words: text.words,
    customer_name: "Marta",
    service_type: "lawn_mowing",
    written_at: 1,
    reply: text.reply,
    replied_at: 1,
    flag: "network",
    hidden_rule: text.hiddenRule,
    hidden_at: text.hiddenRule && 1,
    updated_at: 1,
  });
}

const reviewTexts = ({ word }: Mark) => ({ words: `Review about ${word}`, reply: `Reply of ${word}` });

/** Slugs of the businesses' pages. Everyone may read the provider's. An admin has taken the rival's offline. */
export const SLUGS = { provider: "owner-gardens", stranger: "rival-gardens" } as const;

/** Returns the page of a business. If it is offline, its words and the admin's reason have marks. */
const profileRows = ({ id }: UserRow, slug: string, hidden: Mark | null): Statement[] => [
  ...restoreStatements(
    "provider_profiles",
    {
      business_id: id,
      slug,
      is_public: hidden ? 0 : 1,
      words: hidden ? `Words of ${hidden.word}` : "We mow lawns.",
      hidden_at: hidden && 1,
      hidden_reason: hidden && `Offline for ${hidden.word}`,
      created_at: 1,
      updated_at: 1,
    },
    "business_id",
  ),
  {
    sql: "INSERT OR IGNORE INTO profile_councils (business_id, council) VALUES (?, 'Inner West Council')",
    params: [id],
  },
];

/** Returns the ID of a planted photo. @param n a digit */
export const plantedPhotoId = (ref: string, n: number) =>
  `pho_${ref}${String(n).padStart(20 - ref.length, "0")}`;

type PhotoOwnership = {
  kind: PhotoKind;
  lead_id?: string;
  purchase_id?: string;
  business_id?: string;
  upload_hash?: string;
  provider_agreed_at?: number;
  customer_agreed_at?: number;
};

/** Returns a photo's row. Names every column, because a deletion clears them. */
export const photoRow = (id: string, owner: PhotoOwnership): Statement[] =>
  restoreStatements("photos", {
    id,
    lead_id: null,
    purchase_id: null,
    business_id: null,
    upload_hash: null,
    provider_agreed_at: null,
    customer_agreed_at: null,
    ...owner,
    width: 4,
    height: 3,
    bytes: 100,
    // A photo without an owner is an upload. The sweep deletes old ones.
    created_at: Date.now(),
  });

/** Stores a photo's files. Their bytes contain a trace. */
export async function putPhotoFiles({ putFile }: Target, id: string, trace: string): Promise<void> {
  for (const size of ["small", "large"] as const)
    await putFile(photoKey(id, size), "image/webp", `RIFF....WEBPVP8 ${trace}`);
}

/** Secrets of the rival's own customer: the link to their request, and the token of their uploads. */
export const RIVAL_SECRETS = { token: "r".repeat(43), uploadToken: "rival-upload-0000000000" } as const;

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

/**
 * Plants the rows of every tenant.
 *
 * @param openLead a lead on the market, for payments
 * @returns `own`: IDs of the provider's rows, by the kind of ID that a route takes. `claims`: a lead that anyone may
 * claim. `personal`: those of them that a team member must not access. `restore` returns the statements that write all
 * rows again, and restores the cards at Stripe
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
  const otherPurchase = await insertManualPurchase(target.db, provider, {
    stage: "called",
    startedAt: Date.now() - 10 * DAY_MS,
  });
  const [other] = await target.db.select().from(leadPurchases).where(eq(leadPurchases.id, otherPurchase));
  const shownReview = "rev_planted0000000000000";
  const work = { purchase_id: pipeline.purchaseId, business_id: provider.id };
  const ownPhotos: PhotoOwnership[] = [
    // One side alone has agreed to show each of these two.
    { kind: "before", ...work, customer_agreed_at: 1 },
    { kind: "after", ...work, provider_agreed_at: 1 },
    { kind: "request", lead_id: pipeline.leadId },
  ];
  const rivalPhotos: PhotoOwnership[] = [
    { kind: "logo", business_id: stranger.id },
    { kind: "work", business_id: stranger.id },
    { kind: "request", lead_id: rivals.leadId, upload_hash: hashToken(RIVAL_SECRETS.uploadToken) },
  ];
  const photos = [
    ...ownPhotos.map((owner, n) => ({ owner, mark: MARKS.business, n })),
    ...rivalPhotos.map((owner, n) => ({ owner, mark: MARKS.stranger, n })),
  ].map(({ owner, mark, n }) => ({ id: plantedPhotoId(mark.ref, n), owner, mark }));
  for (const { id, mark } of photos) await putPhotoFiles(target, id, mark.word);
  for (const { word, ref } of [MARKS.owner, MARKS.stranger])
    await target.putFile(`checks/chk_${ref}`, "application/pdf", `%PDF-1.7 Certificate of ${word}`);
  const statements = [
    ...pipeline.statements,
    ...rivals.statements,
    // Everyone may read the first one, no caller names the second, and the third is on a page that is offline.
    ...reviewRow(
      shownReview,
      provider.id,
      { purchaseId: otherPurchase, leadId: other!.leadId },
      { words: "Neat edges.", reply: "Thank you.", hiddenRule: null },
    ),
    ...reviewRow(`rev_${MARKS.owner.ref}`, provider.id, pipeline, {
      ...reviewTexts(MARKS.owner),
      hiddenRule: "abuse",
    }),
    ...reviewRow(`rev_${MARKS.stranger.ref}`, stranger.id, rivals, {
      ...reviewTexts(MARKS.stranger),
      hiddenRule: null,
    }),
    ...profileRows(provider, SLUGS.provider, null),
    ...profileRows(stranger, SLUGS.stranger, MARKS.stranger),
    ...restoreStatements("free_claims", {
      id: `clm_${MARKS.owner.ref}`,
      buyer_id: provider.id,
      purchase_id: otherPurchase,
      price_cents: LEAD_PRICE_CENTS,
      created_at: 1,
      revoked_at: null,
      used_for_lead_id: null,
      used_at: null,
      finished_at: null,
    }),
    ...paymentRows(provider, MARKS.owner, openLead),
    ...paymentRows(stranger, MARKS.stranger, openLead),
    ...personalRows(provider, MARKS.owner, 900_001),
    ...personalRows(stranger, MARKS.stranger, 900_002),
    ...personalRows(team, MARKS.team, 900_003),
    ...checkRow(provider, MARKS.owner),
    ...checkRow(stranger, MARKS.stranger),
    ...adminRows(provider, MARKS.admins),
    ...photos.flatMap(({ id, owner }) => photoRow(id, owner)),
    ...restoreStatements(
      "request_links",
      { token_hash: hashToken(RIVAL_SECRETS.token), lead_id: rivals.leadId, created_at: 1 },
      "token_hash",
    ),
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
      claims: openLead,
      purchases: pipeline.purchaseId,
      badLeads: `bad_${MARKS.business.ref}`,
      reviews: shownReview,
      payments: `pay_${ref}`,
      holds: `hold_${ref}`,
      cards: cards[0]!.id,
      users: team.id,
      notes: `note_${MARKS.admins.ref}`,
      messages: `msg_${MARKS.admins.ref}`,
      photos: photos.flatMap(({ id, mark }) => (mark === MARKS.business ? [id] : [])),
    },
    /** Photos that a caller may name in any request. The customer's agreement alone must not come with an offer. */
    photos: photos.flatMap(({ id, owner }) => (owner.customer_agreed_at ? [] : [id])),
    personal: Object.keys(personal),
    rivalPurchase: rivals.purchaseId,
    restore(): Statement[] {
      for (const card of cards) card.restore();
      return statements;
    },
  };
}

export type Tenants = Awaited<ReturnType<typeof plantTenants>>;
