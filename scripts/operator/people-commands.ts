/** Commands for people and their accounts. */
import { randomBytes } from "node:crypto";

import * as z from "zod/mini";

import { providerCreationSchema } from "../../contract/auth.ts";
import { personOf } from "../../worker/operations/erasure/rules.ts";
import { hashPassword } from "../../worker/identity/auth/passwords.ts";
import { type Arguments, confirmStep } from "../command.ts";
import { query, quote, type Row, type Target } from "./d1.ts";
import { runJob } from "./job.ts";
import type { OperatorCommands } from "./command-types.ts";

const audit = (id: string, action: string, isSuperAdmin: boolean, now: number) =>
  `INSERT INTO audit_log (at, action, subject_type, subject_id, after) VALUES (${now}, ${quote(action)}, 'user', ${quote(id)}, '{"isSuperAdmin":${isSuperAdmin},"by":"operator"}')`;

/** Finds an account by username or email; null if there is none. */
async function find(target: Target, name: string): Promise<Row | null> {
  const same = `lower(${quote(name)})`;
  const rows = await query(
    target,
    `SELECT id, username, user_type, is_super_admin, is_active FROM users WHERE lower(username) = ${same} OR lower(email) = ${same}`,
  );
  return rows[0] ?? null;
}

async function promote(target: Target, id: string, now: number): Promise<void> {
  await query(
    target,
    `UPDATE users SET is_super_admin = 1, updated_at = ${now} WHERE id = ${quote(id)}`,
    audit(id, "user.made_super_admin", true, now),
  );
}

/** Inserts a new super admin. Returns the one-time password. */
async function create(target: Target, username: string, args: Arguments, now: number): Promise<string> {
  const id = `user_${randomBytes(12).toString("hex").slice(0, 20)}`;
  const password = randomBytes(12).toString("base64url");
  const values = {
    id,
    username,
    email: args.option("email")?.trim().toLowerCase() ?? null,
    password_hash: await hashPassword(password),
    must_change_password: 1,
    user_type: "provider",
    first_name: args.option("first-name") ?? "Super",
    last_name: args.option("last-name") ?? "Admin",
    company_name: "Naturestrip",
    is_super_admin: 1,
    created_at: now,
    updated_at: now,
  };
  const names = Object.keys(values).join(", ");
  const texts = Object.values(values).map(quote).join(", ");
  const insert = `INSERT INTO users (${names}) VALUES (${texts})`;
  await query(target, insert, audit(id, "user.created", true, now)).catch((error: unknown) => {
    if (!String(error).includes("UNIQUE constraint failed")) throw error;
    throw new Error(
      `An account with the username ${username} or that email was created at the same moment. Run the command again.`,
      { cause: error },
    );
  });
  return password;
}

/** Makes an existing account a super admin. @returns the message for the operator */
async function grant(target: Target, account: Row, now: number): Promise<string> {
  const { username } = account;
  if (account.user_type !== "provider")
    throw new Error(`${username} is not a provider's account: choose another.`);
  if (!account.is_active) throw new Error(`${username} is deactivated: activate it first.`);
  if (account.is_super_admin) return `${username} is already a super admin.`;
  await promote(target, String(account.id), now);
  return `${username} is now a super admin. Open windows show it after a reload.`;
}

/** Removes the super admin right and ends the account's sessions. @returns the message for the operator */
async function revoke(target: Target, name: string, now: number): Promise<string> {
  const account = await find(target, name);
  if (!account) throw new Error(`No user has the username or email ${name}.`);
  const { username } = account;
  if (!account.is_super_admin) return `${username} is not a super admin.`;
  const id = quote(String(account.id));
  await query(
    target,
    `UPDATE users SET is_super_admin = 0, updated_at = ${now} WHERE id = ${id}`,
    `DELETE FROM sessions WHERE user_id = ${id} OR impersonator_id = ${id}`,
    audit(String(account.id), "user.super_admin_revoked", false, now),
  );
  const [{ others } = { others: 0 }] = await query(
    target,
    "SELECT count(*) AS others FROM users WHERE is_super_admin = 1",
  );
  const warning = others === 0 ? " There are no super admins left: create one soon." : "";
  const rest = account.is_active
    ? "The account stays an active provider, which can sign in and buy leads: deactivate it under Providers if that person leaves."
    : "The account stays deactivated.";
  return `${username} is no longer a super admin, and is signed out. ${rest}${warning}`;
}

/** Removes an account's passkeys and recovery codes, and signs it out. @returns the message for the operator */
async function removePasskeys(target: Target, name: string, now: number): Promise<string> {
  const account = await find(target, name);
  if (!account) throw new Error(`No user has the username or email ${name}.`);
  const { username } = account;
  const id = quote(String(account.id));
  const [{ passkeys } = { passkeys: 0 }] = await query(
    target,
    `SELECT count(*) AS passkeys FROM passkeys WHERE user_id = ${id}`,
  );
  if (passkeys === 0) return `${username} has no passkey and signs in with the password alone.`;
  await query(
    target,
    `DELETE FROM passkeys WHERE user_id = ${id}`,
    `DELETE FROM one_time_secrets WHERE user_id = ${id} AND purpose IN ('recovery_code', 'second_factor')`,
    `DELETE FROM sessions WHERE user_id = ${id} OR impersonator_id = ${id}`,
    `INSERT INTO audit_log (at, action, subject_type, subject_id, after) VALUES (${now}, 'user.passkeys_removed', 'user', ${id}, '{"by":"operator"}')`,
  );
  return `Removed ${passkeys} ${passkeys === 1 ? "passkey" : "passkeys"} of ${username}, and signed them out.`;
}

/** Makes an account a super admin, creating it if needed. @returns the message for the operator */
async function makeAdmin(target: Target, args: Arguments, now: number): Promise<string> {
  const username = args.option("username")?.trim();
  if (!username || !/^\S{3,60}$/.test(username)) throw new Error("Name the account: --username=…");
  const account = await find(target, username);
  if (account && (args.option("email") ?? args.option("first-name") ?? args.option("last-name")) !== null)
    throw new Error(
      `${account.username} already has an account, whose name and email cannot change here: use --username alone.`,
    );
  if (account) return grant(target, account, now);
  const named = providerCreationSchema.shape.username.safeParse(username);
  if (!username.includes("@") && !named.success)
    throw new Error(`${username} is not a valid username: ${named.error.issues[0]!.message}.`);
  if (username.includes("@"))
    throw new Error(`No account has the email ${username}. To create one, use --username=… and --email=….`);
  const email = args.option("email")?.trim();
  if (email !== undefined && !z.safeParse(z.email(), email).success)
    throw new Error(`${email} is not an email address.`);
  const owner = email ? await find(target, email) : null;
  if (owner)
    throw new Error(
      `${email} already belongs to ${owner.username}: use that account (--username=${owner.username}), or another email.`,
    );
  const password = await create(target, username, args, now);
  return `Created ${username}, a super admin. One-time password, shown only here: ${password}`;
}

export const PEOPLE = {
  admin: {
    summary: "Makes a provider a super admin, revokes the right, or removes lost passkeys",
    more: "An account that does not exist is created with a one-time password, which must be changed at the first sign-in. `--revoke` and `--remove-passkeys` also sign that person out. After `--remove-passkeys` the password alone signs in: verify the person's identity first.",
    options: {
      username: ["text", "the username or email of the account"],
      email: ["text", "a new account's email"],
      "first-name": ["text", "a new account's first name"],
      "last-name": ["text", "a new account's last name"],
      revoke: ["text", "the account that loses the right"],
      "remove-passkeys": ["text", "the account that has lost its passkeys and recovery codes"],
    },
    changes: true,
    work: async (target, args) => {
      const now = Date.now();
      const [revoked, keyless] = [args.option("revoke"), args.option("remove-passkeys")];
      const given = [args.option("username"), revoked, keyless].filter((name) => name !== null);
      if (given.length !== 1 || given[0]!.trim() === "")
        throw new Error("Use one of --username=…, --revoke=… and --remove-passkeys=….");
      if (revoked) return console.log(await revoke(target, revoked.trim(), now));
      if (keyless) return console.log(await removePasskeys(target, keyless.trim(), now));
      console.log(await makeAdmin(target, args, now));
    },
  },
  erase: {
    summary: "Erases one person everywhere except in the ledger and the audit log",
    more: "It removes the person from requests, listings, event logs, notes, bookings and customer accounts. It counts what it would erase and asks first, unless `--yes` is given. It cannot be undone.",
    options: {
      phone: ["text", "the person's number"],
      email: ["text", "the person's email"],
      username: ["text", "any account: a provider with their team, or a team member"],
    },
    changes: true,
    work: async (target, args) => {
      const [phone, email, username] = [args.option("phone"), args.option("email"), args.option("username")];
      if (!phone && !email && !username)
        throw new Error("Give the person's --phone and --email, or an account's --username.");
      const input = { phone, email, username };
      if (!personOf(input))
        throw new Error(
          "This doesn't identify one person: give a whole phone number, such as 0491 570 006, or an email address.",
        );
      console.log("This would be erased:");
      await runJob(target, { kind: "preview_erasure", input });
      const isConfirmed = await confirmStep(args.hasFlag("yes"))("This cannot be undone.");
      if (!isConfirmed) throw new Error("Nothing was erased.");
      const counts = await runJob(target, { kind: "erase_person", input });
      if (counts.accountsLeft)
        console.log(
          "Accounts of providers, team members and super admins were not erased. Erase one by --username; revoke a super admin's right first.",
        );
      console.log(
        "Earlier exports still contain the person: delete them. After restoring an older state, erase again.",
      );
    },
  },
} satisfies OperatorCommands;
