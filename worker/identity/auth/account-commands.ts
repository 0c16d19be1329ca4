/** Creates accounts and keeps usernames and email addresses unique. */
import { phoneKey } from "../../../contract/phone.ts";
import { isUniqueViolation } from "../../platform/db/unique.ts";
import { type Act, type Actor, auditEntry } from "../audit/store.ts";
import type { CustomerSignup, ProviderSignup } from "../../../contract/auth.ts";
import type { TeamMemberForm } from "../../../contract/team.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { users } from "../../platform/db/users.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";
import { findNameConflict } from "./queries.ts";
import type { UserRow } from "../../platform/caller.ts";

type Names = Pick<UserRow, "username" | "userType"> & { email?: string | null | undefined };

/**
 * Returns the error for the matching form field. A team member's username is their email, so that field is `email`.
 */
function fieldTakenError(field: "username" | "email", { userType }: Pick<Names, "userType">): DomainError {
  return field === "username" && userType !== "team_member"
    ? new DomainError("username_taken", undefined, { username: "Username already exists" })
    : new DomainError("email_taken", undefined, { email: "Email already registered" });
}

/** Translates D1's UNIQUE error to username_taken or email_taken. Returns any other error unchanged. */
export function translateUniqueError(error: unknown, account: Pick<Names, "userType">): unknown {
  if (isUniqueViolation(error, "users_username")) return fieldTakenError("username", account);
  if (isUniqueViolation(error, "users_email")) return fieldTakenError("email", account);
  return error;
}

/**
 * Refuses a username or email that another account signs in with. Sign-in accepts both, so one account could take over
 * the other's sign-in name.
 * @param exceptUserId the user to ignore, for changes to their own account
 * @throws DomainError username_taken, email_taken
 */
export async function refuseNameConflicts(db: Db, account: Names, exceptUserId?: string): Promise<void> {
  const conflict = await findNameConflict(db, account, exceptUserId);
  if (conflict) throw fieldTakenError(conflict, account);
}

type NewUser = Omit<typeof users.$inferInsert, "id" | "createdAt" | "updatedAt">;

/** The act that creates an account. The actor is null when a new user signs up. */
type CreationAct = Act<Actor | null> & {
  /** Whether the user must confirm the address before it is used. */
  confirmsEmail?: boolean;
};

function addressOf(email: string | null | undefined, { confirmsEmail = false }: CreationAct) {
  const address = email ?? null;
  return confirmsEmail ? { email: null, pendingEmail: address } : { email: address };
}

/**
 * Refuses a username that looks like an email address. Where addresses need confirmation, it would take another person's
 * address without one.
 * @throws DomainError invalid_input
 */
export function refuseAddressAsName({ username }: { username: string }): void {
  if (!username.includes("@")) return;
  const message =
    "Choose a username without @. You can sign in with your email too, once you've confirmed it.";
  throw new DomainError("invalid_input", message, { username: message });
}

async function insertUser(
  db: Db,
  account: NewUser,
  { now, requestId, actor }: CreationAct,
): Promise<UserRow> {
  await refuseNameConflicts(db, { ...account, email: account.email ?? account.pendingEmail });
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
        .values({ ...account, phoneKey: phoneKey(account.phone ?? ""), id, createdAt: now, updatedAt: now })
        .returning(),
      entry,
    ]);
    return rows[0]!;
  } catch (error) {
    throw translateUniqueError(error, account);
  }
}

/**
 * Creates a provider. A sign-up never grants verification or super admin rights.
 * @param creation the new provider (actor null) or a super admin
 * @throws DomainError username_taken, email_taken; invalid_input for a common password
 */
export async function createProvider(
  context: Context,
  form: ProviderSignup,
  creation: CreationAct,
): Promise<UserRow> {
  await refuseWeakPassword(context.settings, "password", form.password, form);
  return insertUser(
    context.db,
    {
      username: form.username,
      ...addressOf(form.email, creation),
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
    creation,
  );
}

/** @throws DomainError as `createProvider` */
export async function createCustomer(
  context: Context,
  form: CustomerSignup,
  creation: CreationAct,
): Promise<UserRow> {
  await refuseWeakPassword(context.settings, "password", form.password, form);
  return insertUser(
    context.db,
    {
      username: form.username,
      ...addressOf(form.email, creation),
      passwordHash: await hashPassword(form.password),
      userType: "customer",
      firstName: form.firstName,
      lastName: form.lastName,
      phone: form.phone ?? null,
    },
    creation,
  );
}

/**
 * Creates a team member, who signs in with their email and a temporary password that they must change.
 * @param owner the provider who owns the team, and the regions that the member watches initially
 * @throws DomainError as `createProvider`
 */
export async function createTeamMember(
  context: Context,
  owner: { businessId: string; watchedRegions: string[] },
  form: TeamMemberForm,
  creation: CreationAct,
): Promise<UserRow> {
  await refuseWeakPassword(context.settings, "tempPassword", form.tempPassword, form);
  return insertUser(
    context.db,
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
    creation,
  );
}
