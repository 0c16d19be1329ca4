/** What erasing a person would take out, before anybody does it. */
import { type Db, database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { type ErasureRound, sweepKeys } from "./commands.ts";
import type { Person } from "./person.ts";
import {
  countBookingsOf,
  countPurchasesOf,
  findAccountsOf,
  findByUsername,
  findLeadsOf,
  listBroughtBy,
  listTeamOf,
} from "./queries.ts";

/** Nobody has asked for more quotes than this; whoever has is shown this number. */
const MOST_SHOWN = 1_000;

/** The same counts as the erasure itself will give. */
export type ErasurePreview = Pick<
  ErasureRound,
  "leads" | "bookings" | "accounts" | "accountsLeft" | "purchases"
>;

/** What goes with an account that is named, whatever it is. */
async function previewNamed(db: Db, username: string) {
  const user = await findByUsername(db, username);
  if (!user) return { leadIds: [], accounts: 0, accountsLeft: 0, purchases: 0 };
  if (user.isSuperAdmin) return { leadIds: [], accounts: 0, accountsLeft: 1, purchases: 0 };
  if (user.userType !== "provider") return { leadIds: [], accounts: 1, accountsLeft: 0, purchases: 0 };
  const [brought, team, purchases] = await Promise.all([
    listBroughtBy(db, user.id, MOST_SHOWN),
    listTeamOf(db, user.id),
    countPurchasesOf(db, user.id),
  ]);
  return { leadIds: brought.map(({ id }) => id), accounts: team.length + 1, accountsLeft: 0, purchases };
}

/**
 * Counts what `erasePerson` would take out, and takes out nothing.
 * @returns null while there are requests whose keys have to be made first: ask again
 */
export async function previewErasure(env: Env, person: Person): Promise<ErasurePreview | null> {
  if ((await sweepKeys(env)).filled > 0) return null;
  const db = database(env.DB);
  const [requests, { customers, others }, named] = await Promise.all([
    findLeadsOf(db, person, MOST_SHOWN),
    findAccountsOf(db, person),
    person.username === null ? null : previewNamed(db, person.username),
  ]);
  const leadIds = new Set([...requests.map(({ id }) => id), ...(named?.leadIds ?? [])]);
  const accounts = named?.accounts ?? 0;
  return {
    leads: leadIds.size,
    bookings: await countBookingsOf(db, person, [...leadIds]),
    accounts: customers.length + accounts,
    // An account that is named is not left alone any more.
    accountsLeft: Math.max(others.length - accounts, named?.accountsLeft ?? 0),
    purchases: named?.purchases ?? 0,
  };
}
