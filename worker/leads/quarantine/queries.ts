import { DAY_MS } from "../../../contract/durations.ts";
import { and, desc, eq, gt, gte, inArray, lte, sql } from "drizzle-orm";
import {
  calledOffId,
  readStoredChange,
  requestId,
  selectPendingChanges,
} from "../customer-update-queries.ts";

import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import { requestKeys } from "./contact-keys.ts";
import {
  type Requester,
  LIKENESS_WINDOW_MS,
  ORIGIN_WINDOW_MS,
  BURST_MS,
  SERIES_WINDOW_MS,
  USUAL_DAYS,
  WIDEST_TIMES,
} from "./sign-rules.ts";
import { phoneRange, TEMPLATE_MARKS } from "./text-rules.ts";

/** Keys that link a request to earlier ones. */
export type RequestKeys = {
  phoneKey: string | null;
  emailKey: string | null;
  streetKey: string | null;
  originKey: string | null;
};

/** Maximum rows per query, newest first. */
const MAX_READ = 50;
/** Maximum rows counted for a suburb. A suburb with more rows in `USUAL_DAYS` is always busy. */
const MAX_COUNTED = 500;

const requesterColumns = {
  customerName: leads.customerName,
  phoneKey: leads.phoneKey,
  emailKey: leads.emailKey,
  streetKey: leads.streetKey,
  suburbId: leads.suburbId,
  originKey: leads.originKey,
  specificRequests: leads.specificRequests,
};

/** Excludes leads that a provider entered by hand, and a rescued lead: it is the same request as its first lead. */
const isVisitors = sql`${leads.source} <> 'manual' AND ${leads.rescuedFromId} IS NULL`;

function selectRequesters(db: Db) {
  return db.select(requesterColumns).from(leads);
}

/** SQL: the request had no signs. Counting others would let junk requests block a network or a suburb. */
const wasListed = sql`${leads.quarantineReasons} = '[]'`;

/** SQL: the first hash of a lead's origin key, its widest network. Must match the index's expression exactly. */
const widestNetwork = sql`(substr(${leads.originKey}, 1, 22))`;

/** Selects the newest listed requests from a network's /48. */
function selectFromNetwork(
  db: Db,
  originKey: string | null,
  { since, limit }: { since: number; limit: number },
) {
  const wanted = originKey?.split(".")[0] ?? "";
  return selectRequesters(db)
    .where(and(sql`${widestNetwork} = ${wanted}`, gt(leads.createdAt, since), wasListed, isVisitors))
    .orderBy(desc(leads.createdAt))
    .limit(limit);
}

/**
 * SQL: the request is over, so its customer may ask again: it has expired, the job is done, or the customer withdrew the
 * request or called off the job. An admin's withdrawal does not count; it has a reason, and a customer's has none. The
 * first lead of a rescued request is over too, because the other lead has the current details.
 */
const isOver = sql<number>`(${leads.status} = 'expired'
  OR (${leads.status} = 'withdrawn' AND ${leads.withdrawnReason} IS NULL)
  OR EXISTS (SELECT 1 FROM leads AS rescued
    WHERE rescued.rescued_from_id IS NOT NULL AND rescued.rescued_from_id = leads.id)
  OR EXISTS (SELECT 1 FROM customer_updates WHERE id = ${calledOffId("")} || leads.id)
  OR EXISTS (SELECT 1 FROM lead_purchases
    WHERE lead_id = leads.id AND removed_at IS NULL AND job_complete_at IS NOT NULL))`;

/** Selects the newest requests with a given phone or email key. */
function selectWith(
  db: Db,
  column: typeof leads.phoneKey | typeof leads.emailKey,
  key: string | null,
  { since, limit }: { since: number; limit: number },
) {
  return db
    .select({
      requestId,
      ...requesterColumns,
      serviceType: leads.serviceType,
      createdAt: leads.createdAt,
      isOver,
    })
    .from(leads)
    .where(and(eq(column, key ?? ""), gt(leads.createdAt, since), sql`${leads.source} <> 'manual'`))
    .orderBy(desc(leads.createdAt))
    .limit(limit);
}

type PersonKeys = Omit<RequestKeys, "originKey">;

/** Selects a person's requests: by phone, by email, and with stored changes, which the keys do not contain yet. */
function selectOfPerson(db: Db, keys: PersonKeys, recent: { since: number; limit: number }) {
  return [
    selectWith(db, leads.phoneKey, keys.phoneKey, recent),
    selectWith(db, leads.emailKey, keys.emailKey, recent),
    selectPendingChanges(db, MAX_COUNTED),
  ] as const;
}
type PendingChange = Awaited<ReturnType<typeof selectPendingChanges>>[number];

/** Returns a request's services and keys after its stored change. */
function applyPending({ stored, ...lead }: PendingChange) {
  const revised = { ...lead, ...readStoredChange(stored as unknown as Record<string, string>) };
  return { ...revised, ...requestKeys(revised), isOver: 0 };
}

/** Returns whether a request is of the same person, by phone or email, and for the same place. */
const isEarlierAt =
  (keys: PersonKeys, since: number) =>
  (lead: Pick<RequestKeys, "phoneKey" | "emailKey" | "streetKey"> & { createdAt: number; isOver: number }) =>
    !lead.isOver &&
    lead.createdAt > since &&
    keys.streetKey !== null &&
    lead.streetKey === keys.streetKey &&
    ((keys.phoneKey !== null && lead.phoneKey === keys.phoneKey) ||
      (keys.emailKey !== null && lead.emailKey === keys.emailKey));

/** Finds a person's open requests for one place. */
export async function findEarlierAt(db: Db, keys: PersonKeys, since: number) {
  const [withPhone, withEmail, pending] = await db.batch(
    selectOfPerson(db, keys, { since, limit: MAX_READ }),
  );
  return [...withPhone, ...withEmail, ...pending.map(applyPending)].filter(isEarlierAt(keys, since));
}

/** Selects requests with neighbouring phone numbers. Such requests are very rare. */
function selectNearPhone(db: Db, key: string | null, now: number) {
  const range = phoneRange(key);
  return selectRequesters(db)
    .where(
      and(
        gte(leads.phoneKey, range?.from ?? "x"),
        lte(leads.phoneKey, range?.to ?? ""),
        gt(leads.createdAt, now - SERIES_WINDOW_MS),
        isVisitors,
      ),
    )
    .limit(MAX_READ);
}

/** Finds leads whose text is nearly the same. @param marks the result of `fingerprintText` */
export async function findSameWords(db: Db, marks: readonly number[], now: number): Promise<Requester[]> {
  return marks.length > 0 ? await selectSameWords(db, marks, now) : [];
}

/** Selects leads that share enough marks. Reads only the newest few per mark to limit the cost. */
function selectSameWords(db: Db, marks: readonly number[], now: number) {
  const alike = sql`
    SELECT near.lead_id FROM json_each(${JSON.stringify(marks)}) AS wanted CROSS JOIN text_marks AS near
    WHERE near.rowid IN (
      SELECT newest.rowid FROM text_marks AS newest
      WHERE newest.mark = wanted.value AND newest.at > ${now - LIKENESS_WINDOW_MS}
      ORDER BY newest.at DESC LIMIT ${MAX_READ})
    GROUP BY near.lead_id HAVING count(*) >= ${TEMPLATE_MARKS} LIMIT ${MAX_READ}`;
  return selectRequesters(db).where(inArray(leads.id, sql`(${alike})`));
}

/** Selects a suburb's newest requests within a day. */
function selectForSuburb(db: Db, suburbId: string | null, now: number) {
  return selectRequesters(db)
    .where(and(eq(leads.suburbId, suburbId ?? ""), gt(leads.createdAt, now - DAY_MS), isVisitors))
    .orderBy(desc(leads.createdAt))
    .limit(MAX_READ);
}

/** Counts a suburb's recent networks and its earlier requests, without quarantined requests. */
function countForSuburb(db: Db, suburbId: string, now: number) {
  const newest = db
    .select({
      createdAt: leads.createdAt,
      // All requests without a key count as one network.
      network: sql<string>`coalesce(${widestNetwork}, '')`.as("network"),
      counts: sql`${wasListed}`.as("counts"),
    })
    .from(leads)
    .where(and(eq(leads.suburbId, suburbId), gt(leads.createdAt, now - USUAL_DAYS * DAY_MS), isVisitors))
    .orderBy(desc(leads.createdAt))
    .limit(MAX_COUNTED)
    .as("newest");
  const networksSince = (ms: number) =>
    sql<number>`count(DISTINCT CASE WHEN ${newest.counts} AND ${newest.createdAt} > ${now - ms} THEN ${newest.network} END)`;
  return db
    .select({
      rush: networksSince(BURST_MS).as("rush"),
      day: networksSince(DAY_MS).as("day"),
      before: sql<number>`total(${newest.counts} AND ${newest.createdAt} <= ${now - DAY_MS})`.as("before"),
    })
    .from(newest);
}

/** Search criteria for similar earlier requests. */
export type Wanted = {
  keys: RequestKeys;
  suburbId: string | null;
  /** The result of `fingerprintText` for the visitor's text. */
  marks: readonly number[];
  /** A request with the same person, place and service within this time is a duplicate. */
  duplicateMs: number;
  /** The limit of requests per network. The query reads enough rows to detect it. */
  requestsPerAddress: number;
  now: number;
};

/** Finds earlier requests that resemble a new one, in one round trip. Each statement uses its own index. */
export async function findSimilarRequests(db: Db, wanted: Wanted) {
  const { keys, suburbId, marks, now, requestsPerAddress, duplicateMs } = wanted;
  const recent = { since: now - Math.max(LIKENESS_WINDOW_MS, duplicateMs), limit: MAX_READ };
  const maxRows = Math.max(MAX_READ, requestsPerAddress * WIDEST_TIMES);
  const [withPhone, withEmail, pending, fromNetwork, nearPhone, sameWords, inSuburb, [counts]] =
    await db.batch([
      ...selectOfPerson(db, keys, recent),
      selectFromNetwork(db, keys.originKey, { since: now - ORIGIN_WINDOW_MS, limit: maxRows }),
      selectNearPhone(db, keys.phoneKey, now),
      selectSameWords(db, marks, now),
      selectForSuburb(db, suburbId, now),
      countForSuburb(db, suburbId ?? "", now),
    ]);
  const found = [...withPhone, ...withEmail, ...pending.map(applyPending)];
  return {
    earlier: found.filter(isEarlierAt(keys, now - duplicateMs)),
    fromNetwork: fromNetwork as Requester[],
    withContact: [...withPhone, ...withEmail] as Requester[],
    nearPhone: nearPhone as Requester[],
    sameWords: sameWords as Requester[],
    inSuburb: inSuburb as Requester[],
    forSuburb: suburbId === null ? null : counts!,
  };
}
