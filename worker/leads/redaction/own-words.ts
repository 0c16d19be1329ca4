/** Finds the customer's own words: surname, street, mailbox. */
import { type Range, rangeOf, tokenizeText, type TextToken } from "./tokens.ts";
import { AMBIGUOUS_STREETS, STREETS } from "./words.ts";

/** The customer's details that must not show in their text. */
export type Customer = {
  customerName: string;
  customerAddress: string;
  customerEmail?: string | null;
  customerPhone: string;
  suburbName: string | null;
  suburbPostcode: string | null;
};

const isLetters = ({ kind }: TextToken) => kind === "word" || kind === "number";
const wordsOf = (text: string) =>
  tokenizeText(text)
    .tokens.filter(isLetters)
    .map((token) => token.text);
const isKind = (word: string) => STREETS.has(word) || AMBIGUOUS_STREETS.has(word);

/** Garden words. A street with such a name is redacted only as part of an address, not everywhere. */
const GARDEN_WORDS = new Set(
  "garden gardens lawn hedge hedges tree trees park green front back side hill house gate fence grass water pool rose".split(
    " ",
  ),
);

/** "Oak" or "Garden" alone would redact too much; "Oak Street" does not. */
const isDistinctive = (word: string) => word.length > 3 && !isKind(word) && !GARDEN_WORDS.has(word);

/** Returns the customer's own words, each as its list of plain words. */
export function ownWords(customer: Customer): string[][] {
  const { suburbName, suburbPostcode, customerEmail } = customer;
  const open = new Set(wordsOf(`${suburbName ?? ""} ${suburbPostcode ?? ""} nsw australia`));
  // Also match each half of a double name. Skip single letters, because rivals see the initial anyway.
  const surnames = wordsOf(customer.customerName.trim().split(/\s+/).slice(1).join(" ")).filter(
    (word) => word.length > 1,
  );
  const address = wordsOf(customer.customerAddress);
  const streets = address.filter(isDistinctive).map((word) => [word]);
  const pairs = address.flatMap((word, i) =>
    !isDistinctive(word) && isKind(address[i + 1] ?? "")
      ? [address[i + 1]!, "street", "st", "road", "rd", "avenue", "ave"].map((kind) => [word, kind])
      : [],
  );
  const mailbox = customerEmail ? [wordsOf(customerEmail.split("@")[0]!)] : [];
  return [...surnames.map((word) => [word]), ...streets, ...pairs, ...mailbox].filter(
    (words) => words.join("").length > 1 && !(words.length === 1 && open.has(words[0]!)),
  );
}

export function ownDigits({ customerPhone }: Pick<Customer, "customerPhone">): string {
  return tokenizeText(customerPhone)
    .tokens.filter(({ kind }) => kind === "number")
    .map(({ text }) => text)
    .join("");
}

/** Skips the marks and spaces between two words of a name, two at most. */
function pastMarks(tokens: readonly TextToken[], i: number): number {
  let at = i;
  while (at < i + 2 && tokens[at] && !isLetters(tokens[at]!)) at += 1;
  return at;
}

/** Returns the last token of the given words when they begin at a token; otherwise -1. */
function matchEnd(tokens: readonly TextToken[], i: number, words: readonly string[]): number {
  let at = i;
  for (const [n, word] of words.entries()) {
    if (n > 0) at = pastMarks(tokens, at);
    const text = tokens[at]?.text;
    // "The Browns": the plural also matches.
    if (text !== word && !(n === words.length - 1 && text === `${word}s`)) return -1;
    at += 1;
  }
  return at - 1;
}

/** Returns the ranges of a customer's own words, plurals included. */
export function placesOf(tokens: readonly TextToken[], own: readonly (readonly string[])[]): Range[] {
  const byFirst = new Map<string, (readonly string[])[]>();
  for (const words of own) {
    for (const first of [words[0]!, `${words[0]!}s`])
      byFirst.set(first, [...(byFirst.get(first) ?? []), words]);
  }
  return tokens.flatMap((token, i) =>
    (byFirst.get(token.text) ?? []).flatMap((words) => {
      const to = matchEnd(tokens, i, words);
      return to < 0 ? [] : [rangeOf(tokens, i, to)];
    }),
  );
}
