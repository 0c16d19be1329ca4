/** Finds labels joined by dots in any spelling: hosts of links, and both halves of an email address. */
import tlds from "tlds" with { type: "json" };

import { isAdjacent, type TextToken } from "./tokens.ts";
import { COMMON, CORE_ENDS, DOT_MARKS, DOT_WORDS, UNSURE_ENDS } from "./words.ts";

const ENDS: ReadonlySet<string> = new Set(tlds);

/** Labels from token `from` to token `to`, inclusive. */
export type Chain = {
  from: number;
  to: number;
  labels: string[];
  /** Spelling of the dots; if they differ, the least certain one. */
  dots: "none" | "tight" | "spaced" | "spelled";
  /** Whether the last label begins with a capital letter, like a sentence. */
  isCapital: boolean;
};

/** Maximum labels in the name of a host or person. Longer chains are examined in parts. */
const MAX_LABELS = 6;
/** Maximum parts of a label: "my-front-lawn". */
const MAX_PARTS = 10;

export const isLabel = (token: TextToken | undefined): token is TextToken =>
  token?.kind === "word" || token?.kind === "number";

/** Returns whether a token is a bracket or similar mark around a spelled-out symbol: "(dot)", "_at_". */
export const isWrapper = (token: TextToken | undefined): boolean =>
  token?.kind === "mark" && "()[]{}<>_-*/\\|~'\"`^=+:".includes(token.text);

/** Returns the index after wrappers and spaces, skipping three at most. */
export function pastWrappers(tokens: readonly TextToken[], i: number, step: 1 | -1): number {
  let at = i;
  for (let n = 0; n < 3 && (tokens[at]?.kind === "space" || isWrapper(tokens[at])); n++) at += step;
  return at;
}

/** Returns the last token of a label that begins here: adjacent letters and digits, with hyphens and underscores. */
export function labelEnd(tokens: readonly TextToken[], i: number): number {
  let to = i;
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    const after = tokens[to + 1];
    if (isLabel(after) && isAdjacent(tokens, to + 1)) to += 1;
    else if ((after?.text === "-" || after?.text === "_") && isLabel(tokens[to + 2])) to += 2;
    else break;
  }
  return to;
}

type Dot = { next: number; kind: "tight" | "spaced" | "spelled" };

/** Returns the dot after a label and the label that follows it; null when something else follows. */
function dotAfter(tokens: readonly TextToken[], i: number): Dot | null {
  const glued = tokens[i];
  const isMark = glued?.kind === "mark" && DOT_MARKS.has(glued.text);
  if (isMark && isLabel(tokens[i + 1])) return { next: i + 1, kind: "tight" };
  if (glued?.text === "," && CORE_ENDS.has(tokens[i + 1]?.text ?? "")) return { next: i + 1, kind: "tight" };
  const at = pastWrappers(tokens, i, 1);
  const token = tokens[at];
  const next = pastWrappers(tokens, at + 1, 1);
  const isWrapped = isWrapper(tokens[at - 1]) && isWrapper(tokens[at + 1]);
  if (token?.kind === "word" && isLabel(tokens[next])) {
    // "power point on the left": "point" means a dot only before ".com". A wrapped "(d)" always does.
    const isDot = token.text === "point" ? CORE_ENDS.has(tokens[next].text) : DOT_WORDS.has(token.text);
    return isDot || (token.text === "d" && isWrapped) ? { next, kind: "spelled" } : null;
  }
  if (token?.kind !== "mark" || !DOT_MARKS.has(token.text) || !isLabel(tokens[next])) return null;
  // Treat "( . )" as a dot. A plain ". " usually ends a sentence.
  return { next, kind: isWrapped ? "spelled" : "spaced" };
}

const RANK = { none: 0, tight: 1, spaced: 2, spelled: 3 } as const;

/**
 * Returns the chain of labels that begins at a token.
 * @param isAddress whether this is part of an address, so that a spaced dot does not end a sentence
 */
export function chainAt(tokens: readonly TextToken[], from: number, isAddress = false): Chain {
  let to = labelEnd(tokens, from);
  let last = from;
  const labels = [
    tokens
      .slice(from, to + 1)
      .map(({ text }) => text)
      .join(""),
  ];
  let dots: Chain["dots"] = "none";
  while (labels.length < MAX_LABELS) {
    const dot = dotAfter(tokens, to + 1);
    if (!dot) break;
    const end = labelEnd(tokens, dot.next);
    const label = tokens
      .slice(dot.next, end + 1)
      .map(({ text }) => text)
      .join("");
    // A sentence begins after a spaced dot, unless the next label can only end a host.
    if (
      dot.kind === "spaced" &&
      !isAddress &&
      !CORE_ENDS.has(label) &&
      !(labels.length > 1 && label === "au")
    ) {
      const after = dotAfter(tokens, end + 1);
      if (!after || !CORE_ENDS.has(tokens[after.next]!.text)) break;
    }
    labels.push(label);
    if (RANK[dot.kind] > RANK[dots]) dots = dot.kind;
    [to, last] = [end, dot.next];
  }
  return { from, to, labels, dots, isCapital: tokens[last]!.isCapital };
}

/** Words that announce a host. */
const HOST_CUES = new Set(
  "at see visit website site online link check www http https web email mail go url".split(" "),
);

/** Returns whether a chain names a host to visit or to write to. */
export function isHost(tokens: readonly TextToken[], chain: Chain): boolean {
  const end = chain.labels.at(-1)!;
  if (chain.labels.length < 2 || !(ENDS.has(end) || end.startsWith("xn-"))) return false;
  if (chain.dots === "spelled" || CORE_ENDS.has(end) || end === "au") return true;
  if (tokens[chain.to + 1]?.text === "/" && isLabel(tokens[chain.to + 2])) return true;
  const [first] = chain.labels;
  if (/[\d_-]/.test(first!) && /\p{L}/u.test(first!)) return true;
  if (!UNSURE_ENDS.has(end) && !chain.isCapital) return true;
  // "Thanks.Call me", "mow it.is that fine": a missing space, unless a cue announced a host.
  if (chain.labels.length > 2 && !chain.labels.some((label) => COMMON.has(label))) return true;
  const before = tokens[chain.from - 2];
  return before?.kind === "word" && HOST_CUES.has(before.text) && !COMMON.has(first!);
}
