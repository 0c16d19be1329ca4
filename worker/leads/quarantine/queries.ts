import { and, desc, eq, gt, sql } from "drizzle-orm";

import { calledOffId, requestId } from "../customer-update-queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { MORE_FOR_48 } from "../../platform/network.ts";
import { ORIGIN_WINDOW_MS } from "./sign-rules.ts";

type PersonKeys = Omit<RequestKeys, "originKey">;
/** Keys that link a request to earlier ones. */
export type RequestKeys = {
  phoneKey: string | null;
  emailKey: string | null;
  streetKey: string | null;
  originKey: string | null;
};

/** Maximum requests of one person to read, newest first. */
const MAX_READ = 50;

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

/** SQL: the request was never set aside, or an admin has released it. Junk must not block an honest request. */
const isGenuine = sql`(${leads.quarantineReasons} = '[]'
  OR (${leads.listingState} <> 'quarantined' AND ${leads.status} <> 'withdrawn'))`;

/** Selects the newest requests with a given phone or email key. */
function selectWith(
  db: Db,
  column: typeof leads.phoneKey | typeof leads.emailKey,
  key: string | null,
  since: number,
) {
  return db
    .select({
      requestId,
      streetKey: leads.streetKey,
      serviceType: leads.serviceType,
      isOver,
    })
    .from(leads)
    .where(
      and(eq(column, key ?? ""), gt(leads.createdAt, since), sql`${leads.source} <> 'manual'`, isGenuine),
    )
    .orderBy(desc(leads.createdAt))
    .limit(MAX_READ);
}

/** Selects a person's requests: by phone, and by email. */
function selectOfPerson(db: Db, keys: PersonKeys, since: number) {
  return [
    selectWith(db, leads.phoneKey, keys.phoneKey, since),
    selectWith(db, leads.emailKey, keys.emailKey, since),
  ] as const;
}
type FoundRequest = Awaited<ReturnType<typeof selectOfPerson>[number]>[number];

/** Returns the open requests for the same place. */
const openAt = ({ streetKey }: PersonKeys, requests: FoundRequest[]) =>
  requests.filter((lead) => !lead.isOver && streetKey !== null && lead.streetKey === streetKey);

/** Finds a person's open requests for one place. */
export async function findEarlierAt(db: Db, keys: PersonKeys, since: number) {
  return openAt(keys, (await db.batch(selectOfPerson(db, keys, since))).flat());
}

/**
 * Selects the networks of the newest listed requests from a /48. Excludes rescued leads: each is the same request as its
 * first lead. Must match the index leads_origin exactly.
 */
function selectFromNetwork(db: Db, originKey: string | null, since: number, limit: number) {
  return db
    .select({ originKey: sql<string>`${leads.originKey}` })
    .from(leads)
    .where(
      and(
        sql`(substr(${leads.originKey}, 1, 22)) = ${originKey?.split(".")[0] ?? ""}`,
        gt(leads.createdAt, since),
        sql`${leads.quarantineReasons} = '[]' AND ${leads.rescuedFromId} IS NULL`,
      ),
    )
    .orderBy(desc(leads.createdAt))
    .limit(limit);
}

/** Finds the same person's requests for the same place, and the requests from the same network, in one round trip. */
export async function findSimilarRequests(
  db: Db,
  keys: RequestKeys,
  { duplicateMs, requestsPerAddress }: { duplicateMs: number; requestsPerAddress: number },
  now: number,
) {
  const [withPhone, withEmail, fromNetwork] = await db.batch([
    ...selectOfPerson(db, keys, now - duplicateMs),
    selectFromNetwork(db, keys.originKey, now - ORIGIN_WINDOW_MS, requestsPerAddress * MORE_FOR_48),
  ]);
  return {
    earlier: openAt(keys, [...withPhone, ...withEmail]),
    fromNetwork: fromNetwork.map(({ originKey }) => originKey),
  };
}
