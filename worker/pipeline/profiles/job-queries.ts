/** Reads the jobs that a service's page shows. */
import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { ServiceId } from "../../../contract/catalogue.ts";
import { MAX_PHOTOS } from "../../../contract/photos.ts";
import { MAX_SERVICE_JOBS, type ShownJob } from "../../../contract/profiles.ts";
import { isProfileShown } from "../../identity/providers/profile-queries.ts";
import { isAgreed } from "../../leads/photos/queries.ts";
import { publicName } from "../../leads/public-name.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, photos, providerProfiles, suburbs, users } from "../../platform/db/schema.ts";

/** Maximum photos that are read, of all services: the newest. */
const MAX_READ = 75;

/** Rows of one job: each photo after the work, with each from before. */
const MAX_ROWS_OF_JOB = MAX_PHOTOS.before * MAX_PHOTOS.after;

/**
 * Returns the newest jobs of a service that have a public photo from before and one from after, of businesses with a
 * public page. A request for several services does not tell which one a photo shows.
 */
export async function listServiceJobs(db: Db, service: ServiceId): Promise<ShownJob[]> {
  const after = db
    .select()
    .from(photos)
    // The kind is in the text, not bound, or SQLite does not use the partial index photos_shown.
    .where(and(sql`${photos.kind} = 'after'`, isAgreed(photos)))
    .orderBy(desc(photos.createdAt))
    .limit(MAX_READ)
    .as("after");
  const before = alias(photos, "before");
  const rows = await db
    .select({
      purchaseId: leadPurchases.id,
      slug: providerProfiles.slug,
      owner: { companyName: users.companyName, firstName: users.firstName, lastName: users.lastName },
      suburb: suburbs.name,
      before: { id: before.id, width: before.width, height: before.height },
      after: { id: after.id, width: after.width, height: after.height },
    })
    .from(after)
    // A cross join, or SQLite reads all photos of purchases first.
    .crossJoin(before)
    .innerJoin(leadPurchases, eq(leadPurchases.id, after.purchaseId))
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .innerJoin(providerProfiles, eq(providerProfiles.businessId, after.businessId))
    .innerJoin(users, eq(users.id, after.businessId))
    .leftJoin(suburbs, eq(suburbs.id, leads.suburbId))
    .where(
      and(
        // Repeats the condition of the partial index, or SQLite does not use it.
        isNotNull(before.purchaseId),
        eq(before.purchaseId, after.purchaseId),
        eq(before.kind, "before"),
        isAgreed(before),
        sql`${leads.serviceType} = json_array(${service})`,
        isProfileShown,
      ),
    )
    .orderBy(desc(after.createdAt), asc(before.createdAt))
    .limit(MAX_SERVICE_JOBS * MAX_ROWS_OF_JOB);
  const jobs = new Map<string, ShownJob>();
  for (const { purchaseId, owner, ...job } of rows)
    if (!jobs.has(purchaseId)) jobs.set(purchaseId, { ...job, name: publicName(owner) });
  return [...jobs.values()].slice(0, MAX_SERVICE_JOBS);
}
