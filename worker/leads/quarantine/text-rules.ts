/** Rules that detect spam and made-up details in a request's text. Every function runs in linear time. */
import { phoneKey } from "../../../contract/phone.ts";

/** Maximum words examined, which is enough to detect spam. */
const MAX_WORDS = 300;
/** Minimum words for a fingerprint. Shorter texts such as "Please mow the front and the back" often match by chance. */
const MIN_WORDS = 18;
const SHINGLE_WORDS = 3;

/** Maximum marks per text. */
export const MARKS = 8;
/** Two nearly identical texts share at least this many marks. */
export const LIKE_MARKS = 6;
/** Two texts from one template share at least this many marks. */
export const TEMPLATE_MARKS = 2;

/** Matches lines that our own forms add. Many requests share them. */
const ADDED_LINES = /^(?:Services requested|Preferred date): .*$/gm;

/** Returns the visitor's words in lower case, without digits and punctuation. */
export function typedWords(text: string | null | undefined): string[] {
  return (text ?? "")
    .replaceAll(ADDED_LINES, " ")
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}']+/u)
    .filter(Boolean)
    .slice(0, MAX_WORDS);
}

/** Hashes text with FNV-1a from the given seed. */
function fnv32(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // Mix the last letters into every bit: `fingerprintText` sorts by the leading bits.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Hashes text to an integer below 2^52. */
function hash52(text: string): number {
  return fnv32(text, 0x811c9dc5) * 2 ** 20 + (fnv32(text, 0x3d4d51cb) >>> 12);
}

/**
 * Returns marks to find nearly identical texts: the smallest hashes of a text's runs of three words. Similar texts
 * share most marks, even if a name or a suburb differs.
 * @returns empty for a text too short to be distinctive
 */
export function fingerprintText(text: string | null | undefined): number[] {
  const words = typedWords(text);
  if (words.length < MIN_WORDS) return [];
  const marks = new Set<number>();
  for (let i = 0; i + SHINGLE_WORDS <= words.length; i++) {
    marks.add(hash52(words.slice(i, i + SHINGLE_WORDS).join(" ")));
  }
  return [...marks].toSorted((a, b) => a - b).slice(0, MARKS);
}

export function sharedMarks(one: string | null, other: string | null): number {
  const marks = new Set(fingerprintText(other));
  return fingerprintText(one).filter((mark) => marks.has(mark)).length;
}

const LINK = /https?:|www\.|\.(?:com|net|org|ru|xyz|top|biz|info|shop|online)\b/i;

export function hasLink(text: string | null | undefined): boolean {
  return LINK.test(text ?? "");
}

/** Runs of adjacent keys that do not occur in names or words. */
const KEYBOARD_RUN =
  /qwer|rtyu|tyui|yuio|uiop|asdf|sdfg|dfgh|fghj|ghjk|hjkl|zxcv|xcvb|cvbn|vbnm|poiu|lkjh|kjhg|mnbv/;

/** Returns whether a word is keyboard mash. */
function isKeyboardMash(word: string): boolean {
  return (
    /(\p{L})\1{3}/u.test(word) ||
    /^(\p{L}{2,4})\1{2,}$/u.test(word) ||
    KEYBOARD_RUN.test(word) ||
    (/^[a-z]{5,}$/.test(word) && !/[aeiouy]/.test(word))
  );
}

const JOKE_NAMES = new Set(
  "test|test test|testing|tester|fake name|fake person|no name|nobody|anonymous|john doe|jane doe|joe bloggs|mickey mouse|minnie mouse|donald duck|homer simpson|bart simpson|lisa simpson|ned flanders|peter griffin|santa claus|batman|bat man|superman|spiderman|spider man|harry potter|darth vader|luke skywalker|james bond|bob the builder|shrek|peppa pig|scooby doo|bugs bunny|barney rubble|fred flintstone|sponge bob|spongebob|spongebob squarepants|patrick star|your mum|your mom|ur mum|joe mama|big chungus|hugh jass|seymour butts|ben dover|mike hunt|ima pigg|rick astley|king kong".split(
    "|",
  ),
);

const JOKE_PLACES =
  /\bfake (?:st|street|rd|road)\b|\bevergreen terrace\b|\bsesame st(?:reet)?\b|\bwallaby way\b|\bprivet drive\b|\bbikini bottom\b|\bnowhere st(?:reet)?\b|\b(?:your|ur) mums? house\b|\b221b baker\b/i;

const RUDE = /\b(?:fuck\w*|dickhead\w*|penis\w*|wank\w*|cunt\w*|boobs|skibidi|amogus|deez nuts|ur mum)\b/i;

/** Returns how many of the name, the address and the text look made up: 0 to 3. */
export function madeUpParts(request: {
  customerName: string;
  customerAddress: string;
  specificRequests?: string | null | undefined;
}): number {
  const name = typedWords(request.customerName);
  const words = typedWords(request.specificRequests);
  const mashed = words.filter(isKeyboardMash).length;
  const parts = [
    JOKE_NAMES.has(name.join(" ")) || name.some(isKeyboardMash) || RUDE.test(request.customerName),
    JOKE_PLACES.test(request.customerAddress) || typedWords(request.customerAddress).some(isKeyboardMash),
    RUDE.test(request.specificRequests ?? "") || (mashed > 0 && mashed * 3 >= words.length),
  ];
  return parts.filter(Boolean).length;
}

const THROWAWAY_HOSTS =
  /@(?:[\w-]+\.)*(?:mailinator|guerrillamail|10minutemail|yopmail|tempmail|temp-mail|trashmail|sharklasers|maildrop|getnada|dispostable|fakeinbox|throwawaymail|mintemail|mohmal|emailondeck|moakt|mytemp|tempr|burnermail|spamgourmet|discard)\.[a-z.]{2,10}$/i;

/** Returns whether an address belongs to a disposable email service. */
export function isThrowaway(email: string | null | undefined): boolean {
  return THROWAWAY_HOSTS.test(email ?? "");
}

/** Returns whether a number's digits count up or down, or hardly vary. No carrier issues such numbers. */
export function isMadeUpPhone(phone: string): boolean {
  const key = phoneKey(phone);
  if (!key?.startsWith("+61")) return false;
  const own = key.slice(4);
  if (own.length < 8) return false;
  return new Set(own).size <= 2 || /(\d)\1{5}/.test(own) || "01234567890 9876543210".includes(own.slice(-6));
}

/** Maximum distance between numbers of one made-up series. */
const SERIES = 10;

/**
 * Returns the range of mobile numbers around one, in E.164. Null for landlines, because an office's lines are
 * consecutive.
 */
export function phoneRange(key: string | null): { from: string; to: string } | null {
  if (!key || !/^\+614\d{8}$/.test(key)) return null;
  const own = Number(key.slice(1));
  return { from: `+${own - SERIES}`, to: `+${own + SERIES}` };
}
