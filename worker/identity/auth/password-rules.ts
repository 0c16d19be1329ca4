/** Refuses the passwords that attackers guess first. Does not check stored passwords. */
import { DomainError } from "../../platform/errors.ts";
import { COMMON_NUMBERS, COMMON_WORDS, WALKS } from "./common-passwords.ts";

/** Names of the user that an attacker may know. */
export type KnownWords = {
  username?: string | null;
  email?: string | null;
  pendingEmail?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  companyName?: string | null;
};

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Returns only the letters and digits, in lower case. */
function squash(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Strips the digits and symbols that users add around a word to satisfy a form. */
function stripAffixes(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

/** Replaces look-alike digits and symbols with letters. */
function replaceLookAlikes(text: string): string {
  return text.replaceAll(/[013457@$!]/g, (character) => LOOK_ALIKES[character]!);
}

/** Returns candidate words in a password, with look-alike symbols both replaced and dropped. */
function stems(password: string): string[] {
  const plain = password.normalize("NFKC").toLowerCase();
  // Trim "passw0rd1!" first, or its last two characters would be read as "li".
  return [
    stripAffixes(plain),
    replaceLookAlikes(stripAffixes(plain)),
    replaceLookAlikes(plain),
    replaceLookAlikes(plain).replaceAll("l", "i"),
  ].map(squash);
}

const reversed = (text: string) => [...text].toReversed().join("");

/** Returns whether text is part of a keyboard or alphabet sequence, forwards or backwards. */
function isWalk(text: string): boolean {
  const shortest = 3;
  return (
    text.length >= shortest && WALKS.some((walk) => walk.includes(text) || reversed(walk).includes(text))
  );
}

/** Returns whether text only repeats one to four characters: "abcabc", "111111", "12341234". */
function isRepetition(text: string): boolean {
  return /^(.{1,4}?)\1+$/su.test(text);
}

function isCommon(password: string): boolean {
  const text = squash(password);
  if (COMMON_NUMBERS.has(text) || isRepetition(text)) return true;
  const parts = text.match(/\p{L}+|\p{N}+/gu) ?? [];
  if (isWalk(text) || (parts.length > 0 && parts.every(isWalk))) return true;
  return stems(password).some(
    (stem) => COMMON_WORDS.has(stem) || isWalk(stem) || COMMON_WORDS.has(collapseRepetition(stem)),
  );
}

/** Returns the first half of a text that consists of two equal halves; otherwise the text itself. */
function collapseRepetition(text: string): string {
  const first = text.slice(0, text.length / 2);
  return first + first === text ? first : text;
}

/** Minimum length of a name to search for. Shorter names occur in too many good passwords. */
const MIN_NAME_LENGTH = 3;
/** Minimum characters of a password besides the names in it. */
const MIN_OWN_CHARACTERS = 4;

function wordsOf(address: string): string[] {
  const [mailbox = "", host = ""] = address.split("@");
  return [address, mailbox, host.split(".")[0]!, ...mailbox.split(/[._+-]/)];
}

function namesOf(person: KnownWords): string[] {
  const { username, email, pendingEmail, firstName, lastName, companyName } = person;
  const texts = [username, firstName, lastName, companyName];
  const addressed = [email, pendingEmail].flatMap((address) => wordsOf(address ?? ""));
  const words = [...texts, ...addressed, ...(companyName ?? "").split(/\s+/)];
  const names = words.map((word) => squash(word ?? "")).filter((word) => word.length >= MIN_NAME_LENGTH);
  // Longest first, so that a name inside a longer one does not split it.
  return [...new Set(names)].toSorted((a, b) => b.length - a.length);
}

function isOwnName(password: string, person: KnownWords): boolean {
  const names = namesOf(person);
  return [squash(password), ...stems(password)].some((text) => {
    const rest = names.reduce((left, name) => left.replaceAll(name, " "), text);
    return rest !== text && squash(stripAffixes(rest)).length < MIN_OWN_CHARACTERS;
  });
}

const COMMON =
  "Too easy to guess: it's one of the first passwords people try. Three plain words make a good one.";
const OWN = "Too easy to guess: it's made from your own name. Three plain words make a good one.";

/**
 * Returns the problem with a chosen password; null if there is none.
 * @param person the user who will own the password
 */
export function passwordProblem(password: string, person: KnownWords): string | null {
  if (isCommon(password)) return COMMON;
  return isOwnName(password, person) ? OWN : null;
}

/**
 * Refuses a password that attackers guess first.
 * @param field the password's field in the form
 * @throws DomainError invalid_input, for that field
 */
export function refuseWeakPassword(field: string, password: string, person: KnownWords): void {
  const problem = passwordProblem(password, person);
  if (problem) throw new DomainError("invalid_input", problem, { [field]: problem });
}
