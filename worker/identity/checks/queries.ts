import { and, desc, eq, gte, inArray, isNull, ne, or } from "drizzle-orm";

import {
  type AdminCheck,
  type Check,
  CHECK_KINDS,
  type CheckOverview,
  type CheckState,
  type ShownCheck,
} from "../../../contract/checks.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import type { Db } from "../../platform/db/client.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";
import { providerChecks } from "../tables.ts";
import { users } from "../../platform/db/users.ts";
import type { BusinessScope } from "../auth/rules.ts";
import { businessName } from "../providers/queries.ts";

export type CheckRow = typeof providerChecks.$inferSelect;

/** Maximum rows of a business's history that are read. Only its newest ones matter. */
const MAX_READ = 100;

const toCheck = ({
  id,
  kind,
  state,
  number,
  seenOn,
  endsOn,
  fileKey,
  reason,
  createdAt,
}: CheckRow): Check => ({
  id,
  kind,
  state,
  number,
  seenOn,
  endsOn,
  hasFile: fileKey !== null,
  reason,
  createdAt,
});

/** Returns a business's checks by kind: the valid one, and the newest other one if it is newer. */
export async function readChecks(db: Db, businessId: string): Promise<CheckOverview> {
  const rows = await db
    .select()
    .from(providerChecks)
    .where(and(eq(providerChecks.businessId, businessId), ne(providerChecks.state, "unused")))
    .orderBy(desc(providerChecks.createdAt))
    .limit(MAX_READ);
  return CHECK_KINDS.map((kind) => {
    const own = rows.filter((row) => row.kind === kind);
    const valid = own.find(({ state }) => state === "valid");
    const newest = own[0];
    return {
      kind,
      valid: valid ? toCheck(valid) : null,
      latest: newest && newest !== valid ? toCheck(newest) : null,
    };
  });
}

/** Returns a check of any business; null if there is none. */
export async function findCheck(db: Db, id: string): Promise<CheckRow | null> {
  const [row] = await db.select().from(providerChecks).where(eq(providerChecks.id, id));
  return row ?? null;
}

/** Returns a business's own check; null if there is none. */
export async function findOwnCheck(db: Db, scope: BusinessScope, id: string): Promise<CheckRow | null> {
  const row = await findCheck(db, id);
  return row?.businessId === scope.businessId ? row : null;
}

/** Returns all businesses' checks in one state, newest first. */
export async function listChecks(
  db: Db,
  { state, after, limit }: { state: CheckState; after: After; limit: number },
): Promise<AdminCheck[]> {
  const rows = await db
    .select({ check: providerChecks, businessName })
    .from(providerChecks)
    .innerJoin(users, eq(users.id, providerChecks.businessId))
    .where(
      and(eq(providerChecks.state, state), olderThan(providerChecks.createdAt, providerChecks.id, after)),
    )
    .orderBy(desc(providerChecks.createdAt), desc(providerChecks.id))
    .limit(limit);
  return rows.map(({ check, businessName }) => ({
    ...toCheck(check),
    businessId: check.businessId,
    businessName,
    fileBytes: check.fileBytes,
    decidedAt: check.decidedAt,
  }));
}

/**
 * Returns businesses' valid checks for customers, with what was checked and when.
 * @param businessIds at most a few
 */
export async function readShownChecks(
  db: Db,
  businessIds: readonly string[],
  now: number,
): Promise<Map<string, ShownCheck[]>> {
  const rows = await db
    .select()
    .from(providerChecks)
    .where(
      and(
        inArray(providerChecks.businessId, [...businessIds]),
        eq(providerChecks.state, "valid"),
        // The sweep ends a check some seconds after its last day.
        or(isNull(providerChecks.endsOn), gte(providerChecks.endsOn, sydneyDay(now))),
      ),
    );
  const shownOf = (businessId: string) =>
    CHECK_KINDS.flatMap((kind) => {
      const row = rows.find((one) => one.businessId === businessId && one.kind === kind);
      if (!row?.seenOn) return [];
      const number = kind === "licence" ? row.number : null;
      return [{ kind, seenOn: row.seenOn, endsOn: row.endsOn, number }];
    });
  return new Map(businessIds.map((id) => [id, shownOf(id)]));
}

/** Returns a business's valid checks for customers, with what was checked and when. */
export const listShownChecks = async (db: Db, businessId: string, now: number): Promise<ShownCheck[]> =>
  (await readShownChecks(db, [businessId], now)).get(businessId)!;
