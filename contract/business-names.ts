/** Rules for the names of businesses, which our pages and emails show. */
import * as z from "zod/mini";

import { emptyToNull, isPlainLine, maxCharacters } from "./text-fields.ts";

/** Ticks, which look like our checks, and trade mark signs. */
const MARKS =
  /[\u221a\u237b\u2611\u2705\u2713\u2714\u{1f5f8}\u{1f5f9}\u{1fbb1}\u2122\u2120\u00ae\u00a9](?:\ufe0e|\ufe0f)?/gu;

/** Returns a business's name as we store and show it: normalised, and without marks. */
export function toBusinessName(text: string): string {
  return text.replaceAll(MARKS, " ").normalize("NFKC").replaceAll(MARKS, " ").replaceAll(/ +/g, " ").trim();
}

/** Scripts with look-alike letters. A word may use only one of them. */
const ALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/** Small capitals, phonetic letters and letters in boxes, which no name needs. */
const ODD_LETTERS = /[\u0250-\u02af\u1d00-\u1dbf\ua720-\ua7ff\u{1f110}-\u{1f1ad}]/u;

/** Letters and digits that look like the Latin ones in the same place of the second text. */
const LOOK_ALIKES = new Map(
  [
    ["авсеԁһіјкмнопԛрѕтуѵԝхгь", "abcedhijkmhonqpstyvwxrb"],
    ["αβεηικνορτυχγω", "abenikvoptuxyw"],
    ["013457@$|!l", "oieastasiii"],
  ].flatMap(([from, to]) => [...from!].map((letter, i) => [letter, [...to!][i]!] as const)),
);

/** Returns a text in plain Latin letters, with one space between words. Letters that look alike are equal. */
function skeletonOf(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return [...plain]
    .map((letter) => LOOK_ALIKES.get(letter) ?? letter)
    .join("")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Returns the skeleton with spelled-out words joined: "a t o" is "ato". */
const joinLetters = (skeleton: string) => skeleton.replaceAll(/(?<=\b\p{L}) (?=\p{L}\b)/gu, "");

/** Returns phrases as alternatives of a regular expression for skeletons. Spaces may be missing. */
const alternatives = (phrases: string) =>
  phrases
    .split("|")
    .map((phrase) => skeletonOf(phrase).replaceAll(" ", " ?"))
    .join("|");

const GOVERNMENT = alternatives(
  [
    "government|govt|gov|ato|asic|accc|tax office|taxation office|service nsw|services australia|fair trading",
    "fair work|safework|revenue nsw|transport for nsw|nsw police|police force|nsw health|nsw epa|centrelink",
    "medicare|department of|ministry of|local land services|national parks and wildlife",
  ].join("|"),
);

/** The whole authority: "Inner West Council", "Council of the City of Sydney", "City of Parramatta". */
const COUNCIL = skeletonOf("council");
const PARTS = alternatives(
  "service|services|support|parks|ranger|rangers|works|department|office|team|nsw|australia",
);
const AREAS = alternatives("city|shire|municipality");
const AUTHORITY = new RegExp(
  `\\b(?:${GOVERNMENT})\\b|\\b${COUNCIL}(?: (?:of )?(?:${PARTS}))*$|^(?:the )?${COUNCIL} of\\b|^(?:the )?(?:${AREAS}) of(?: \\p{L}+){1,2}$`,
  "u",
);

/** @returns the message for a name that we do not accept; null for others */
export function findNameFault(text: string): string | null {
  const name = toBusinessName(text);
  const words = name.split(/[^\p{L}\p{M}]+/u);
  if (
    ODD_LETTERS.test(name) ||
    words.some((word) => ALIKE_SCRIPTS.filter((script) => script.test(word)).length > 1)
  )
    return "Please write each word in one alphabet, with plain letters only";
  const skeleton = skeletonOf(name);
  const compact = skeleton.replaceAll(" ", "");
  if (compact.includes("naturestrip")) return "Please choose another name: this one has our name in it";
  if (compact.includes(skeletonOf("verified")))
    return "Please leave “Verified” out of the name. Your page shows what we’ve checked";
  return AUTHORITY.test(skeleton) || AUTHORITY.test(joinLetters(skeleton))
    ? "Please choose another name: this one looks like a government body’s"
    : null;
}

const isAccepted = z.refine<string>((name) => findNameFault(name) === null, {
  error: ({ input }) => findNameFault(String(input)) ?? undefined,
});

/** Schema of a business's name that must not be blank. Marks are removed. */
export const requiredBusinessName = (message: string, max: number) =>
  z
    .string(message)
    .check(z.overwrite(toBusinessName), z.minLength(1, message), maxCharacters(max), isPlainLine, isAccepted);

/** Schema of an optional name of a business; empty becomes null. */
export const optionalBusinessName = (max: number) =>
  z.optional(
    z.nullable(
      z.pipe(
        z.string().check(z.overwrite(toBusinessName), maxCharacters(max), isPlainLine, isAccepted),
        z.transform(emptyToNull),
      ),
    ),
  );
