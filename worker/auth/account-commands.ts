/** Making accounts, and the one way in which their names and addresses stay unique. */
import { breaksUnique } from "../db/unique.ts";
import type { Act } from "../audit/act.ts";
import type { CustomerSignup, ProviderSignup } from "../../contract/auth.ts";
import type { TeamMemberForm } from "../../contract/team.ts";
import { type Actor, auditEntry } from "../audit/commands.ts";
import type { Db } from "../db/client.ts";
import { users } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { refuseWeakPassword } from "./password-rules.ts";
import { findMixUp } from "./queries.ts";
import { hashPassword } from "./password-hash.ts";
import type { UserRow } from "../platform/session.ts";

type Names = Pick<UserRow, "username" | "userType"> & { email?: string | null };

/** What is wrong is said about the field in the form: a team member's has no username, it is their email. */
function taken(field: "username" | "email", { userType }: Pick<Names, "userType">): DomainError {
  return field === "username" && userType !== "team_member"
    ? new DomainError("username_taken", undefined, { username: "Username already exists" })
    : new DomainError("email_taken", undefined, { email: "Email already registered" });
}

/** D1's word on a UNIQUE index as ours (username_taken, email_taken); any other error as it is. */
export function takenError(error: unknown, account: Pick<Names, "userType">): unknown {
  if (breaksUnique(error, "users_username")) return taken("username", account);
  if (breaksUnique(error, "users_email")) return taken("email", account);
  return error;
}

/**
 * Login takes either: an account named like another's address would take that login away.
 * @param exceptUserId whose names do not count, when it is that person's account that changes
 * @throws DomainError username_taken, email_taken
 */
export async function refuseMixUp(db: Db, account: Names, exceptUserId?: string): Promise<void> {
  const mixUp = await findMixUp(db, account, exceptUserId);
  if (mixUp) throw taken(mixUp, account);
}

type NewUser = Omit<typeof users.$inferInsert, "id" | "createdAt" | "updatedAt">;

/** Who makes an account; null for whom it is made for. */
type Maker = Act<Actor | null> & {
  /** The address is theirs once they have confirmed it; until then nobody is asked whose it is. */
  confirmsEmail?: boolean;
};

/** Where the address of a form goes. */
function addressOf(email: string | null | undefined, { confirmsEmail = false }: Maker) {
  const address = email ?? null;
  return confirmsEmail ? { email: null, pendingEmail: address } : { email: address };
}

/**
 * Refuses a name that reads as an address. Where addresses have to be confirmed, whether one is in use as a
 * name would tell whether it is in use at all.
 * @throws DomainError invalid_input
 */
export function refuseAddressAsName({ username }: { username: string }): void {
  if (!username.includes("@")) return;
  const message =
    "Choose a username without @. You can sign in with your email too, once you've confirmed it.";
  throw new DomainError("invalid_input", message, { username: message });
}

async function insertUser(db: Db, account: NewUser, { now, requestId, actor }: Maker): Promise<UserRow> {
  await refuseMixUp(db, account);
  const id = newId("user");
  const entry = auditEntry(db, actor ?? { userId: id, asUserId: null }, {
    at: now,
    action: "user.created",
    subjectType: "user",
    subjectId: id,
    after: { userType: account.userType },
    requestId,
  });
  try {
    const [rows] = await db.batch([
      db
        .insert(users)
        .values({ ...account, id, createdAt: now, updatedAt: now })
        .returning(),
      entry,
    ]);
    return rows[0]!;
  } catch (error) {
    throw takenError(error, account);
  }
}

/**
 * Creates a provider. Rights are ours to give: nobody signs up verified or as a super admin.
 * @param maker who did it: the new provider (actor null) or a super admin
 * @throws DomainError username_taken, email_taken; invalid_input for a password that is guessed first
 */
export async function createProvider(db: Db, form: ProviderSignup, maker: Maker): Promise<UserRow> {
  refuseWeakPassword("password", form.password, form);
  return insertUser(
    db,
    {
      username: form.username,
      ...addressOf(form.email, maker),
      passwordHash: await hashPassword(form.password),
      userType: "provider",
      firstName: form.firstName,
      lastName: form.lastName,
      phone: form.phone,
      companyName: form.companyName ?? null,
      businessAddress: form.businessAddress,
      abn: form.abn ?? null,
      insuranceDetails: form.insuranceDetails ?? null,
      serviceAreas: form.serviceAreas ?? null,
      licenseNumber: form.licenseNumber ?? null,
    },
    maker,
  );
}

/** Creates a customer. @throws DomainError as `createProvider` */
export async function createCustomer(db: Db, form: CustomerSignup, maker: Maker): Promise<UserRow> {
  refuseWeakPassword("password", form.password, form);
  return insertUser(
    db,
    {
      username: form.username,
      ...addressOf(form.email, maker),
      passwordHash: await hashPassword(form.password),
      userType: "customer",
      firstName: form.firstName,
      lastName: form.lastName,
      phone: form.phone ?? null,
    },
    maker,
  );
}

/**
 * Creates a team member, who signs in by email with a password good for one time.
 * @param owner the provider on whose pipeline they will work, and whose regions they watch at first
 * @throws DomainError as `createProvider`
 */
export async function createTeamMember(
  db: Db,
  owner: { businessId: string; watchedRegions: string[] },
  form: TeamMemberForm,
  maker: Maker,
): Promise<UserRow> {
  refuseWeakPassword("tempPassword", form.tempPassword, form);
  return insertUser(
    db,
    {
      username: form.email,
      email: form.email,
      passwordHash: await hashPassword(form.tempPassword),
      mustChangePassword: true,
      userType: "team_member",
      teamOwnerId: owner.businessId,
      firstName: form.firstName,
      lastName: form.lastName,
      phone: form.phone ?? null,
      watchedRegions: owner.watchedRegions,
    },
    maker,
  );
}
