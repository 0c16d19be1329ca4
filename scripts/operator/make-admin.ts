/**
 * `npm run make-admin -- --username=… [--email=…] [--first-name=… --last-name=…] [--remote]`: makes a
 * provider a super admin. An account that does not exist yet is created with a one-time password, which
 * is printed once and has to be changed at the first sign-in.
 */
import { randomBytes } from "node:crypto";

import { hashPassword } from "../../worker/auth/rules.ts";
import { main, option, query, quote, type Target, targetOf } from "./d1.ts";

const audit = (id: string, action: string, now: number) =>
  `INSERT INTO audit_log (at, action, subject_type, subject_id, after) VALUES (${now}, ${quote(action)}, 'user', ${quote(id)}, '{"isSuperAdmin":true,"by":"operator"}')`;

async function promote(target: Target, id: string, now: number): Promise<void> {
  await query(
    target,
    `UPDATE users SET is_super_admin = 1, is_verified = 1, updated_at = ${now} WHERE id = ${quote(id)};
     ${audit(id, "user.made_super_admin", now)}`,
  );
}

/** Stores a new super admin. Returns the one-time password. */
async function create(target: Target, username: string, now: number): Promise<string> {
  const id = `user_${randomBytes(12).toString("hex").slice(0, 20)}`;
  const password = randomBytes(12).toString("base64url");
  const values = {
    id,
    username,
    email: option("email")?.toLowerCase() ?? null,
    password_hash: await hashPassword(password),
    must_change_password: 1,
    user_type: "provider",
    first_name: option("first-name") ?? "Super",
    last_name: option("last-name") ?? "Admin",
    company_name: "Naturestrip",
    is_verified: 1,
    is_super_admin: 1,
    created_at: now,
    updated_at: now,
  };
  const names = Object.keys(values).join(", ");
  const texts = Object.values(values).map(quote).join(", ");
  await query(target, `INSERT INTO users (${names}) VALUES (${texts}); ${audit(id, "user.created", now)}`);
  return password;
}

await main(async () => {
  const username = option("username")?.trim();
  if (!username || !/^\S{3,60}$/.test(username)) throw new Error("Name the account: --username=…");
  const target = targetOf();
  const now = Date.now();
  const [found] = await query(
    target,
    `SELECT id, user_type, is_super_admin, is_active FROM users WHERE lower(username) = lower(${quote(username)})`,
  );
  if (!found) {
    const password = await create(target, username, now);
    console.log(`Created ${username}, a super admin. One-time password, shown only here: ${password}`);
    return;
  }
  if (found.user_type !== "provider") throw new Error(`${username} is no provider: choose another account.`);
  if (!found.is_active) throw new Error(`${username} is deactivated: activate it first.`);
  if (found.is_super_admin) return console.log(`${username} is a super admin already.`);
  await promote(target, String(found.id), now);
  console.log(`${username} is a super admin now. Open windows notice when they are reloaded.`);
});
