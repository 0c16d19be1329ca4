/**
 * Fills D1 with years of market history in seconds, using SQL alone: a million leads with all their related
 * rows, or a fraction in the same proportions. The statements bind no values and write referenced tables
 * first.
 */
import { MAX_DATE_MS } from "../contract/pipeline.ts";
import { REGION_SLUGS } from "../contract/regions.ts";

/** Row counts of the full-size market. */
const FULL = {
  leads: 1_000_000,
  purchases: 200_000,
  payments: 100_000,
  providers: 5_000,
  /** One team member for each provider, and customers with an account. */
  others: 25_000,
  inspections: 100_000,
  reports: 10_000,
  claims: 5_000,
  cases: 10_000,
  reviews: 50_000,
  profiles: 3_000,
  photos: 50_000,
  sessions: 15_000,
  signIns: 100_000,
  audit: 1_000_000,
  starts: 40_000,
  tries: 20_000,
};

type MarketSize = typeof FULL;

const YEARS = 5;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const LIFETIME_MS = 14 * DAY_MS;
/** Unsold leads are anonymised after this time, by default. */
const RETENTION_MS = 365 * DAY_MS;

/** Returns the row counts of a smaller market. @param part the fraction of the full size, e.g. 1/20 */
export function scaleMarket(part: number): MarketSize {
  const parts = Object.entries(FULL).map(([name, count]) => [name, Math.round(count * part)]);
  return Object.fromEntries(parts) as MarketSize;
}

/** Returns SQL for an ID in the product's format that ends with the number. */
const id = (prefix: string, number: string) => `printf('${prefix}_%020d', ${number})`;
const user = (number: string) => id("user", number);
const REGION = `json_extract('${JSON.stringify(REGION_SLUGS)}', '$[' || (i % ${REGION_SLUGS.length}) || ']')`;

/** Returns the ID of the lead with this number. The ID contains its region. */
export function bigMarketLead(number: number): string {
  return `lead_${REGION_SLUGS[number % REGION_SLUGS.length]}_${String(number).padStart(20, "0")}`;
}

const leadOf = (number: string) =>
  `printf('lead_%s_%020d', ${REGION.replaceAll("i %", `(${number}) %`)}, ${number})`;

/** Returns an INSERT of many rows. Each column is an expression over the row number `i`, starting at 1. */
function rows(table: string, count: number, columns: Record<string, string>): string {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  return `INSERT INTO ${table} (${Object.keys(columns).join(", ")}) ${numbers} SELECT ${Object.values(columns).join(", ")} FROM n`;
}

function people({ providers, others }: MarketSize, now: number): string[] {
  const isTeam = `i > ${providers} AND i <= ${2 * providers}`;
  const users = rows("users", providers + others, {
    id: user("i"),
    username: "'person-' || i",
    email: "'person-' || i || '@example.com'",
    password_hash: "'x'",
    user_type: `CASE WHEN i <= ${providers} THEN 'provider' WHEN ${isTeam} THEN 'team_member' ELSE 'customer' END`,
    team_owner_id: `CASE WHEN ${isTeam} THEN ${user(`i - ${providers}`)} END`,
    first_name: "'Pat'",
    last_name: "'Person ' || i",
    phone: "printf('02 %08d', i)",
    company_name: "'Green Strip ' || i",
    is_active: "i % 50 <> 0",
    created_at: `${now} - (i % 1000) * ${DAY_MS}`,
    updated_at: `${now}`,
  });
  const bank = rows("bank_details", providers, {
    user_id: user("i"),
    ciphertext: "hex(randomblob(80))",
    key_id: "'test'",
    updated_at: `${now}`,
  });
  return [users, bank];
}

/** Sessions, passkeys and sign-ins. */
function access({ providers, sessions, signIns, tries }: MarketSize, now: number): string[] {
  const who = user(`1 + i % ${providers}`);
  const keys = { user_id: who, created_at: `${now} - i` };
  return [
    rows("sessions", sessions, {
      id: id("ses", "i"),
      token_hash: "lower(hex(randomblob(32)))",
      user_id: who,
      created_at: `${now} - (i % 20) * ${DAY_MS}`,
      last_seen_at: `${now} - (i % 20) * ${DAY_MS}`,
      expires_at: `${now} + (30 - i % 20) * ${DAY_MS}`,
    }),
    rows("live_sockets", sessions, { session_id: id("ses", "i"), place: `'region:' || ${REGION}` }),
    rows("sign_ins", signIns, {
      user_id: who,
      at: `${now} - (i % 89) * ${DAY_MS}`,
      method: "'password'",
      succeeded: "1",
      device: "'Safari on iPhone'",
    }),
    rows("passkeys", providers, {
      id: id("key", "i"),
      credential_id: "hex(randomblob(16))",
      public_key: "hex(randomblob(64))",
      counter: "0",
      transports: "'[]'",
      is_synced: "1",
      name: "'Phone'",
      ...keys,
    }),
    // The providers' sessions have ended, so these devices receive nothing.
    rows("push_devices", providers, {
      id: id("psh", "i"),
      session_id: id("ses", "-i"),
      endpoint: "'https://push.naturestrip.test/' || i",
      p256dh: "''",
      auth: "''",
      origin: "''",
      ...keys,
    }),
    rows("alert_settings", providers, {
      user_id: user("i"),
      quiet_hours: `'{"isOn":true,"startsAt":"20:00","endsAt":"07:00"}'`,
      regions: `'["inner-west"]'`,
      least_size: "'medium'",
      paused_until: `CASE WHEN i % 10 = 0 THEN ${now} + i END`,
    }),
    rows("messages", sessions, {
      id: id("msg", "i"),
      dedupe_key: id("key", "i"),
      channel: "'push'",
      template: "'new_lead'",
      recipient: id("psh", `1 + i % ${providers}`),
      user_id: who,
      payload: "'{}'",
      due: `${now} - i`,
      expires_at: `${now} - i`,
      state: "'sent'",
      created_at: `${now} - i`,
    }),
    rows("one_time_secrets", providers * 10, {
      id: id("sec", "i"),
      purpose: "'recovery_code'",
      hash: "hex(randomblob(32))",
      expires_at: `${MAX_DATE_MS}`,
      ...keys,
    }),
    rows("one_time_secrets", tries, {
      id: id("chl", "i"),
      purpose: "'confirm'",
      hash: id("ses", "i"),
      expires_at: `${now} + ${HOUR_MS} + i`,
      created_at: `${now}`,
    }),
    rows("one_time_secrets", tries, {
      id: id("link", "i"),
      purpose: "'password'",
      hash: "hex(randomblob(32))",
      expires_at: `${now} + ${HOUR_MS} + i`,
      ...keys,
    }),
    rows("sign_in_failures", tries, {
      account_key: "hex(randomblob(16))",
      failures: "1",
      last_at: `${now} - i`,
    }),
  ];
}

/** Inserts leads, oldest first. One in five is sold, and the newest are on the market. */
function requests({ leads, starts, photos }: MarketSize, now: number): string[] {
  const at = `(${now} - (${leads} - i) * ${Math.floor((YEARS * 365 * DAY_MS) / leads)})`;
  const isSold = "i % 5 = 0";
  const isOwn = "i % 20 = 0";
  const isOpen = `${at} > ${now - LIFETIME_MS}`;
  const isKept = `i % 200 = 3 AND ${at} > ${now - RETENTION_MS}`;
  const isErased = `NOT (${isSold}) AND ${at} < ${now - RETENTION_MS}`;
  const unlessErased = (value: string) => `CASE WHEN ${isErased} THEN NULL ELSE ${value} END`;
  const stored = rows("leads", leads, {
    id: leadOf("i"),
    submission_id: "'submission-' || i",
    source: `CASE WHEN ${isOwn} THEN 'manual' WHEN i % 10 = 1 THEN 'booking' ELSE 'quote' END`,
    customer_name: `CASE WHEN ${isErased} THEN 'Erased' ELSE 'Anna Brown ' || i END`,
    customer_phone: `CASE WHEN ${isErased} THEN '' ELSE printf('04%08d', i) END`,
    customer_email: unlessErased("'anna' || i || '@example.com'"),
    customer_address: `CASE WHEN ${isErased} THEN '' ELSE i || ' Banksia Street, Leichhardt NSW 2040' END`,
    service_type: `'["lawn_care"]'`,
    property_type: "'residential'",
    property_size: "'medium'",
    urgency: "'flexible'",
    frequency: "'once'",
    budget_concern: "'moderate'",
    previous_experience: "'none'",
    specific_requests: unlessErased(
      "'The side gate sticks a little, and the dog is friendly once it knows you. ' || i",
    ),
    preferred_time: "'flexible'",
    additional_services: "'[]'",
    suburb_id: "'sub_leichhardt'",
    suburb_name: "'Leichhardt'",
    suburb_postcode: "'2040'",
    latitude: "-33.88",
    longitude: "151.15",
    region: REGION,
    listing_state: `CASE WHEN ${isOwn} THEN 'private' WHEN ${isSold} THEN 'closed' WHEN ${isKept} THEN 'quarantined' WHEN ${isOpen} THEN 'listed' ELSE 'closed' END`,
    status: `CASE WHEN ${isSold} THEN 'sold' WHEN ${isOpen} OR (${isKept}) THEN 'available' WHEN i % 7 = 0 THEN 'withdrawn' ELSE 'expired' END`,
    exchange_version: "2",
    lead_score: "i % 100",
    price_cents: "5000",
    consent_wording: "'v1'",
    consent_at: at,
    phone_key: unlessErased("'+614' || printf('%08d', i)"),
    other_phone_key: `CASE WHEN i % 100 = 0 AND NOT (${isErased}) THEN '+612' || printf('%08d', i) ELSE '' END`,
    email_key: unlessErased("'anna' || i || '@example.com'"),
    street_key: unlessErased("i || ' banksia'"),
    origin_key: unlessErased("lower(hex(randomblob(11)))"),
    redacted_name: unlessErased("'Anna B.'"),
    redacted_requests: unlessErased(
      "'The side gate sticks a little, and the dog is friendly once it knows you.'",
    ),
    photo_count: `CASE WHEN (${leads} - i) % 4 = 1 AND (${leads} - i - 1) / 4 BETWEEN 1 AND ${photos} THEN 1 ELSE 0 END`,
    erased_at: `CASE WHEN ${isErased} THEN ${at} + ${RETENTION_MS} END`,
    created_at: at,
    expires_at: `${at} + ${LIFETIME_MS}`,
  });
  return [
    stored,
    rows("form_starts", starts, {
      nonce: "hex(randomblob(12))",
      submission_id: "'s' || i",
      used_at: `${now} - i`,
    }),
  ];
}

/** Inserts bookings. Bookings for garden work have become leads, and nearly all inspections are handled. */
function bookingRows({ leads, inspections }: MarketSize, now: number): string[] {
  const person = {
    name: "'Ivy ' || i",
    phone: "printf('03%08d', i)",
    email: "'ivy' || i || '@example.com'",
    property_size: "'medium'",
    phone_key: "'+613' || printf('%08d', i)",
    other_phone_key: "''",
    email_key: "'ivy' || i || '@example.com'",
  };
  const span = YEARS * 365 * DAY_MS;
  const at = (count: number) => `${now} - (${count} - i) * ${Math.floor(span / count)}`;
  return [
    rows("bookings", leads / 10, {
      id: id("bkg", "i"),
      ...person,
      service_type: "'hedge_trimming'",
      lead_id: leadOf("(i * 10 - 9)"),
      created_at: at(leads / 10),
    }),
    rows("bookings", inspections, {
      id: id("bkg", `${leads} + i`),
      ...person,
      service_type: "'pre_purchase_inspection'",
      handled_at: `CASE WHEN i % 1000 <> 0 THEN ${now} END`,
      erased_at: `CASE WHEN ${at(inspections)} < ${now - RETENTION_MS} THEN ${now} END`,
      created_at: at(inspections),
    }),
  ];
}

/** Inserts purchases of every fifth lead, half of them by card. */
function sales(
  { leads, purchases, payments, providers, reports, claims }: MarketSize,
  now: number,
): string[] {
  const each = Math.floor((YEARS * 365 * DAY_MS) / leads);
  const at = (lead: string) => `(${now} - (${leads} - ${lead}) * ${each} + 1000)`;
  const buyer = `1 + i % ${providers}`;
  return [
    rows("lead_purchases", purchases, {
      id: id("pur", "i"),
      lead_id: leadOf("(i * 5)"),
      buyer_id: user(buyer),
      bought_by_user_id: user(buyer),
      buyer_name: "'Pat Person'",
      buyer_email: "'pat@example.com'",
      buyer_phone: "'02 5550 0100'",
      buyer_company: "'Green Strip'",
      mode: "CASE WHEN i % 4 = 0 THEN 'manual' WHEN i % 2 = 1 THEN 'stripe' ELSE 'claimed' END",
      amount_paid_cents: "CASE WHEN i % 2 = 1 THEN 5000 ELSE 0 END",
      payment_status: "'completed'",
      payment_intent_id: "CASE WHEN i % 2 = 1 THEN 'pi_' || ((i + 1) / 2) END",
      purchased_at: at("i * 5"),
      clock_ends_at: `CASE WHEN i % 4 <> 0 THEN ${at("i * 5")} + 86400000 END`,
      sales_stage: "CASE WHEN i % 3 = 0 THEN 'called' ELSE 'quote_sent' END",
      sales_notes: "'Rang, wants a price by Friday.'",
      finalised_at: `CASE WHEN i % 10 <> 0 THEN ${at("i * 5")} END`,
      updated_at: at("i * 5"),
    }),
    rows("stage_changes", purchases, {
      purchase_id: id("pur", "i"),
      to_stage: "'accepted_lead'",
      changed_by_user_id: user(buyer),
      changed_at: at("i * 5"),
    }),
    rows("stage_changes", purchases, {
      purchase_id: id("pur", "i"),
      from_stage: "'accepted_lead'",
      to_stage: "'called'",
      changed_by_user_id: user(buyer),
      changed_at: `${at("i * 5")} + 1000`,
    }),
    rows("contact_log", purchases, {
      purchase_id: id("pur", "i"),
      outcome: "'no_answer'",
      by_user_id: user(buyer),
      at: `${at("i * 5")} + 500`,
      logged_at: `${at("i * 5")} + 500`,
      entry_key: "printf('%020d', i)",
    }),
    rows("contact_corrections", purchases, {
      purchase_id: id("pur", "i"),
      phone_before: "'0491 570 006'",
      phone_key: "printf('+614%08d', i)",
      other_phone_key: "''",
      email_key: "iif(i % 2, NULL, printf('customer-%d@example.com', i))",
      changed_by_user_id: user(buyer),
      changed_at: `${at("i * 5")} + 600`,
    }),
    rows("customer_updates", purchases, {
      id: id("upd", "i"),
      lead_id: leadOf("(i * 5)"),
      kind: "'changed'",
      at: `${at("i * 5")} + 700`,
    }),
    rows("rescue_offers", purchases, {
      lead_id: leadOf("(i * 5)"),
      business_id: user(buyer),
      offered_at: `${at("i * 5")} + 800`,
      ends_at: `${at("i * 5")} + 900`,
      outcome: "'ended'",
    }),
    rows("customer_answers", purchases, {
      id: id("ans", "i"),
      purchase_id: id("pur", "i"),
      body: "'Can you come on Friday?'",
      gateway_ref: "printf('%043d', i)",
      at: `${at("i * 5")} + 700`,
    }),
    rows("payments", payments, {
      id: id("pay", "i"),
      hold_id: id("hold", "i"),
      lead_id: leadOf("((i * 2 - 1) * 5)"),
      region: REGION,
      buyer_id: user(`1 + (i * 2 - 1) % ${providers}`),
      user_id: user(`1 + (i * 2 - 1) % ${providers}`),
      stripe_payment_intent_id: "'pi_' || i",
      state: "CASE WHEN i % 10 = 0 THEN 'cancelled' WHEN i % 100 = 7 THEN 'refunded' ELSE 'succeeded' END",
      amount_cents: "5000",
      card_brand: "'visa'",
      card_last4: "'4242'",
      claim_key: "'claim-' || i",
      released_at: `CASE WHEN i % 10 = 0 THEN ${at("i * 10")} END`,
      succeeded_at: at("i * 10"),
      seen_at_stripe_at: `${now}`,
      created_at: at("i * 10"),
      updated_at: at("i * 10"),
    }),
    rows("bad_lead_reports", reports, {
      id: id("bad", "i"),
      purchase_id: id("pur", "i * 10"),
      lead_id: leadOf("(i * 50)"),
      buyer_id: user(`1 + (i * 10) % ${providers}`),
      reason: "'disconnected'",
      note: "'No one answers.'",
      state: "CASE WHEN i % 500 = 0 THEN 'open' WHEN i % 2 = 0 THEN 'granted' ELSE 'refused' END",
      created_at: at("i * 50"),
    }),
    rows("free_claims", claims, {
      id: id("clm", "i"),
      buyer_id: user(`1 + (i * 2) % ${providers}`),
      purchase_id: id("pur", "i * 20"),
      price_cents: "5000",
      created_at: at("i * 100"),
      used_for_lead_id: `CASE WHEN i % 5 <> 0 THEN ${leadOf("(i * 10)")} END`,
      used_at: `CASE WHEN i % 5 <> 0 THEN ${at("i * 100")} END`,
      finished_at: `CASE WHEN i % 5 <> 0 THEN ${now} END`,
    }),
  ];
}

/** Half of the invited customers wrote a review. */
const ifWritten = (value: string) => `CASE WHEN i % 2 = 0 THEN ${value} END`;

/** Inserts cases of the guarantee and reviews. A business bought each reviewed lead by card. */
function outcomes({ leads, cases, reviews, providers }: MarketSize, now: number): string[] {
  const each = Math.floor((YEARS * 365 * DAY_MS) / leads);
  const at = (purchase: string) => `(${now} - (${leads} - ${purchase} * 5) * ${each} + 1000)`;
  const buyer = (purchase: string) => user(`1 + ${purchase} % ${providers}`);
  const [inCase, reviewed] = ["(i * 20 - 1)", "(i * 4 - 1)"];
  return [
    rows("guarantee_cases", cases, {
      purchase_id: id("pur", inCase),
      lead_id: leadOf(`(${inCase} * 5)`),
      buyer_id: buyer(inCase),
      rule: "'no_answer'",
      state: "CASE WHEN i % 500 = 0 THEN 'asked' WHEN i % 2 = 0 THEN 'granted' ELSE 'refused' END",
      due_at: `CASE WHEN i % 500 = 0 THEN ${now} + ${10 * DAY_MS} END`,
      created_at: at(inCase),
      updated_at: at(inCase),
    }),
    rows("reviews", reviews, {
      id: id("rev", "i"),
      purchase_id: id("pur", reviewed),
      lead_id: leadOf(`(${reviewed} * 5)`),
      business_id: buyer(reviewed),
      invited_at: at(reviewed),
      ends_at: `${at(reviewed)} + ${60 * DAY_MS}`,
      stars: ifWritten("1 + i % 5"),
      words: ifWritten("'They came on Friday and left the garden tidy.'"),
      customer_name: ifWritten("'Anna'"),
      suburb_id: "'sub_leichhardt'",
      service_type: "'lawn_care'",
      written_at: ifWritten(`${at(reviewed)} + 1`),
      flag: "CASE WHEN i % 1000 = 0 THEN 'network' END",
      hidden_rule: "CASE WHEN i % 500 = 2 THEN 'abuse' END",
      hidden_at: `CASE WHEN i % 500 = 2 THEN ${at(reviewed)} + 2 END`,
      updated_at: at(reviewed),
    }),
  ];
}

/** Inserts businesses' pages and their checks. The first two businesses have neither: a test adds a page for one. */
function pages({ profiles }: MarketSize, now: number): string[] {
  const business = user("(i + 2)");
  const checks = ["abn", "insurance", "police"].map((kind) =>
    rows("provider_checks", profiles, {
      id: id(kind, "i"),
      business_id: business,
      kind: `'${kind}'`,
      state: "CASE WHEN i % 50 = 0 THEN 'waiting' WHEN i % 4 = 0 THEN 'ended' ELSE 'valid' END",
      seen_on: "'2026-01-01'",
      ends_on: `CASE WHEN i % 4 = 0 THEN '2026-02-01' ELSE '2099-12-31' END`,
      created_at: `${now} - i * ${HOUR_MS}`,
    }),
  );
  return [
    rows("provider_profiles", profiles, {
      business_id: business,
      slug: "'green-strip-' || i",
      is_public: "i % 10 <> 0",
      words: "'We look after small gardens.'",
      suburb_id: "'sub_leichhardt'",
      created_at: `${now} - i`,
      updated_at: `${now} - i`,
    }),
    // Five councils for each business.
    rows("profile_councils", profiles * 5, {
      business_id: user("(3 + (i - 1) / 5)"),
      council: "iif(i % 35 = 0, 'Inner West Council', 'Council ' || ((i * 7 + i / 35) % 35))",
    }),
    ...checks,
  ];
}

/** Inserts photos of recent requests, of finished work in public pairs, and of businesses. The bucket does not have their files. */
function photoRows({ leads, photos, purchases, profiles, providers }: MarketSize, now: number): string[] {
  const size = { width: "1600", height: "1200", bytes: "300000", created_at: `${now} - i` };
  const work = photos / 10;
  const job = `(${purchases} - (i + i % 2) * 4 - 1)`;
  return [
    rows("photos", photos, {
      id: id("pho", "i"),
      kind: "'request'",
      lead_id: leadOf(`(${leads} - i * 4 - 1)`),
      ...size,
    }),
    rows("photos", work, {
      id: id("work", "i"),
      kind: "iif(i % 2 = 0, 'after', 'before')",
      purchase_id: id("pur", job),
      business_id: user(`1 + ${job} % ${providers}`),
      customer_agreed_at: `${now}`,
      provider_agreed_at: `${now}`,
      ...size,
    }),
    rows("photos", profiles, { id: id("logo", "i"), kind: "'logo'", business_id: user("(i + 2)"), ...size }),
  ];
}

function log({ audit, tries }: MarketSize, now: number): string[] {
  return [
    rows("audit_log", audit, {
      at: `${now} - (${audit} - i) * ${Math.floor((YEARS * 365 * DAY_MS) / audit)}`,
      actor_user_id: user("1 + i % 500"),
      action: "'purchase.stage'",
      subject_type: "'purchase'",
      subject_id: id("pur", "i % 200000"),
      after: `'{"stage":"called"}'`,
      request_id: "hex(randomblob(8))",
    }),
    rows("attention", tries, {
      kind: "'refund_failed'",
      subject_id: id("pay", "i"),
      detail: "'A refund is still owed'",
      since: `${now} - i`,
      resolved_at: `CASE WHEN i % 1000 <> 0 THEN ${now} - i END`,
    }),
    rows("operator_jobs", tries, {
      id: "'job_past_' || i",
      kind: "'reconcile'",
      state: "'done'",
      created_at: `${now} - i`,
      updated_at: `${now} - i`,
    }),
  ];
}

/** Returns the statements that write a market. @param now the time of the newest lead, in epoch ms */
export function bigMarket(size: MarketSize, now: number): string[] {
  return [people, access, requests, bookingRows, sales, outcomes, pages, photoRows, log].flatMap((part) =>
    part(size, now),
  );
}
