/** Refuses new passwords that attackers guess first, and hashes and checks passwords. */

import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

import type { Settings } from "../../platform/env.ts";
import { DomainError, TryLater } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import { createWorkQueue } from "../../platform/work-queue.ts";

/** Names of the user that an attacker may know. */
type KnownWords = {
  username?: string | null;
  email?: string | null;
  pendingEmail?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  companyName?: string | null;
};

/** Returns only the letters and digits, in lower case. */
function squash(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Strips the digits that users add around a word. */
function stripDigits(text: string): string {
  return squash(text).replaceAll(/^\p{N}+|\p{N}+$/gu, "");
}

/** Returns whether a password is only one of the user's names, with or without digits around it. */
function isOwnName(password: string, person: KnownWords): boolean {
  const { username, email, pendingEmail, firstName, lastName, companyName } = person;
  const mailboxes = [email, pendingEmail].map((address) => address?.split("@", 1)[0]);
  const fullName = `${firstName ?? ""}${lastName ?? ""}`;
  const names = [username, email, pendingEmail, ...mailboxes, firstName, lastName, fullName, companyName];
  const word = stripDigits(password);
  return word !== "" && names.some((name) => stripDigits(name ?? "") === word);
}

const COMMON =
  "Too easy to guess: it's one of the first passwords people try. Three plain words make a good one.";
const BREACHED =
  "This password was in a data breach, so attackers try it. Three plain words make a good one.";
const OWN = "Too easy to guess: it's made from your own name. Three plain words make a good one.";

/**
 * Returns the problem with a chosen password; null if there is none. The list of breaches is not asked here.
 * @param person the user who will own the password
 */
export function passwordProblem(password: string, person: KnownWords): string | null {
  if (COMMON_PASSWORDS.has(squash(password))) return COMMON;
  return isOwnName(password, person) ? OWN : null;
}

/**
 * Refuses a password that attackers guess first.
 * @param field the password's field in the form
 * @throws DomainError invalid_input, for that field
 */
export async function refuseWeakPassword(
  settings: Settings,
  field: string,
  password: string,
  person: KnownWords,
): Promise<void> {
  let problem = passwordProblem(password, person);
  if (!problem && settings.checksBreaches && (await isBreached(password))) problem = BREACHED;
  if (problem) throw new DomainError("invalid_input", problem, { [field]: problem });
}

const RANGES = "https://api.pwnedpasswords.com/range/";

const TIMEOUT_MS = 1_000;

/**
 * Returns whether Have I Been Pwned lists a password. It receives only the first five characters of the password's hash
 * and returns all listed hashes that start with them. Returns false if it does not respond in time.
 * https://haveibeenpwned.com/API/v3#PwnedPasswords
 */
async function isBreached(password: string): Promise<boolean> {
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const response = await fetch(RANGES + hash.slice(0, 5), {
      headers: { "Add-Padding": "true", "User-Agent": "naturestrip" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    // Lines of padding have the count 0.
    return new RegExp(`^${hash.slice(5)}:[1-9]`, "m").test(await response.text());
  } catch (error) {
    log("warn", "breaches_unavailable", { error });
    return false;
  }
}

/**
 * The first passwords that people try, in lower case and without symbols. They are refused everywhere, also where the
 * list of breaches is off or does not respond. We wrote the list by hand and copied no published
 * one, so no licence applies.
 */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
123456 1234567 12345678 123456789 1234567890 0123456789 987654321 0987654321 87654321 654321 000000 00000000
111111 1111111 11111111 222222 333333 444444 555555 666666 777777 7777777 888888 88888888 999999 99999999
121212 112233 123123 123123123 123321 123654 147258 147258369 159753 159357 101010 131313 696969 789456
741852963 456789 456123 321321 232323 212121 102030 1234qwer 123qwe 123abc 1234abcd 123456a 123456q 1q2w3e
1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 qazwsx qazwsxedc qwe123 qweasd qweasdzxc qwer1234 qwert123 qwerty
qwerty1 qwerty12 qwerty123 qwerty1234 qwertyuiop qwertz azerty asdfgh asdfghjkl asdf1234 asd123 zxcvbn
zxcvbnm zaq12wsx abc123 abcd1234 abcdef abc12345 a123456 a12345678 aa123456 aaaaaa password password1
password12 password123 password1234 password2 passw0rd pass123 pass1234 p4ssw0rd p4ssword pssw0rd pssword
admin1 admin123 admin1234 administrator root123 test123 test1234 testtest tester guest123 user123 login123
letmein letmein1 welcome welcome1 welcome123 changeme changeme1 default master master123 secret secret1
secret123 hello1 hello123 iloveyou iloveyou1 iloveyou2 lovely sunshine sunshine1 princess princess1 monkey
monkey1 dragon dragon1 dragon123 football football1 baseball basketball cricket soccer superman batman
spiderman starwars pokemon minecraft michael jordan jordan23 michelle jessica ashley daniel charlie thomas
andrew joshua jennifer nicole hunter hunter2 ginger pepper buster killer shadow freedom whatever computer
internet samsung google trustno1 cheese cookie chocolate butterfly flower flowers summer winter tigger
sydney sydney1 sydney123 melbourne australia aussie kangaroo lawnmower gardener naturestrip liverpool
`
    .trim()
    .split(/\s+/),
);

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
