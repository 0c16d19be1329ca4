import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

import type { CurrentUser } from "../../contract/auth.ts";
import { greetingOf } from "../../contract/names.ts";
import { isRegion } from "../../contract/regions.ts";
import type { users } from "../db/schema.ts";
import { hashingTurns } from "./hashing-turns.ts";

export type UserRow = typeof users.$inferSelect;

/** A session ends this long after it was last used. */
export const SESSION_MS = 30 * 24 * 60 * 60 * 1000;

/** Whatever happens, a session ends this long after its person signed in. */
export const SESSION_MOST_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * When a session ends that is used now.
 * @param signedInAt when the person at the keyboard signed in, epoch milliseconds
 */
export function sessionEnd(now: number, signedInAt: number, lifetimeMs = SESSION_MS): number {
  return Math.min(now + lifetimeMs, signedInAt + SESSION_MOST_MS);
}

/** So long after somebody proved who they are they are not asked again. */
export const CONFIRMED_MS = 10 * 60 * 1000;

/** Whether whoever uses a session has proved who they are a short while ago. */
export function isConfirmed(session: { confirmedAt: number }, now: number): boolean {
  return now - session.confirmedAt < CONFIRMED_MS;
}

type Rights = {
  user: UserRow;
  impersonatorId: string | null;
  secondFactorAt: number | null;
  needsPasskey: boolean;
};

/**
 * A session with the rights it has: where super admins have to have a passkey, one who signed in without is
 * none until they have used or added one. Everybody who asks `user.isSuperAdmin` is told so.
 */
export function withOwnRights<Session extends Rights>(session: Session, demandsPasskey: boolean): Session {
  const { user, impersonatorId, secondFactorAt } = session;
  if (!demandsPasskey || !user.isSuperAdmin || impersonatorId !== null || secondFactorAt !== null)
    return session;
  return { ...session, needsPasskey: true, user: { ...user, isSuperAdmin: false } };
}

/** How often using a session moves its end: rarely enough that reads do not become writes. */
export const SESSION_TOUCH_MS = 24 * 60 * 60 * 1000;

/** OWASP's floor for scrypt with 16 MiB: about 140 ms in workerd (Workers Paid). */
const SCRYPT = { N: 16384, r: 8, p: 5 } as const;
const KEY_BYTES = 32;

/** @throws TryLater too_busy */
function derive(password: string, salt: Uint8Array, N: number, r: number, p: number): Promise<Uint8Array> {
  const work = () =>
    new Promise<Uint8Array>((resolve, reject) => {
      scrypt(
        password.normalize("NFKC"),
        salt,
        KEY_BYTES,
        { N, r, p, maxmem: 64 * 1024 * 1024 },
        (error, key) => {
          if (error) reject(error);
          else resolve(key);
        },
      );
    });
  return hashingTurns.take(work);
}

/** A password as stored: algorithm, its parameters, salt and key, so that parameters can grow later. */
export async function hashPassword(
  password: string,
  { N, r, p }: { N: number; r: number; p: number } = SCRYPT,
): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, N, r, p);
  return ["scrypt", N, r, p, salt.toString("base64"), Buffer.from(key).toString("base64")].join("$");
}

/** A hash no password has, for accounts that do not exist: checking it takes as long as a real one. */
export const NOBODY_HASH = `scrypt$${SCRYPT.N}$${SCRYPT.r}$${SCRYPT.p}$${Buffer.alloc(16).toString("base64")}$${Buffer.alloc(KEY_BYTES).toString("base64")}`;

/** Whether a password belongs to a stored hash; false for a hash it cannot read. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [algorithm, N, r, p, salt, key] = stored.split("$");
  if (algorithm !== "scrypt" || !salt || !key) return false;
  const expected = Buffer.from(key, "base64");
  const actual = await derive(password, Buffer.from(salt, "base64"), Number(N), Number(r), Number(p));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** A new session token: 256 random bits as URL-safe text. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a session token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** The business a person works for: their own, their owner's, or none. */
export function businessOf(user: Pick<UserRow, "id" | "userType" | "teamOwnerId">): string | null {
  if (user.userType === "provider") return user.id;
  if (user.userType === "team_member") return user.teamOwnerId;
  return null;
}

/** Whether a session's person has to choose a password first; an admin looking through their eyes has not. */
export function mustChangePassword(session: {
  user: Pick<UserRow, "mustChangePassword">;
  impersonatorId: string | null;
}): boolean {
  return session.user.mustChangePassword && session.impersonatorId === null;
}

/** How long a one-time link for a new password works. */
export const PASSWORD_LINK_MS = 24 * 60 * 60 * 1000;

/** Nobody's mail box is filled by somebody else's asking. */
export const BETWEEN_MAILS_MS = 5 * 60 * 1000;

/** The email with which somebody who forgot their password sets a new one. */
export function resetMessage(user: Pick<UserRow, "firstName">, link: string) {
  return {
    subject: "Choose a new password for Naturestrip",
    text: [
      greetingOf(user.firstName),
      "somebody, we hope you, asked for a new password for your Naturestrip account. Choose one here:",
      link,
      "The link works once and for 24 hours. If it was not you, there is nothing to do: your password stays as it is.",
    ].join("\n\n"),
  };
}

/** The part of a user row that its owner's browser may see. */
export function toCurrentUser(
  user: UserRow,
  impersonatorId: string | null,
  needsPasskey = false,
): CurrentUser {
  return {
    id: user.id,
    userType: user.userType,
    firstName: user.firstName,
    lastName: user.lastName,
    username: user.username,
    email: user.email,
    pendingEmail: user.pendingEmail,
    phone: user.phone,
    companyName: user.companyName,
    businessId: businessOf(user),
    isVerified: user.isVerified,
    isSuperAdmin: user.isSuperAdmin,
    needsPasskey,
    isImpersonating: impersonatorId !== null,
    mustChangePassword: mustChangePassword({ user, impersonatorId }),
    // A region that only another release knows has no exchange here: its socket would knock for ever.
    watchedRegions: user.watchedRegions.filter(isRegion),
    services: user.services,
  };
}
