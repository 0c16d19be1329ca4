/** The world under attack: its callers, planted people, and objects of every kind for requests to name. */
import type { UserRow } from "../worker/platform/caller.ts";
import { eq, inArray, or } from "drizzle-orm";

import { DAY_MS } from "../contract/durations.ts";
import { newId } from "../worker/platform/ids.ts";
import { alertSettings, leadPurchases, leads, pushDevices, sessions, users } from "../worker/tables.ts";
import { hashToken, newToken, SESSION_MS } from "../worker/identity/auth/rules.ts";
import { eventually } from "../testing/eventually.ts";
import {
  bookingRequest,
  insertBooking,
  insertBadLeadReport,
  insertManualPurchase,
  insertPayment,
  insertPendingLead,
  insertTeamMember,
  insertUser,
  quoteRequest,
} from "../testing/world.ts";
import { SCHEDULE_PATH } from "./counting.ts";
import {
  BANK_NUMBER,
  BOOKED,
  CALLERS,
  type CallerKind,
  LISTED,
  MARKS,
  PROVIDER,
  RIVAL,
  SOLD,
} from "./people.ts";
import type { Target } from "./product.ts";
import {
  photoRow,
  plantedPhotoId,
  plantTenants,
  putPhotoFiles,
  reviewRow,
  type Statement,
  type Tenants,
} from "./tenants.ts";

const person = (surname: string, phone: string) => ({
  customerName: `Marta ${surname}`,
  customerPhone: phone,
  customerEmail: `${surname.toLowerCase()}.mail@example.org`,
  customerAddress: `99 ${surname}gully Street, Leichhardt NSW 2040`,
  specificRequests: `Ring ${phone} or write to ${surname.toLowerCase()}.mail@example.org, the gate sticks.`,
});

export type World = Awaited<ReturnType<typeof buildWorld>>;

/** Creates a session directly, without the sign-in form and its log line. */
export function newSession({ db }: Target, userId: string, impersonatorId: string | null) {
  const token = newToken();
  const now = Date.now();
  const times = { createdAt: now, signedInAt: now, lastSeenAt: now, secondFactorAt: now };
  const who = { userId, impersonatorId, expiresAt: now + SESSION_MS };
  const row = { id: newId("ses"), tokenHash: hashToken(token), ...who, ...times };
  return { id: row.id, cookie: `session=${token}`, statement: db.insert(sessions).values(row).toSQL() };
}

/** Callers who can buy have a phone without quiet hours. */
const WITH_PHONE = ["provider", "stranger"] as const;

/** Subscribes a phone to lead notifications in its owner's session. */
async function newPhone({ db, outgoing, url }: Target, userId: string) {
  const id = newId("psh");
  const { endpoint, p256dh, auth } = await outgoing.phones.subscribe();
  const alwaysOnSettings = { userId, quietHours: { isOn: false, startsAt: "20:00", endsAt: "07:00" } };
  return {
    id,
    /** Subscribes it again in a session, whatever its current state. */
    restoreDevice(sessionId: string): Statement[] {
      const row = { id, userId, sessionId, endpoint, p256dh, auth, origin: url, createdAt: Date.now() };
      return [
        db.delete(pushDevices).where(or(eq(pushDevices.id, id), eq(pushDevices.endpoint, endpoint))),
        db.insert(pushDevices).values(row),
        db
          .insert(alertSettings)
          .values(alwaysOnSettings)
          .onConflictDoUpdate({ target: alertSettings.userId, set: alwaysOnSettings }),
      ].map((statement) => statement.toSQL());
    },
  };
}

type Phone = Awaited<ReturnType<typeof newPhone>>;

/** Returns texts about a business, each with a mark. */
const marked = (word: string) => ({
  businessAddress: `1 ${word} Street`,
  insuranceDetails: `Policy ${word}`,
  serviceAreas: `Around ${word}`,
  licenseNumber: `Licence ${word}`,
  textTemplates: [{ name: "Hello", text: `Hi from ${word}` }],
});

async function makeCallers({ db }: Target) {
  const provider = await insertUser(db, { ...PROVIDER, ...marked(MARKS.business.word) });
  const visitor = { email: "visitor.mail@example.org", phone: "0491 572 983" };
  return {
    provider,
    stranger: await insertUser(db, { ...RIVAL, ...marked(MARKS.stranger.word) }),
    customer: await insertUser(db, { ...visitor, userType: "customer", companyName: null }),
    team: await insertTeamMember(db, provider, { lastName: MARKS.business.word }),
    admin: await insertUser(db, { isSuperAdmin: true, phone: null }),
    impersonating: provider,
    deactivated: await insertUser(db, { isActive: false }),
  };
}

async function post(
  target: Target,
  path: string,
  body: object,
  cookie = "",
  method = "POST",
): Promise<unknown> {
  const headers = { Origin: target.url, "Content-Type": "application/json", Cookie: cookie };
  const init = { method, headers, body: JSON.stringify(body) };
  const response = await fetch(target.url + path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** More browsers than one account may register. */
const BROWSERS = 12;

/**
 * Plants photos of both customers' gardens, and a review. Their IDs and bytes have the customers' names. An admin has
 * hidden the review, whose text the redaction has missed.
 */
async function plantErasable(
  target: Target,
  listedId: string,
  provider: UserRow,
  { purchaseId, leadId }: { purchaseId: string; leadId: string },
): Promise<void> {
  const [[listed], [sold, phone]] = [LISTED, SOLD];
  const work = { purchase_id: purchaseId, business_id: provider.id, provider_agreed_at: 1 };
  const photos = [
    { name: listed, n: 1, owner: { kind: "request", lead_id: listedId } },
    { name: sold, n: 1, owner: { kind: "request", lead_id: leadId } },
    { name: sold, n: 2, owner: { kind: "after", ...work } },
  ] as const;
  const words = `${sold} says: ring ${phone} for a reference.`;
  const text = { words, reply: `Thank you, ${sold}.`, hiddenRule: "personal_data" };
  const statements = reviewRow("rev_sold0000000000000000", provider.id, { purchaseId, leadId }, text);
  for (const { name, n, owner } of photos) {
    const id = plantedPhotoId(name.toLowerCase(), n);
    await putPhotoFiles(target, id, name);
    statements.push(...photoRow(id, owner));
  }
  const counted = target.db.update(leads).set({ photoCount: 1 });
  await target.batch([...statements, counted.where(inArray(leads.id, [listedId, leadId])).toSQL()]);
}

/** Enough leads to buy, claim and move, but few enough to list at once. */
const OPEN_LEADS = 16;

/** Creates the planted rows of each tenant. Returns the IDs that callers may use, by the kind of ID in a route. */
async function makeIds(
  target: Target,
  callers: Record<"provider" | "stranger" | "team", UserRow>,
  phones: readonly Phone[],
) {
  const { db } = target;
  const { provider, stranger, team } = callers;
  const own: string[] = [];
  for (const stage of ["accepted_lead", "called", "quote_sent"] as const)
    own.push(await insertManualPurchase(db, provider, { stage, startedAt: Date.now() - 10 * DAY_MS }));
  const open: string[] = [];
  const past = Date.now() - 60_000;
  for (let i = 0; i < OPEN_LEADS; i++) open.push((await insertPendingLead(db, {}, past + i)).id);
  const quarantinedLead = await insertPendingLead(db, {}, past, ["honeypot"]);
  const report = await insertBadLeadReport(db, provider, own[1]!);
  const tenants = await plantTenants(target, callers, open[0]!);
  const planted = tenants.own;
  const ids = {
    leads: [...open, quarantinedLead.id],
    purchases: [...own, planted.purchases],
    badLeads: [report, planted.badLeads],
    checks: [planted.checks],
    reviews: [planted.reviews],
    claims: open,
    channels: ["push"],
    regions: ["nowhere"],
    devices: [...phones.map(({ id }) => id), planted.devices],
    bookings: [await insertBooking(db)],
    users: [stranger.id, team.id, provider.id],
    payments: [await insertPayment(db, provider, open[0]!), planted.payments],
    suburbs: ["sub_manly", "sub_leichhardt"],
    holds: ["hold_00000000000000000000", planted.holds],
    cards: ["pm_0000000000", planted.cards],
    sessions: ["ses_00000000000000000000", planted.sessions],
    passkeys: ["key_00000000000000000000", planted.passkeys],
    notes: [planted.notes],
    messages: [planted.messages],
    photos: tenants.photos,
  };
  return { ids, tenants };
}

export type Ids = Awaited<ReturnType<typeof makeIds>>["ids"];

/**
 * Fills an empty product with callers, planted people and objects of every kind for requests to name. The planted
 * people use the public API, like any visitor.
 */
export async function buildWorld(target: Target) {
  const { db } = target;
  const rows = await makeCallers(target);
  const cookies = { visitor: "" } as Record<CallerKind, string>;
  const kinds = Object.keys(rows) as (keyof typeof rows)[];
  const restored = Object.fromEntries(
    kinds.map((kind) => {
      const { id, ...account } = rows[kind];
      return [kind, db.update(users).set(account).where(eq(users.id, id)).toSQL()];
    }),
  ) as Record<CallerKind, Statement>;
  const impersonators: Partial<Record<CallerKind, string>> = { impersonating: rows.admin.id };
  const phones: Partial<Record<CallerKind, Phone>> = {};
  for (const kind of WITH_PHONE) phones[kind] = await newPhone(target, rows[kind].id);
  let tenants: Tenants | null = null;
  /** Restores every tenant's planted rows, and the accounts, sessions and phones of these callers. */
  async function renew(which: readonly CallerKind[] = CALLERS): Promise<void> {
    const statements = kinds
      .filter((kind) => which.includes(kind))
      .flatMap((kind) => {
        const { id, cookie, statement } = newSession(target, rows[kind].id, impersonators[kind] ?? null);
        cookies[kind] = cookie;
        return [restored[kind], statement, ...(phones[kind]?.restoreDevice(id) ?? [])];
      });
    await target.batch([...statements, ...(tenants?.restore() ?? [])]);
  }
  await renew();
  await post(target, "/api/leads", quoteRequest(person(...LISTED)));
  const { id: soldId } = (await post(target, "/api/leads", quoteRequest(person(...SOLD)))) as { id: string };
  const [name, phone] = BOOKED;
  const booking = {
    name,
    phone,
    email: person(...BOOKED).customerEmail,
    vehicle: "Van",
    message: `Ring ${phone}`,
  };
  await post(target, "/api/bookings", bookingRequest({ ...booking, serviceType: "pre_purchase_inspection" }));
  const bank = { bankName: "Harbour Bank", accountName: "Pat", bsb: "062-000", accountNumber: BANK_NUMBER };
  await post(target, "/api/user/bank-details", bank, cookies.provider, "PUT");
  const { ids, ...made } = await makeIds(target, rows, Object.values(phones));
  tenants = made.tenants;
  await fetch(target.url + SCHEDULE_PATH);
  const buyer = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  // A request is listed after its visitor has received the response.
  await eventually(() => post(target, `/api/leads/${soldId}/purchase`, buyer, cookies.provider));
  const [bought] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, soldId));
  const purchase = { purchaseId: bought!.id, leadId: soldId };
  // Any caller may name these IDs in requests that change nothing.
  const planted = await db
    .select({ id: leads.id })
    .from(leads)
    .where(eq(leads.customerName, `Marta ${LISTED[0]}`));
  await plantErasable(target, planted[0]!.id, rows.provider, purchase);
  return {
    ids,
    cookies,
    /** Callers' accounts. */
    users: rows,
    tenants: made.tenants,
    /** Subscriptions that any caller may register. A subscription belongs only to its latest registrant. */
    browsers: await Promise.all(Array.from({ length: BROWSERS }, () => target.outgoing.phones.subscribe())),
    renew,
    planted: { leads: [soldId, planted[0]!.id], purchases: [bought!.id] },
    password: { username: rows.provider.username },
    newId,
  };
}
