import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

import { TryLater } from "../../platform/errors.ts";
import { createWorkQueue } from "../../platform/work-queue.ts";

/** Maximum requests in the queue. At 140 ms per password, the last request waits under two seconds. */
export const MAX_WAITING = 12;

/** The queue for all password hashing in this isolate. */
export const hashingQueue = createWorkQueue({
  maxWaiting: MAX_WAITING,
  idleMs: 25,
  busyError: () =>
    new TryLater(
      "too_many_requests",
      "A lot of people are signing in right now. Please try again in a few seconds.",
      5,
    ),
});

/** OWASP's minimum for scrypt with 16 MiB. Takes about 140 ms in workerd (Workers Paid). */
const SCRYPT = { N: 16384, r: 8, p: 5 } as const;
const KEY_BYTES = 32;

type Cost = { N: number; r: number; p: number };

/** Derives a key from a password in the hashing queue. @throws TryLater too_many_requests when the queue is full */
function derive(password: string, salt: Uint8Array, { N, r, p }: Cost): Promise<Uint8Array> {
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
  return hashingQueue.take(work);
}

/**
 * Returns a password's stored form: algorithm, parameters, salt and key. Storing the parameters allows a higher cost
 * later.
 * @throws TryLater too_many_requests
 */
export async function hashPassword(password: string, cost: Cost = SCRYPT): Promise<string> {
  const { N, r, p } = cost;
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ["scrypt", N, r, p, salt.toString("base64"), Buffer.from(key).toString("base64")].join("$");
}

/** A hash that no password matches, for nonexistent accounts. Checking it takes as long as checking a real one. */
export const DUMMY_HASH = `scrypt$${SCRYPT.N}$${SCRYPT.r}$${SCRYPT.p}$${Buffer.alloc(16).toString("base64")}$${Buffer.alloc(KEY_BYTES).toString("base64")}`;

/**
 * Returns whether a password matches a stored hash; false if the hash is unreadable.
 * @throws TryLater too_many_requests
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [algorithm, N, r, p, salt, key] = stored.split("$");
  if (algorithm !== "scrypt" || !salt || !key) return false;
  const expected = Buffer.from(key, "base64");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, "base64"), cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
