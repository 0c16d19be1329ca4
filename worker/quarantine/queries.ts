import { and, count, eq, gt, ne } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { leads } from "../db/schema.ts";

/** What compares a request with earlier ones. */
export type RequestKeys = {
  phoneKey: string | null;
  emailKey: string | null;
  streetKey: string | null;
  originKey: string | null;
};

/**
 * Earlier requests of the same person (phone or e-mail) for the same place, and how many came from the
 * same network address; three statements, each on its own index.
 */
export async function findEarlier(
  db: Db,
  keys: RequestKeys,
  since: { person: number; origin: number },
): Promise<{ earlier: { serviceType: string[] }[]; fromAddress: number }> {
  const { phoneKey, emailKey, streetKey, originKey } = keys;
  const same = (column: typeof leads.phoneKey | typeof leads.emailKey, key: string | null) =>
    db
      .select({ serviceType: leads.serviceType })
      .from(leads)
      .where(
        and(
          eq(column, key ?? ""),
          gt(leads.createdAt, since.person),
          eq(leads.streetKey, streetKey ?? ""),
          // What a provider typed in themselves says nothing about what visitors send.
          ne(leads.source, "manual"),
        ),
      )
      .limit(20);
  const [byPhone, byEmail, [origin]] = await db.batch([
    same(leads.phoneKey, phoneKey),
    same(leads.emailKey, emailKey),
    db
      .select({ n: count() })
      .from(leads)
      .where(and(eq(leads.originKey, originKey ?? ""), gt(leads.createdAt, since.origin))),
  ]);
  return { earlier: [...byPhone, ...byEmail], fromAddress: origin?.n ?? 0 };
}
