/** A try at a password, from whether it is let through to what becomes of it. */
import type { AppContext } from "../platform/app.ts";
import { CLEAR_OFFLINE_KEY } from "../../contract/offline.ts";
import { database } from "../db/client.ts";
import { settings } from "../env.ts";
import { TryLater } from "../errors.ts";
import { log } from "../log.ts";
import { deviceCookieHeader } from "../middleware/caller.ts";
import { tellByEmail } from "../outbox/notice-commands.ts";
import { canSendEmail } from "../outbox/email.ts";
import { authenticate } from "./commands.ts";
import {
  admitGuess,
  forgiveGuess,
  isKnownNetwork,
  isStrangeNetwork,
  isToBeTold,
  rememberNetwork,
  takeGuessBack,
} from "./guess-commands.ts";
import { countersOf, type Counters, networkKey } from "./guess-counters.ts";
import { deviceCookie, knownDevice, lastPerson } from "./device-cookie.ts";
import type { findUserForLogin } from "./queries.ts";
import { newToken } from "./tokens.ts";
import type { UserRow } from "../platform/session.ts";
import { NOBODY_HASH } from "./password-hash.ts";
import { noteFailure } from "./sign-in-commands.ts";

type Found = Awaited<ReturnType<typeof findUserForLogin>>;

/** Somebody to look up places for when nobody has the name, so that both take the same time. */
const NOBODY = { id: "nobody", passwordHash: NOBODY_HASH };

async function countersFor(c: AppContext, found: Found, login: string, now: number): Promise<Counters> {
  const { network, device } = c.env.CALLER;
  const { originHashKey: secret } = settings(c.env);
  const user = found?.user ?? NOBODY;
  const key = networkKey(user, network, secret);
  const isKnown = await isKnownNetwork(database(c.env.DB), user.id, key, now);
  const account = found ? user.id : `name ${login.toLowerCase()}`;
  const deviceId = found ? knownDevice(device, user, now) : null;
  return countersOf({ account, network, deviceId, isKnownNetwork: isKnown }, secret);
}

/** Notes a wrong password and, when strangers have failed often, tells the account's person. After the answer. */
async function noteWrong(c: AppContext, found: Found, { strangers }: Counters, counted: Map<string, number>) {
  const now = Date.now();
  const tried = { userId: found?.user.id ?? null, userAgent: c.env.CALLER.userAgent };
  await noteFailure(c.env, { ...tried, method: "password", now });
  if (!strangers || !found?.isActive) return;
  try {
    const failures = counted.get(strangers.key) ?? 0;
    if (await isToBeTold(database(c.env.DB), strangers, failures, now))
      tellByEmail(c, found.user, "password_guessed");
  } catch (error) {
    log("error", "guessing_not_told", { userId: found.user.id, error });
  }
}

/**
 * Checks the password of a sign-in. Only wrong ones count, and they slow down whoever guesses.
 * @param found whom the login names; null for nobody
 * @throws DomainError invalid_credentials; TryLater too_many_requests, too_busy
 */
export async function checkPassword(
  c: AppContext,
  found: Found,
  { username, password }: { username: string; password: string },
): Promise<UserRow> {
  const db = database(c.env.DB);
  const now = Date.now();
  const counters = await countersFor(c, found, username, now);
  const counted = await admitGuess(db, counters, now);
  let user: UserRow;
  try {
    user = await authenticate(found, password);
  } catch (error) {
    // No turn came, so nothing was tried.
    if (error instanceof TryLater) await takeGuessBack(db, counters);
    else c.executionCtx.waitUntil(noteWrong(c, found, counters, counted));
    throw error;
  }
  await forgiveGuess(db, counters);
  return user;
}

/**
 * Whether somebody signs in to an account that has been used before on a browser and in a network that are both
 * unknown to it. Asked before the place becomes known, and only where its person can be told.
 */
export async function isStrangePlace(c: AppContext, user: UserRow): Promise<boolean> {
  const { network, device } = c.env.CALLER;
  const now = Date.now();
  if (!user.email || !canSendEmail(c.env) || knownDevice(device, user, now)) return false;
  const key = networkKey(user, network, settings(c.env).originHashKey);
  return isStrangeNetwork(database(c.env.DB), user.id, key, now);
}

/**
 * Makes the browser and its network known to an account: for whoever has just proven that it is theirs. What the
 * browser keeps for somebody else, who was here before, is nobody's to read from now on; whoever comes back after
 * their own session goes on with what they left.
 * @param user as stored now, the password's hash included
 */
export async function rememberPlace(c: AppContext, user: UserRow): Promise<void> {
  const { network, device, secure } = c.env.CALLER;
  const now = Date.now();
  const cookie = deviceCookie(device, user, newToken().slice(0, 22), now);
  c.header("Set-Cookie", deviceCookieHeader(secure, cookie), { append: true });
  if (lastPerson(device) !== user.id) c.header("Set-Cookie", CLEAR_OFFLINE_KEY, { append: true });
  const { originHashKey: secret } = settings(c.env);
  await rememberNetwork(database(c.env.DB), user, { name: network, secret }, now);
}
