/** Which passwords nobody may choose: what is guessed first. Stored ones are not looked at again. */
import { DomainError } from "../errors.ts";
import { COMMON_NUMBERS, COMMON_WORDS, WALKS } from "./common-passwords.ts";

/** What a guesser knows of a person: the words they are called by, as far as they are given. */
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

/** Letters and digits alone, in lower case. */
function squash(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Without the digits and signs that are put around a word to please a form. */
function trimmed(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

/** Look-alike signs as the letters they stand for. */
function read(text: string): string {
  return text.replaceAll(/[013457@$!]/g, (sign) => LOOK_ALIKES[sign]!);
}

/** What a password is at heart, with look-alike signs read as letters and as they stand. */
function stems(password: string): string[] {
  const plain = password.normalize("NFKC").toLowerCase();
  // "passw0rd1!": the ends go first, or the last two would be read as "li".
  return [trimmed(plain), read(trimmed(plain)), read(plain), read(plain).replaceAll("l", "i")].map(squash);
}

const reversed = (text: string) => [...text].toReversed().join("");

/** Whether a text is a stretch of a walk, forwards or backwards. */
function isWalk(text: string): boolean {
  const shortest = 3;
  return (
    text.length >= shortest && WALKS.some((walk) => walk.includes(text) || reversed(walk).includes(text))
  );
}

/** "abcabc", "111111", "12341234": nothing but the same few signs again and again. */
function isRepetition(text: string): boolean {
  return /^(.{1,4}?)\1+$/su.test(text);
}

function isCommon(password: string): boolean {
  const text = squash(password);
  if (COMMON_NUMBERS.has(text) || isRepetition(text)) return true;
  const parts = text.match(/\p{L}+|\p{N}+/gu) ?? [];
  if (isWalk(text) || (parts.length > 0 && parts.every(isWalk))) return true;
  return stems(password).some(
    (stem) => COMMON_WORDS.has(stem) || isWalk(stem) || COMMON_WORDS.has(half(stem)),
  );
}

/** The word that a text says twice; the text itself when it does not. */
function half(text: string): string {
  const first = text.slice(0, text.length / 2);
  return first + first === text ? first : text;
}

/** Shorter names stand inside too many honest words. */
const SHORTEST_NAME = 3;
/** What has to be left of a password besides the names in it. */
const LEAST_OF_ITS_OWN = 4;

/** The parts of an email address, and all of it. */
function wordsOf(address: string): string[] {
  const [mailbox = "", host = ""] = address.split("@");
  return [address, mailbox, host.split(".")[0]!, ...mailbox.split(/[._+-]/)];
}

function namesOf(person: KnownWords): string[] {
  const { username, email, pendingEmail, firstName, lastName, companyName } = person;
  const texts = [username, firstName, lastName, companyName];
  const addressed = [email, pendingEmail].flatMap((address) => wordsOf(address ?? ""));
  const words = [...texts, ...addressed, ...(companyName ?? "").split(/\s+/)];
  const names = words.map((word) => squash(word ?? "")).filter((word) => word.length >= SHORTEST_NAME);
  // The longest first, so that a name inside another one does not break it.
  return [...new Set(names)].toSorted((a, b) => b.length - a.length);
}

function isOwnName(password: string, person: KnownWords): boolean {
  const names = namesOf(person);
  return [squash(password), ...stems(password)].some((text) => {
    const rest = names.reduce((left, name) => left.replaceAll(name, " "), text);
    return rest !== text && squash(trimmed(rest)).length < LEAST_OF_ITS_OWN;
  });
}

const COMMON = "Too easy to guess: it's one of the first that get tried. Three plain words make a good one.";
const OWN = "Too easy to guess: it's made from your own name. Three plain words make a good one.";

/**
 * What is wrong with a password that somebody chooses; null when nothing is.
 * @param person whose it will be
 */
export function passwordProblem(password: string, person: KnownWords): string | null {
  if (isCommon(password)) return COMMON;
  return isOwnName(password, person) ? OWN : null;
}

/**
 * Refuses a password that is guessed first.
 * @param field what the form calls it
 * @throws DomainError invalid_input, about that field
 */
export function refuseWeakPassword(field: string, password: string, person: KnownWords): void {
  const problem = passwordProblem(password, person);
  if (problem) throw new DomainError("invalid_input", problem, { [field]: problem });
}
