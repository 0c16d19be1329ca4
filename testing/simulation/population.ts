/** A world's initial users and leads, as D1 stores them: businesses, a team member, an admin, leads. */
import { readdirSync, readFileSync } from "node:fs";

import { CONSENT_WORDING } from "../../contract/consent.ts";
import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import type { Region } from "../../contract/regions.ts";
import { hashToken } from "../../worker/identity/auth/rules.ts";
import { requestKeys } from "../../worker/leads/quarantine/contact-keys.ts";
import type { Subscription } from "../stand-ins/push-stand-in.ts";
import type { Row, Statements } from "./statements.ts";

export const REGIONS = ["inner-west", "parramatta"] as const satisfies Region[];

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

/** Returns the tables as deployed, with only the suburbs that two addresses need. */
export function schemaText(): string {
  const tables = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql") && !name.includes("load-nsw-suburbs"))
    .toSorted()
    .map((name) => readFileSync(new URL(name, MIGRATIONS), "utf8"));
  const suburbs = [
    "('sub_leichhardt', 'leichhardt', 'Leichhardt', 'leichhardt', '2040', 'Inner West', 'inner-west', -33.88, 151.15)",
    "('sub_harris-park', 'harris-park', 'Harris Park', 'harris park', '2150', 'Parramatta', 'parramatta', -33.82, 151.01)",
  ];
  return `${tables.join("\n")};
    INSERT INTO suburbs (id, slug, name, name_key, postcode, council, region, latitude, longitude) VALUES ${suburbs.join(", ")};
    ${PAST}`;
}

/** An old purchase, which the worlds' free claims refer to. */
const PAST = `
  INSERT INTO users (id, username, password_hash, user_type, first_name, last_name, created_at, updated_at)
    VALUES ('user_past', 'past', '', 'provider', 'Past', 'Provider', 0, 0);
  INSERT INTO leads (id, source, customer_name, customer_phone, customer_address, service_type, property_type, property_size,
      urgency, frequency, budget_concern, previous_experience, preferred_time, additional_services, region, listing_state,
      status, price_cents, created_at, expires_at)
    VALUES ('lead_inner-west_past0000', 'manual', 'Past', '', '', '[]', 'residential', 'small', 'flexible', 'weekly',
      'not_important', 'first_time', 'anytime', '[]', 'inner-west', 'private', 'sold', 5000, 0, 0);
  INSERT INTO lead_purchases (id, lead_id, buyer_id, bought_by_user_id, buyer_name, mode, amount_paid_cents, purchased_at, updated_at)
    VALUES ('pur_past0000', 'lead_inner-west_past0000', 'user_past', 'user_past', 'Past', 'manual', 0, 0, 0);
`;

function insert(d1: Statements, table: string, row: Row): void {
  const names = Object.keys(row);
  d1.rows(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    Object.values(row),
  );
}

/** A user with an account, who may be signed in. */
export type Person = {
  name: string;
  userId: string;
  businessId: string;
  sessionId: string;
  cookie: string;
};

/**
 * Stores a signed-in user.
 *
 * @param person `mark`: the end of their IDs, derived from the seed. `number`: makes the token unique to this
 * world, because isolates cache some tokens
 */
export function addPerson(
  d1: Statements,
  now: number,
  person: {
    name: string;
    mark: string;
    number: number;
    of?: Person;
    isAdmin?: boolean;
    /** The business has paid for a lead before. */
    hasPaid?: boolean;
  },
): Person {
  const { name, mark, number, of, isAdmin = false, hasPaid = false } = person;
  const userId = `user_${name}${mark}`;
  insert(d1, "users", {
    id: userId,
    username: userId,
    password_hash: "",
    user_type: of ? "team_member" : "provider",
    team_owner_id: of?.userId ?? null,
    first_name: name,
    last_name: "Provider",
    is_super_admin: Number(isAdmin),
    // The others are new providers, with fewer and shorter holds.
    is_verified: Number(name === "anna"),
    paying_since: hasPaid ? now : null,
    created_at: now,
    updated_at: now,
  });
  const sessionId = `ses_${name}${mark}`;
  const token = `token-${name}-${mark}-${number}`;
  insert(d1, "sessions", {
    id: sessionId,
    token_hash: hashToken(token),
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    expires_at: now + 30 * 24 * 60 * 60_000,
  });
  return { name, userId, businessId: of?.businessId ?? userId, sessionId, cookie: `session=${token}` };
}

export type Customer = { phone: string; email: string; surname: string; street: string };

/** Returns the customer of a world's nth lead. Each detail identifies the customer. */
export function customerOf(n: number): Customer {
  const letter = "ABCDEF"[n]!;
  return {
    phone: `0491 570 00${n}`,
    email: `quokka${letter.toLowerCase()}@example.com`,
    surname: `Quokka${letter}berg`,
    street: `Wombat${letter}`,
  };
}

/** Returns the request of the nth lead's customer. */
export function requestOf(n: number): Record<string, string> {
  const { phone, email, surname, street } = customerOf(n);
  return {
    customerName: `Anna ${surname}`,
    customerPhone: phone,
    customerEmail: email,
    customerAddress: `12 ${street} Street, Leichhardt NSW 2040`,
  };
}

/** How often a customer wants the service after they changed the job. */
export const CHANGED_FREQUENCY = "monthly";

/** Stores a pending lead, as after a crash. */
export function addLead(
  d1: Statements,
  lead: { id: string; n: number; region: string; now: number; lifetimeMs: number; hasEmail: boolean },
): void {
  const { id, n, region, now, lifetimeMs, hasEmail } = lead;
  const { customerName, customerPhone, customerEmail, customerAddress } = requestOf(n) as Record<
    string,
    string
  >;
  const keys = keysOf(n);
  insert(d1, "leads", {
    id,
    source: "quote",
    customer_name: customerName,
    customer_phone: customerPhone,
    customer_email: hasEmail ? customerEmail : null,
    customer_address: customerAddress,
    service_type: '["lawn_mowing"]',
    property_type: "residential",
    property_size: "medium",
    urgency: "flexible",
    frequency: "weekly",
    budget_concern: "not_important",
    previous_experience: "first_time",
    preferred_time: "anytime",
    additional_services: "[]",
    suburb_id: "sub_leichhardt",
    suburb_name: "Leichhardt",
    suburb_postcode: "2040",
    region,
    listing_state: "pending",
    price_cents: LEAD_PRICE_CENTS,
    // It allows a rescue.
    consent_wording: CONSENT_WORDING,
    ...keys,
    created_at: now - 60_000 + n,
    expires_at: now + lifetimeMs,
  });
}

const knownKeys = new Map<number, Row>();

function keysOf(n: number): Row {
  let keys = knownKeys.get(n);
  if (!keys) {
    const { phoneKey, emailKey, streetKey } = requestKeys(requestOf(n) as never);
    knownKeys.set(n, (keys = { phone_key: phoneKey, email_key: emailKey, street_key: streetKey }));
  }
  return keys;
}

/** Turns notifications on for a user's browser, and lets the user watch both regions. */
export function addDevice(
  d1: Statements,
  now: number,
  person: Person,
  { endpoint, p256dh, auth }: Subscription,
): void {
  const { userId, sessionId } = person;
  const id = `psh_${userId}`;
  const origin = "https://naturestrip.example";
  const row = { id, user_id: userId, session_id: sessionId, endpoint, p256dh, auth, origin, created_at: now };
  insert(d1, "push_devices", row);
  d1.rows("UPDATE users SET watched_regions = ? WHERE id = ?", [JSON.stringify(REGIONS), userId]);
}

/** Switches text messages on, as an admin does. */
export function switchTextsOn(d1: Statements): void {
  insert(d1, "message_channels", { channel: "sms", is_on: 1, most_a_day: 200 });
}

/** Gives a business a free claim. */
export function addFreeClaim(d1: Statements, now: number, businessId: string, id: string): void {
  d1.rows(
    "INSERT INTO free_claims (id, buyer_id, purchase_id, price_cents, created_at) VALUES (?, ?, ?, ?, ?)",
    [id, businessId, "pur_past0000", 5000, now],
  );
}

/** Enqueues an operator's job, as `npm run operate` does. */
export function addJob(d1: Statements, now: number, job: { id: string; kind: string; input: object }): void {
  const { id, kind, input } = job;
  insert(d1, "operator_jobs", { id, kind, input: JSON.stringify(input), created_at: now, updated_at: now });
}

/** Enqueues the nightly reconciliation of payments and sales. */
export function addReconciliation(d1: Statements, now: number, id: string): void {
  addJob(d1, now, { id, kind: "reconcile", input: { since: 0, isFix: true, region: null } });
}

/** Enqueues an erasure. */
export function addErasure(d1: Statements, now: number, id: string, phone: string): void {
  addJob(d1, now, { id, kind: "erase_person", input: { phone, email: null } });
}
