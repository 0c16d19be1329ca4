/** Refuses passwords that attackers guess first. Does not check stored passwords. */
import { DomainError } from "../../platform/errors.ts";
import type { Settings } from "../../platform/env.ts";
import { isBreached } from "./breached-passwords.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

/** Names of the user that an attacker may know. */
export type KnownWords = {
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
