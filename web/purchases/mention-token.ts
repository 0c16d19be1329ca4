/** Finds the mention being typed after an "@", and the team members that match it. */
import { foldName, type Mate, getMentionName } from "../../contract/mentions.ts";

/** A mention being typed: the index of its "@", and the text up to the caret. */
export type MentionToken = { start: number; query: string };

const BEFORE_CARET = /(?:^|[^\p{L}\p{N}_])@((?:[\p{L}\p{N}][\p{L}\p{M}\p{N}'’. -]{0,59})?)$/u;
const CONTINUES_WORD = /^[\p{L}\p{N}_]/u;

/** Returns the mention at the caret, or null. */
export function findToken(text: string, caret: number): MentionToken | null {
  const query = BEFORE_CARET.exec(text.slice(Math.max(0, caret - 80), caret))?.[1];
  if (query === undefined || CONTINUES_WORD.test(text.slice(caret, caret + 2))) return null;
  return { start: caret - query.length - 1, query };
}

/** A team member, with the text to insert after the "@". `written` is null if the full name is not unique. */
export type Candidate = Mate & { written: string | null };

/**
 * Returns the team members that match the input.
 * @param team everyone in the business; the user (`isYou`) is not suggested
 * @returns an empty list once a complete name is followed by a space
 */
export function findCandidates(query: string, team: readonly (Mate & { isYou: boolean })[]): Candidate[] {
  const typed = foldName(query);
  const all = team
    .filter(({ isYou }) => !isYou)
    .map((mate) => ({ ...mate, written: getMentionName(mate, team) }));
  const isComplete = ({ written }: Candidate) => written !== null && `${foldName(written)} ` === typed;
  if (all.some(isComplete)) return [];
  return all.filter(({ firstName, lastName }) =>
    [`${firstName.trim()} ${lastName.trim()}`, lastName].some((name) => foldName(name).startsWith(typed)),
  );
}

/** Returns a note if a first name or a full name is not unique; null otherwise. */
export function describeAmbiguity(found: readonly Candidate[]): string | null {
  const ambiguousMate = found.find(({ written }) => written === null);
  if (ambiguousMate)
    return `There's more than one ${ambiguousMate.firstName} ${ambiguousMate.lastName}, so notes can't tell which one you mean.`;
  const longer = found.find(({ firstName, written }) => written !== null && written !== firstName.trim());
  return longer ? `There's more than one ${longer.firstName}, so the last name goes in too.` : null;
}
