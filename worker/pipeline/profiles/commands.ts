import { and, eq, exists, sql } from "drizzle-orm";

import { PAGE_REPORTS, type PageReport, type ProfileForm } from "../../../contract/profiles.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { listShownChecks } from "../../identity/checks/queries.ts";
import { isProfileShown } from "../../identity/providers/queries.ts";
import { resolvePlace } from "../../leads/suburbs/queries.ts";
import { raiseAttention } from "../../outbox/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { suburbs } from "../../platform/db/suburbs.ts";
import { profileCouncils, providerProfiles, users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { UserRow } from "../../platform/caller.ts";
import { readOwnProfile } from "./queries.ts";
import { publicName } from "../../leads/public-name.ts";
import { changedParts, validateDescription, slugOf } from "./rules.ts";

/** @throws DomainError invalid_input, with the field's message */
function refuse(field: keyof ProfileForm, message: string): never {
  throw new DomainError("invalid_input", message, { [field]: message });
}

/** Returns the councils of a list that exist. */
async function knownCouncils(db: Db, councils: readonly string[]): Promise<string[]> {
  const list = JSON.stringify([...new Set(councils)]);
  const rows = await db.all<{ council: string }>(
    sql`SELECT value AS council FROM json_each(${list}) WHERE EXISTS (SELECT 1 FROM ${suburbs} WHERE council = value)`,
  );
  return rows.map(({ council }) => council);
}

/** The parts of a page that suburb pages show, or that decide whether they show it. */
const ON_SUBURB_PAGES: ReadonlySet<string> = new Set(["basedIn", "councils", "isPublic"]);

/**
 * Stores a business's page, unless nothing changes. Its slug is made from the business's name at the first save, and
 * stays.
 * @returns the councils before and after, if their suburb pages show what changed
 * @throws DomainError invalid_input for contact details or building work in the words, an unknown suburb or council
 */
export async function saveProfile(
  db: Db,
  owner: UserRow,
  form: ProfileForm,
  { actor, now, requestId }: Act,
): Promise<string[]> {
  const [before, checks, place, councils] = await Promise.all([
    readOwnProfile(db, owner, now),
    listShownChecks(db, owner.id, now),
    resolvePlace(db, { address: form.basedIn }),
    knownCouncils(db, form.councils),
  ]);
  const hasLicence = checks.some(({ kind }) => kind === "licence");
  const refusal = validateDescription(form.words, hasLicence);
  if (refusal) refuse("words", refusal);
  if (!place) refuse("basedIn", "We don't know that suburb. Please add its postcode.");
  if (councils.length < new Set(form.councils).size)
    refuse("councils", "Please choose councils from the list");
  const slug = slugOf(publicName(owner));
  const isTaken = exists(
    db.select({ slug: providerProfiles.slug }).from(providerProfiles).where(eq(providerProfiles.slug, slug)),
  );
  const values = {
    words: form.words,
    suburbId: place.id,
    isPublic: form.isPublic,
    updatedAt: now,
  };
  const after = { ...form, councils, basedIn: `${place.name} ${place.postcode}` };
  const parts = changedParts(before.isSaved ? before.form : {}, after);
  if (parts.length === 0) return [];
  await db.batch([
    db
      .insert(providerProfiles)
      .values({
        businessId: owner.id,
        slug: sql`CASE WHEN ${isTaken} THEN ${`${slug}-${newId("user").slice(-4)}`} ELSE ${slug} END`,
        createdAt: now,
        ...values,
      })
      .onConflictDoUpdate({ target: providerProfiles.businessId, set: values }),
    db.delete(profileCouncils).where(eq(profileCouncils.businessId, owner.id)),
    db.insert(profileCouncils).values(councils.map((council) => ({ businessId: owner.id, council }))),
    auditEntry(db, actor, {
      at: now,
      action: "user.page_changed",
      subjectType: "user",
      subjectId: owner.id,
      // Log only the names of the changed parts: the words may mention people.
      after: { parts, isPublic: form.isPublic },
      requestId,
    }),
  ]);
  const isListed = before.form.isPublic || form.isPublic;
  const isSeen = isListed && parts.some((part) => ON_SUBURB_PAGES.has(part));
  return isSeen ? [...new Set([...before.form.councils, ...councils])] : [];
}

/**
 * Takes a business's page offline, or puts it back. An unchanged page creates no entry in the audit log.
 * @param reason the business reads it; null puts the page back
 * @throws DomainError not_found if the business has no page
 */
export function hideProfile(
  db: Db,
  businessId: string,
  reason: string | null,
  { actor, now, requestId }: Act,
): Promise<void> {
  const isOwn = eq(providerProfiles.businessId, businessId);
  const entry = {
    at: now,
    action: reason === null ? "user.page_shown" : "user.page_hidden",
    subjectType: "user",
    subjectId: businessId,
    requestId,
  };
  return retryIfChanged(async () => {
    const [page] = await db
      .select({ hiddenAt: providerProfiles.hiddenAt })
      .from(providerProfiles)
      .where(isOwn);
    if (!page) throw new DomainError("not_found", "This business has no page");
    const { hiddenAt } = page;
    const where = and(isOwn, sql`${providerProfiles.hiddenAt} IS ${hiddenAt}`);
    await guardedBatch(db, { from: providerProfiles, where }, [
      db
        .update(providerProfiles)
        .set({ hiddenAt: reason === null ? null : now, hiddenReason: reason })
        .where(isOwn),
      ...((hiddenAt === null) === (reason === null) ? [] : [auditEntry(db, actor, entry)]),
    ]);
  });
}

/**
 * Tells super admins that a visitor reports a page.
 * @throws DomainError not_found if everyone may not see the page
 */
export async function reportProfile(db: Db, slug: string, reason: PageReport, now: number): Promise<void> {
  const [page] = await db
    .select({ businessId: providerProfiles.businessId })
    .from(providerProfiles)
    .innerJoin(users, eq(users.id, providerProfiles.businessId))
    .where(and(eq(providerProfiles.slug, slug), isProfileShown));
  if (!page) throw new DomainError("not_found", "There is no such business");
  const detail = `A visitor reported this provider's page: ${PAGE_REPORTS[reason]}`;
  await raiseAttention(db, "page_reported", page.businessId, detail, now);
}

/** Returns the statements that delete a business's page, for its erasure. */
export function deleteProfile(db: Db, businessId: string) {
  return [
    db.delete(profileCouncils).where(eq(profileCouncils.businessId, businessId)),
    db.delete(providerProfiles).where(eq(providerProfiles.businessId, businessId)),
  ] as const;
}
