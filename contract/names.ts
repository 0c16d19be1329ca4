/** Rules for the names that users choose: display names and usernames. */

/** Letters with their marks, digits, and the separators in names. */
const PERSON = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’‘′´`.,()-]*$/u;
/** A full stop between two or more letters on each side, as in a web address. "J.R." has one letter on each side. */
const LINK_LIKE = /[\p{L}\p{N}]{2}\.\p{L}{2}|(^|[^\p{L}])www\b/iu;
/**
 * An abbreviation and a name without a space between them, as in "Md.Rahman" and "St.John". The name has at least three
 * characters, because a country's domain has two.
 */
const ABBREVIATED = /(?<![\p{L}\p{N}])(\p{Lu}\p{L}{1,3})\.(?=\p{Lu}\p{L}[\p{L}'’-])(\p{L}+)/gu;
/** Common ends of domains, which are no names. */
const DOMAIN_ENDS: ReadonlySet<string> = new Set(
  "app asia bet biz blog cash click cloud club com dev edu email fun gift gov help icu info link live loan mobi money name net news online org page pro shop site space store support sydney tech today top vip web website win world xyz".split(
    " ",
  ),
);

/** Returns whether a text contains a link or anything that a mail program turns into one. */
function containsLink(text: string): boolean {
  const spaced = text.replaceAll(ABBREVIATED, (whole, short: string, name: string) =>
    DOMAIN_ENDS.has(name.toLowerCase()) ? whole : `${short} ${name}`,
  );
  return LINK_LIKE.test(spaced);
}

/** Characters that are invisible or break a line. */
const INVISIBLE_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const PERSON_NAME_MAX = 50;

/**
 * Returns whether a text can be a person's name. We put names in our emails, so a name must not contain line breaks or
 * links.
 */
export function isPersonName(text: string): boolean {
  if ([...text].length > PERSON_NAME_MAX || INVISIBLE_CHARACTERS.test(text)) return false;
  // People and mail programs read wide letters and dots as plain ones.
  const plain = text.normalize("NFKC").replaceAll("。", ".");
  return PERSON.test(plain) && !containsLink(plain);
}

/** Joiners within words of some scripts, and the sign that colours an emoji, after a visible character. */
const JOINERS = /(?<=[\p{L}\p{M}\p{S}])(?:\u200C|\u200D|\uFE0F)/gu;

/** Returns whether a name has no line breaks and no invisible characters, except those that its script or emoji needs. */
export function hasNoInvisibleCharacters(text: string): boolean {
  return !INVISIBLE_CHARACTERS.test(text.replaceAll(JOINERS, ""));
}

/** A letter of Hebrew, Arabic and other scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns a name for a sentence, isolated if needed, so that it does not reorder a number beside it. */
export function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** Returns a text on one line, without invisible characters except those of `isolate`. */
export function toPlainLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(new RegExp(`(?![\u2068\u2069])${INVISIBLE_CHARACTERS.source}`, "gu"), "");
}

/** Returns the greeting of an email. Omits a stored name that breaks the current rules. */
export function greetingOf(firstName: string): string {
  return isPersonName(firstName) ? `Hello ${isolate(firstName)},` : "Hello,";
}

/**
 * Normalises a username for storage and lookup. SQLite folds the case of ASCII only, so other letters are lower-cased
 * here.
 * @param text as typed
 */
export function normaliseUsername(text: string): string {
  return text.normalize("NFKC").replaceAll(/[^\0-\x7f]+/g, (part) => part.toLowerCase());
}

/**
 * Characters allowed in a new username: Latin letters (including Vietnamese), digits and `. @ + ' - _`. Excludes the
 * dotless i, kra (ĸ) and all other scripts, because they contain look-alikes.
 */
export const USERNAME =
  /^(?!.*[\u0131\u0138])[\w.@+'\-\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]*$/;
