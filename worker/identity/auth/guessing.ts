/** Handles a password attempt: limits it, checks the password and updates the account's failures (decision 49). */
import { normaliseUsername } from "../../../contract/names.ts";
import { CLEAR_OFFLINE_KEY } from "../../../contract/offline.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { notifyByEmail } from "../../outbox/commands.ts";
import type { AppContext } from "../../platform/context.ts";
import { TryLater } from "../../platform/errors.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { shortKeyedHash } from "../../platform/keys.ts";
import type { UserRow } from "../../platform/caller.ts";
import { deviceCookieHeader } from "../identify-caller.ts";
import { authenticate } from "./commands.ts";
import { deviceCookie, findKnownDevice, listUserIds } from "./device-cookie.ts";
import { clearFailures, admitAttempt } from "./guess-commands.ts";
import { hashingQueue } from "./passwords.ts";
import { countSignIns, type findUserForLogin } from "./queries.ts";
import { networkKey, recordFailure } from "./sign-in-commands.ts";
import { newToken } from "./rules.ts";
import { passwordGuessed, GUESSES_BEFORE_NOTICE } from "../messages.ts";

type Found = Awaited<ReturnType<typeof findUserForLogin>>;

/**
 * Returns the key of an account's failures. An unknown name has a key too, so that it gets the same delays. The key
 * reveals neither the account nor the name.
 */
function failuresKey(c: AppContext, found: Found, login: string): string {
  const account = found?.user.id ?? `name ${normaliseUsername(login).toLowerCase()}`;
  return shortKeyedHash(c.env.settings.originHashKey, "account", account);
}

/**
 * Checks the password of a sign-in. Wrong passwords delay further attempts at the account, except on its known devices,
 * which have a limit of their own.
 * @param found the user that matches the login; null if there is none
 * @throws DomainError invalid_credentials; TryLater too_many_requests
 */
export async function checkPassword(
  c: AppContext,
  found: Found,
  { username, password }: { username: string; password: string },
): Promise<UserRow> {
  const { db, CALLER: caller } = c.env;
  const now = Date.now();
  // Check this first: an attempt without a password check must not count.
  hashingQueue.refuseIfFull();
  const deviceId = found && findKnownDevice(caller.device, found.user, now);
  const key = deviceId ? null : failuresKey(c, found, username);
  if (deviceId) await countTry(c.env.LOGIN_PER_ACCOUNT, `device ${deviceId}`);
  const failures = key && (await admitAttempt(db, key, now, canSendEmail(c.env)));
  const user = await authenticate(found, password).catch((error: unknown) => {
    const tried = {
      userId: found?.user.id ?? null,
      userAgent: caller.userAgent,
      method: "password",
    } as const;
    // In a burst, the queue may fill after the attempt was counted. Then nothing was checked, so it is no failed sign-in.
    if (!(error instanceof TryLater)) c.executionCtx.waitUntil(recordFailure(c.env, { ...tried, now }));
    if (failures === GUESSES_BEFORE_NOTICE && found?.isActive) notifyByEmail(c, found.user, passwordGuessed);
    throw error;
  });
  if (key) await clearFailures(db, key);
  return user;
}

/**
 * Returns whether a sign-in comes from an unknown browser and an unknown network. False on the account's first sign-in,
 * or without email. Call it before the sign-in is recorded.
 */
export async function isUnknownPlace(c: AppContext, user: UserRow): Promise<boolean> {
  if (!user.email || !canSendEmail(c.env)) return false;
  if (findKnownDevice(c.env.CALLER.device, user, Date.now())) return false;
  const { all, here } = await countSignIns(c.env.db, [user.id], networkKey(c.env, c.env.CALLER.network));
  return all > 0 && here === 0;
}

/**
 * Marks the browser as known to an account, after a successful sign-in. Clears the key to the browser's offline data if
 * another user signed in on it last.
 * @param user the current row, including the password hash
 */
export function rememberDevice(c: AppContext, user: UserRow): void {
  const { device, secure } = c.env.CALLER;
  const cookie = deviceCookie(device, user, newToken().slice(0, 22), Date.now());
  c.header("Set-Cookie", deviceCookieHeader(secure, cookie), { append: true });
  if (listUserIds(device)[0] !== user.id) c.header("Set-Cookie", CLEAR_OFFLINE_KEY, { append: true });
}
