import type { Db } from "../../platform/db/client.ts";
import type { ErasureRound } from "./commands.ts";
import type { ErasedPerson } from "./person.ts";
import {
  countBookingsOf,
  countPurchasesOf,
  findAccountsOf,
  findByUsername,
  findLeadsOf,
  listLeadsAddedBy,
  listTeamOf,
} from "./queries.ts";

/** The preview stops counting here. No person makes this many requests. */
const MAX_SHOWN = 1_000;

/** The counts that the erasure will report. */
export type ErasurePreview = Pick<
  ErasureRound,
  "leads" | "bookings" | "accounts" | "accountsLeft" | "purchases"
>;

/** Counts what erasing the account with this username would erase. */
async function previewByUsername(db: Db, username: string) {
  const user = await findByUsername(db, username);
  if (!user) return { leadIds: [], accounts: 0, accountsLeft: 0, purchases: 0 };
  if (user.isSuperAdmin) return { leadIds: [], accounts: 0, accountsLeft: 1, purchases: 0 };
  if (user.userType !== "provider") return { leadIds: [], accounts: 1, accountsLeft: 0, purchases: 0 };
  const [addedLeads, team, purchases] = await Promise.all([
    listLeadsAddedBy(db, user.id, MAX_SHOWN),
    listTeamOf(db, user.id),
    countPurchasesOf(db, user.id),
  ]);
  return { leadIds: addedLeads.map(({ id }) => id), accounts: team.length + 1, accountsLeft: 0, purchases };
}

/** Counts what `erasePerson` would erase, without erasing anything. */
export async function previewErasure(db: Db, person: ErasedPerson): Promise<ErasurePreview> {
  const [requests, { customers, others }, named] = await Promise.all([
    findLeadsOf(db, person, MAX_SHOWN),
    findAccountsOf(db, person),
    person.username === null ? null : previewByUsername(db, person.username),
  ]);
  const leadIds = new Set([...requests.map(({ id }) => id), ...(named?.leadIds ?? [])]);
  const accounts = named?.accounts ?? 0;
  return {
    leads: leadIds.size,
    bookings: await countBookingsOf(db, person, [...leadIds]),
    accounts: customers.length + accounts,
    // A named account no longer counts as left.
    accountsLeft: Math.max(others.length - accounts, named?.accountsLeft ?? 0),
    purchases: named?.purchases ?? 0,
  };
}
