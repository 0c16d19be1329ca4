import type { UserRow } from "../../platform/session.ts";
import type { AppContext } from "../../platform/app.ts";
import { openSecondStep } from "./challenge-commands.ts";
import { hasPasskey } from "./queries.ts";
import { startSignIn } from "./sign-in-cookie.ts";

/**
 * Opens a second step after a correct password, if the account has a passkey.
 * @returns false for an account without a passkey; the password is then enough
 */
export async function requireSecondStep(c: AppContext, user: UserRow): Promise<boolean> {
  const db = c.env.db;
  if (!(await hasPasskey(db, user.id))) return false;
  await openSecondStep(db, startSignIn(c), user.id, Date.now());
  return true;
}
