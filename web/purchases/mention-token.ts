/** What somebody types behind an "@" in their notes, and whom it may become. Without a page. */
import { foldName, type Mate, mentionOf } from "../../contract/mentions.ts";

/** A name that is being typed: where its "@" stands, and what follows it up to the caret. */
export type Token = { start: number; query: string };

const BEFORE_CARET = /(?:^|[^\p{L}\p{N}_])@((?:[\p{L}\p{N}][\p{L}\p{M}\p{N}'’. -]{0,59})?)$/u;
const GOES_ON = /^[\p{L}\p{N}_]/u;

/** The name that the caret stands behind; null where none is being typed. */
export function tokenAt(text: string, caret: number): Token | null {
  const query = BEFORE_CARET.exec(text.slice(Math.max(0, caret - 80), caret))?.[1];
  if (query === undefined || GOES_ON.test(text.slice(caret, caret + 2))) return null;
  return { start: caret - query.length - 1, query };
}

/** `written` is what goes behind the "@"; null for somebody whose name means another one as well. */
export type Candidate = Mate & { written: string | null };

/**
 * Who fits what is typed.
 * @param team all of the business; `isYou` is not offered
 * @returns none once a name is complete and something else is typed
 */
export function candidatesFor(query: string, team: readonly (Mate & { isYou: boolean })[]): Candidate[] {
  const typed = foldName(query);
  const all = team.filter(({ isYou }) => !isYou).map((mate) => ({ ...mate, written: mentionOf(mate, team) }));
  const isComplete = ({ written }: Candidate) => written !== null && `${foldName(written)} ` === typed;
  if (all.some(isComplete)) return [];
  return all.filter(({ firstName, lastName }) =>
    [`${firstName.trim()} ${lastName.trim()}`, lastName].some((name) => foldName(name).startsWith(typed)),
  );
}

/** What a list of names cannot say by itself: that a first name is not enough, or that no name is. */
export function noteOn(found: readonly Candidate[]): string | null {
  const nameless = found.find(({ written }) => written === null);
  if (nameless)
    return `There's more than one ${nameless.firstName} ${nameless.lastName}, so notes can't tell which one you mean.`;
  const longer = found.find(({ firstName, written }) => written !== null && written !== firstName.trim());
  return longer ? `There's more than one ${longer.firstName}, so the last name goes in too.` : null;
}
