/**
 * `npm run make-admin -- --username=… [--email=…] [--first-name=… --last-name=…] [--remote]`: makes a provider a super
 * admin. `--username` also accepts the account's email. If the account does not exist, this creates it and prints a
 * one-time password, which must be changed at the first sign-in. `--revoke=…` revokes the right and signs that person
 * out.
 */
import { randomBytes } from "node:crypto";

import * as z from "zod/mini";

import { providerCreationSchema } from "../../contract/auth.ts";
import { hashPassword } from "../../worker/identity/auth/password-hash.ts";
import type { Arguments } from "../command.ts";
import { operate, query, quote, type Row, type Target } from "./d1.ts";

const audit = (id: string, action: string, isSuperAdmin: boolean, now: number) =>
  `INSERT INTO audit_log (at, action, subject_type, subject_id, after) VALUES (${now}, ${quote(action)}, 'user', ${quote(id)}, '{"isSuperAdmin":${isSuperAdmin},"by":"operator"}')`;

/** Finds an account by username or email. @returns null when there is none */
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
    `UPDATE users SET is_super_admin = 1, is_verified = 1, updated_at = ${now} WHERE id = ${quote(id)}`,
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
    is_verified: 1,
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

/** Grants the right to an existing account. @returns the message for the operator */
async function grant(target: Target, account: Row, now: number): Promise<string> {
  const { username } = account;
  if (account.user_type !== "provider")
    throw new Error(`${username} is not a provider's account: choose another one.`);
  if (!account.is_active) throw new Error(`${username} is deactivated: activate it first.`);
  if (account.is_super_admin) return `${username} is a super admin already.`;
  await promote(target, String(account.id), now);
  return `${username} is a super admin now. Open windows notice when they are reloaded.`;
}

/** Revokes the right and ends the account's sessions. @returns the message for the operator */
async function revoke(target: Target, name: string, now: number): Promise<string> {
  const account = await find(target, name);
  if (!account) throw new Error(`No user signs in as ${name}.`);
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
  const warning = others === 0 ? " There is no super admin any more: make one soon." : "";
  return `${username} is a provider like any other now, and signed out.${warning}`;
}

const OPTIONS = {
  username: "text",
  email: "text",
  "first-name": "text",
  "last-name": "text",
  revoke: "text",
} as const;

await operate({ name: "make-admin", options: OPTIONS }, true, async (target, args) => {
  const now = Date.now();
  const revoked = args.option("revoke")?.trim();
  if (revoked !== undefined && (revoked === "" || args.option("username") !== null))
    throw new Error("Say whose right goes: --revoke=…, alone.");
  if (revoked) return console.log(await revoke(target, revoked, now));
  const username = args.option("username")?.trim();
  if (!username || !/^\S{3,60}$/.test(username)) throw new Error("Name the account: --username=…");
  const account = await find(target, username);
  if (account && (args.option("email") ?? args.option("first-name") ?? args.option("last-name")) !== null)
    throw new Error(
      `${account.username} has an account already, which keeps its name and email: --username alone.`,
    );
  if (account) return console.log(await grant(target, account, now));
  const named = providerCreationSchema.shape.username.safeParse(username);
  if (!username.includes("@") && !named.success)
    throw new Error(`${username} is no username: ${named.error.issues[0]!.message}.`);
  if (username.includes("@"))
    throw new Error(`No account has the email ${username}, and a username has no @. Add --email=… instead.`);
  const email = args.option("email")?.trim();
  if (email !== undefined && !z.safeParse(z.email(), email).success)
    throw new Error(`${email} is not an email address.`);
  const owner = email ? await find(target, email) : null;
  if (owner)
    throw new Error(
      `${email} belongs to ${owner.username} already: make that account one (--username=${owner.username}), or use another email.`,
    );
  const password = await create(target, username, args, now);
  console.log(`Created ${username}, a super admin. One-time password, shown only here: ${password}`);
});
