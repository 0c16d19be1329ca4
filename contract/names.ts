/** Names that people choose: for themselves, for others to read, and to sign in by. */

/** Letters with their marks, digits, and what stands between the parts of a name. */
const PERSON = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’.,()-]*$/u;
/** A full stop with two letters or more on both sides, as in an address of the web; "J.R." has one. */
const LINK = /[\p{L}\p{N}]{2}\.\p{L}{2}|(^|[^\p{L}])www\b/iu;
/** Signs that nobody sees, or that break a line: they hide in a name or add to it. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const PERSON_NAME_MAX = 50;

/**
 * Whether a text can be a person's name. It stands in emails that we send: lines and links of somebody
 * else's must not.
 */
export function isPersonName(text: string): boolean {
  if ([...text].length > PERSON_NAME_MAX || UNSEEN.test(text)) return false;
  // Wide letters and dots are read as plain ones, by people and by mail programs.
  const plain = text.normalize("NFKC").replaceAll("。", ".");
  return PERSON.test(plain) && !LINK.test(plain);
}

/** Whether a name stays on its line and shows all it has. */
export function isOneLine(text: string): boolean {
  return !UNSEEN.test(text);
}

/** How an email begins. A name from before there were rules is left out when it is none. */
export function greetingOf(firstName: string): string {
  return isPersonName(firstName) ? `Hello ${firstName},` : "Hello,";
}

/**
 * A username as it is stored and looked for. SQLite knows the case of ASCII only: other letters are small.
 * @param text as typed
 */
export function normalUsername(text: string): string {
  return text.normalize("NFKC").replaceAll(/[^\0-\x7f]+/g, (part) => part.toLowerCase());
}

/**
 * What a new username is made of: the letters of European languages and of Vietnamese, which all look
 * different, but for the i without a dot and the k of Greenland. Letters of other scripts have doubles among them.
 */
export const USERNAME =
  /^(?!.*[\u0131\u0138])[\w.@+'\-\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]*$/;
