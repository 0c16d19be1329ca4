/** Handles a password attempt: admits it, checks the password and updates the counters. */
import type { AppContext } from "../../platform/app.ts";
import { CLEAR_OFFLINE_KEY } from "../../../contract/offline.ts";
import { TryLater } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import { deviceCookieHeader } from "../identify-caller.ts";
import { notifyByEmail } from "../../outbox/notice-commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { authenticate } from "./commands.ts";
import {
  admitGuess,
  clearGuesses,
  isKnownNetwork,
  isUnknownNetwork,
  shouldNotifyOwner,
  refundGuess,
  rememberNetwork,
} from "./guess-commands.ts";
import { countersOf, type Counters, networkKey } from "./guess-counters.ts";
import { deviceCookie, findKnownDevice, lastUserId } from "./device-cookie.ts";
import type { findUserForLogin } from "./queries.ts";
import { newToken } from "./tokens.ts";
import type { UserRow } from "../../platform/session.ts";
import { knownPlaceLimits, unknownPlaceLimits } from "./hashing-queue.ts";
import { DUMMY_HASH } from "./password-hash.ts";
import { recordFailure } from "./sign-in-commands.ts";

type Found = Awaited<ReturnType<typeof findUserForLogin>>;

/** Stand-in user for unknown logins, so that the check takes the same time. */
const UNKNOWN_USER = { id: "nobody", passwordHash: DUMMY_HASH };

async function countersFor(c: AppContext, found: Found, login: string, now: number): Promise<Counters> {
  const { network, prefixes, device } = c.env.CALLER;
  const { originHashKey: secret } = c.env.settings;
  const user = found?.user ?? UNKNOWN_USER;
  const key = networkKey(user, network, secret);
  const isKnown = await isKnownNetwork(c.env.db, user.id, key, now);
  const account = found ? user.id : `name ${login.toLowerCase()}`;
  const deviceId = found ? findKnownDevice(device, user, now) : null;
  return countersOf({ account, prefixes, deviceId, isKnownNetwork: isKnown }, secret);
}

/** Records a wrong password. Emails the user after many failures from unknown places. Runs after the response. */
async function recordWrongPassword(
  c: AppContext,
  found: Found,
  { sharedBudget }: Counters,
  counted: Map<string, number>,
) {
  const now = Date.now();
  const tried = { userId: found?.user.id ?? null, userAgent: c.env.CALLER.userAgent };
  await recordFailure(c.env, { ...tried, method: "password", now });
  if (!sharedBudget || !found?.isActive) return;
  try {
    const failures = counted.get(sharedBudget.key) ?? 0;
    if (await shouldNotifyOwner(c.env.db, sharedBudget, failures, now))
      notifyByEmail(c, found.user, "password_guessed");
  } catch (error) {
    log("error", "guessing_not_told", { userId: found.user.id, error });
  }
}

/**
 * Checks the password of a sign-in. Only wrong passwords count, and they slow down further guesses.
 * @param found the user that matches the login; null if there is none
 * @throws DomainError invalid_credentials; TryLater too_many_requests, too_busy
 */
export async function checkPassword(
  c: AppContext,
  found: Found,
  { username, password }: { username: string; password: string },
): Promise<UserRow> {
  const db = c.env.db;
  const now = Date.now();
  const counters = await countersFor(c, found, username, now);
  const counted = await admitGuess(db, counters, now, canSendEmail(c.env));
  const network = c.env.CALLER.prefixes.by48;
  const limits = counters.sharedBudget
    ? unknownPlaceLimits(network)
    : knownPlaceLimits(network, found?.user.id ?? UNKNOWN_USER.id);
  let user: UserRow;
  try {
    user = await authenticate(found, password, limits);
  } catch (error) {
    // The hashing queue was full, so the password was not checked.
    if (error instanceof TryLater) await refundGuess(db, counters);
    else c.executionCtx.waitUntil(recordWrongPassword(c, found, counters, counted));
    throw error;
  }
  await clearGuesses(db, counters);
  return user;
}

/**
 * Returns whether a sign-in comes from an unknown browser and an unknown network. False on the account's first sign-in,
 * or without email. Call it before `rememberSignInPlace`.
 */
export async function isUnknownPlace(c: AppContext, user: UserRow): Promise<boolean> {
  const { network, device } = c.env.CALLER;
  const now = Date.now();
  if (!user.email || !canSendEmail(c.env) || findKnownDevice(device, user, now)) return false;
  const key = networkKey(user, network, c.env.settings.originHashKey);
  return isUnknownNetwork(c.env.db, user.id, key, now);
}

/**
 * Marks the browser and its network as known to an account, after a successful sign-in. Clears the key to the browser's
 * offline data if another user signed in on it last.
 * @param user the current row, including the password hash
 */
export async function rememberSignInPlace(c: AppContext, user: UserRow): Promise<void> {
  const { network, device, secure } = c.env.CALLER;
  const now = Date.now();
  const cookie = deviceCookie(device, user, newToken().slice(0, 22), now);
  c.header("Set-Cookie", deviceCookieHeader(secure, cookie), { append: true });
  if (lastUserId(device) !== user.id) c.header("Set-Cookie", CLEAR_OFFLINE_KEY, { append: true });
  const { originHashKey: secret } = c.env.settings;
  await rememberNetwork(c.env.db, user, { name: network, secret }, now);
}
