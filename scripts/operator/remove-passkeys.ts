/**
 * `npm run passkeys:remove -- --username=… [--remote]`: removes all passkeys and recovery codes of a user who has lost
 * them, and ends their sessions. The password alone signs them in again: verify the person's identity first.
 */
import { operate, query, quote } from "./d1.ts";

await operate({ name: "passkeys:remove", options: { username: "text" } }, true, async (target, args) => {
  const username = args.option("username")?.trim();
  if (!username) throw new Error("Name the account: --username=…");
  const [user] = await query(
    target,
    `SELECT id FROM users WHERE lower(username) = lower(${quote(username)})`,
  );
  if (!user) throw new Error(`No user is called ${username}.`);
  const id = quote(String(user.id));
  const [{ passkeys } = { passkeys: 0 }] = await query(
    target,
    `SELECT count(*) AS passkeys FROM passkeys WHERE user_id = ${id}`,
  );
  if (passkeys === 0) return console.log(`${username} has no passkey: the password alone signs in.`);
  await query(
    target,
    `DELETE FROM passkeys WHERE user_id = ${id}`,
    `DELETE FROM recovery_codes WHERE user_id = ${id}`,
    `DELETE FROM challenges WHERE user_id = ${id}`,
    `DELETE FROM sessions WHERE user_id = ${id} OR impersonator_id = ${id}`,
    `INSERT INTO audit_log (at, action, subject_type, subject_id, after) VALUES (${Date.now()}, 'user.passkeys_removed', 'user', ${id}, '{"by":"operator"}')`,
  );
  console.log(
    `Took ${passkeys} ${passkeys === 1 ? "passkey" : "passkeys"} from ${username}, and signed them out.`,
  );
});
