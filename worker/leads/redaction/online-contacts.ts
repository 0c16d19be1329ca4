/** Finds email addresses, links and user names on platforms, plain or disguised. */
import { chainAt, isHost, isLabel, isWrapper, labelEnd, pastWrappers } from "./hosts.ts";
import { isAdjacent, type Range, rangeOf, type TextToken } from "./tokens.ts";
import {
  COMMON,
  DOT_WORDS,
  HANDLE_CUES,
  MAIL_HOSTS,
  NAMING,
  PLATFORMS,
  SELF_CUES,
  AMBIGUOUS_MAIL_HOSTS,
  AMBIGUOUS_PLATFORMS,
} from "./words.ts";

/** Maximum labels of a mailbox name: "jo dot b dot smith". */
const MAX_PARTS = 6;
const SPLIT_MAIL = new Set(["g", "hot", "google", "gee"]);
const AT_WORDS = new Set(["at", "arroba", "arobase", "atsign"]);
const JOIN_WORDS = new Set([...DOT_WORDS, "underscore", "dash", "hyphen", "minus", "point", "plus"]);

/** Returns the start of the mailbox name that ends before token `i`; `i` itself for none. */
function mailboxStart(tokens: readonly TextToken[], i: number): number {
  let at = i - 1;
  if (!isLabel(tokens[at])) return i;
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    while (isLabel(tokens[at - 1]) && isAdjacent(tokens, at)) at -= 1;
    const mark = tokens[at - 1];
    if (mark?.kind === "mark" && "._-+%•·".includes(mark.text) && isLabel(tokens[at - 2])) {
      at -= 2;
      continue;
    }
    const word = pastWrappers(tokens, at - 1, -1);
    const before = pastWrappers(tokens, word - 1, -1);
    if (!JOIN_WORDS.has(tokens[word]?.text ?? "") || !isLabel(tokens[before])) return at;
    at = before;
  }
  return at;
}

const isPrice = (token: TextToken | undefined) => token?.kind === "number" || token?.text === "$";

/** Returns the address around a literal "@"; null for text such as "2 hours @ $50". */
function addressAroundAt(tokens: readonly TextToken[], i: number): Range | null {
  const isLoose = tokens[i - 1]?.kind === "space" || i === 0;
  const after = pastWrappers(tokens, i + 1, 1);
  if (isLoose && isPrice(tokens[after])) return null;
  const left = pastWrappers(tokens, i - 1, -1) + 1;
  const from = mailboxStart(tokens, left);
  const to = isLabel(tokens[after]) ? chainAt(tokens, after, true).to : i;
  return from === i && to === i ? null : rangeOf(tokens, from, to);
}

/**
 * Returns the address around a spelled-out "at": "jo (at) mail", "jo_at_x_dot_com", "jo at mail.com", "jo at gmail".
 */
function addressAroundAtWord(tokens: readonly TextToken[], i: number): Range | null {
  const isWrapped = isWrapper(tokens[i - 1]) && isWrapper(tokens[i + 1]) && tokens[i - 1]!.text !== "'";
  const after = pastWrappers(tokens, i + 1, 1);
  const left = pastWrappers(tokens, i - 1, -1) + 1;
  if (!isLabel(tokens[after]) || !isLabel(tokens[left - 1])) return null;
  const chain = chainAt(tokens, after);
  const host = chain.labels[0]!;
  const isMail = MAIL_HOSTS.has(host) || (AMBIGUOUS_MAIL_HOSTS.has(host) && isWrapped);
  const hasHost = isMail || isHost(tokens, chain) || chain.dots === "spelled";
  // "(a)" is usually a list marker, not an "@".
  if (tokens[i]!.text === "a" ? !isWrapped || !hasHost : !isWrapped && !hasHost) return null;
  // "a house - at the back - with": dashes around a phrase.
  if (isWrapped && !isMail && chain.labels.length < 2 && COMMON.has(host)) return null;
  return rangeOf(tokens, mailboxStart(tokens, left), chain.to);
}

/** Returns the range of "gmail" from token `first` to `i`, with the mailbox name next to it. */
function aroundMailHost(tokens: readonly TextToken[], i: number, first = i): Range {
  let left = pastWrappers(tokens, first - 1, -1) + 1;
  // "jo at the google mail"
  if (tokens[left - 1]?.text === "the" || tokens[left - 1]?.text === "my") {
    const before = pastWrappers(tokens, left - 2, -1) + 1;
    if (AT_WORDS.has(tokens[before - 1]?.text ?? "")) left = before;
  }
  let from = first;
  const cue = tokens[left - 1];
  if (isLabel(cue) && (AT_WORDS.has(cue.text) || cue.text === "on")) {
    const box = pastWrappers(tokens, left - 2, -1) + 1;
    if (isLabel(tokens[box - 1])) from = mailboxStart(tokens, box);
  } else if (isLabel(cue)) {
    const start = mailboxStart(tokens, left);
    if (start < left - 1 || /\d/.test(cue.text)) from = start;
  }
  const host = chainAt(tokens, i);
  const { at, isNamed } = pastCues(tokens, host.to + 1);
  let to = isLabel(tokens[at]) && isNamed && !COMMON.has(tokens[at].text) ? chainAt(tokens, at).to : i;
  // "gmail me, jo dot citizen": after a mark, only a spelled-out dot makes a mailbox.
  const after = ",;.!:".includes(tokens[at]?.text ?? " ") ? pastWrappers(tokens, at + 1, 1) : at;
  if (isLabel(tokens[after])) {
    const mailbox = chainAt(tokens, after);
    if (mailbox.dots === "spelled") to = mailbox.to;
  }
  return rangeOf(tokens, from, Math.max(to, host.to));
}

/** Returns the end of a link: the last token before the next space. */
function linkEnd(tokens: readonly TextToken[], i: number): number {
  let to = i;
  while (to + 1 < tokens.length && tokens[to + 1]!.kind !== "space") to += 1;
  return to;
}

/** Returns the end of the path after a host: "/photos", "slash photos". */
function pathEnd(tokens: readonly TextToken[], host: number): number {
  if (tokens[host + 1]?.text === "/" || tokens[host + 1]?.text === "?") return linkEnd(tokens, host + 1);
  let to = host;
  for (let parts = 0; parts < 4; parts++) {
    let slash = pastWrappers(tokens, to + 1, 1);
    if (tokens[slash]?.text === "forward") slash = pastWrappers(tokens, slash + 1, 1);
    const next = pastWrappers(tokens, slash + 1, 1);
    if (tokens[slash]?.text !== "slash" || !isLabel(tokens[next])) return to;
    to = labelEnd(tokens, next);
  }
  return to;
}

/** Skips the words and marks between a platform and the user name. */
function pastCues(tokens: readonly TextToken[], i: number): { at: number; isNamed: boolean } {
  let at = i;
  let isNamed = false;
  for (let n = 0; n < 10; n++) {
    const token = tokens[at];
    if (!token) break;
    if (token.kind === "mark") {
      if (".!?,;".includes(token.text)) break;
      isNamed ||= ':@=-~>"'.includes(token.text);
    } else if (token.kind !== "space") {
      if (token.kind === "number" || !HANDLE_CUES.has(token.text)) break;
      isNamed ||= NAMING.has(token.text);
    }
    at += 1;
  }
  return { at, isNamed };
}

/** Returns whether a label looks like a handle: "lawn_jo", "jo.mows", "jo88". */
function isMadeUp(tokens: readonly TextToken[], from: number, to: number): boolean {
  const text = tokens
    .slice(from, to + 1)
    .map((token) => token.text)
    .join("");
  return to > from && /\p{L}/u.test(text) && /[\d_.-]/.test(text);
}

/** Returns the user name that follows a platform's name. */
function nameAfter(tokens: readonly TextToken[], i: number): Range | null {
  const { at, isNamed } = pastCues(tokens, i + 1);
  const first = tokens[at];
  if (!isLabel(first)) return null;
  const chain = chainAt(tokens, at);
  const isTight = chain.dots === "none" || chain.dots === "tight";
  let to = isTight ? chain.to : labelEnd(tokens, at);
  if (isMadeUp(tokens, at, to)) return rangeOf(tokens, at, to);
  if (COMMON.has(first.text) || first.kind === "number") return null;
  const isLast = tokens[to + 1] === undefined || tokens[to + 1]!.kind === "mark";
  if (!isNamed && !isLast && !first.isCapital) return null;
  // "Jo Mows Lawns": the rest of a capitalised name.
  for (let n = 0; n < 3; n++) {
    const word = tokens[to + 2];
    if (tokens[to + 1]?.kind !== "space" || word?.kind !== "word") break;
    if (!word.isCapital && (n > 0 || !isNamed || COMMON.has(word.text))) break;
    to += 2;
  }
  return rangeOf(tokens, at, to);
}

/** Returns the user name after a platform's name that is also an ordinary word. */
function announcedName(tokens: readonly TextToken[], i: number): Range | null {
  const { at } = pastCues(tokens, i + 1);
  const isAnnounced = ":@".includes(tokens[i + 1]?.text ?? " ") || ":@".includes(tokens[i + 2]?.text ?? " ");
  const isName = isLabel(tokens[at]) && isMadeUp(tokens, at, labelEnd(tokens, at));
  return isAnnounced || isName ? nameAfter(tokens, i) : null;
}

const LINKS = new Set(["on", "via", "in", "at", "over", "my", "is", "the"]);

/** Returns the user name before a platform's name: "lawn_jo on insta", "I'm jomows on fb". */
function nameBefore(tokens: readonly TextToken[], i: number): Range | null {
  let end = pastWrappers(tokens, i - 1, -1);
  const isLinked = LINKS.has(tokens[end]?.text ?? "");
  for (let words = 0; words < 3 && LINKS.has(tokens[end]?.text ?? ""); words++)
    end = pastWrappers(tokens, end - 1, -1);
  const last = tokens[end];
  if (!isLabel(last)) return null;
  const from = mailboxStart(tokens, end + 1);
  if (isMadeUp(tokens, from, end)) return rangeOf(tokens, from, end);
  const cue = tokens[from - 2];
  const isSought = cue?.text === "for" && tokens[from - 4]?.text === "search";
  const isSaid = isLinked && cue?.kind === "word" && (SELF_CUES.has(cue.text) || isSought);
  if (isSaid && !COMMON.has(last.text)) return rangeOf(tokens, from, end);
  // "add Jo Mows on facebook"
  const earlier = tokens[from - 4];
  const isNamed = isLinked && cue?.kind === "word" && earlier?.kind === "word" && SELF_CUES.has(earlier.text);
  const isFullName = isLinked && cue?.kind === "word" && last.isCapital && cue.isCapital;
  const isUncommon = isFullName && !COMMON.has(last.text) && !COMMON.has(cue.text);
  return isUncommon || (isFullName && isNamed) ? rangeOf(tokens, from - 2, end) : null;
}

const isSingleLetter = (token: TextToken | undefined) => token?.kind === "word" && token.text.length === 1;
const isHandleMark = (token: TextToken | undefined) => token?.kind === "mark" && "@._-".includes(token.text);

/** Reads letters spelled one by one: "g m a i l", "j-o-h-n". @returns the last token; -1 for too few letters */
function spelledEnd(tokens: readonly TextToken[], i: number): number {
  let letters = 0;
  let to = i;
  for (let at = i; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (isSingleLetter(token)) {
      letters += 1;
      to = at;
    } else if (!isHandleMark(token) && !(token!.kind === "space" && token!.end - token!.start <= 2)) {
      if (!(token!.kind === "number" && token!.text.length === 1)) break;
      to = at;
    }
  }
  return letters >= 5 ? to : -1;
}

function isHandleWord(text: string): boolean {
  return text === "handle" || text === "handles" || text === "username";
}

/** Returns the contact details at a word, alone or with its neighbours. */
function contactsAt(tokens: readonly TextToken[], i: number): (Range | null)[] {
  const { text } = tokens[i]!;
  if (AT_WORDS.has(text) || text === "a") return [addressAroundAtWord(tokens, i)];
  if (MAIL_HOSTS.has(text)) return [aroundMailHost(tokens, i)];
  if (text === "mail" && SPLIT_MAIL.has(tokens[i - 2]?.text ?? "")) return [aroundMailHost(tokens, i, i - 2)];
  if (AMBIGUOUS_PLATFORMS.has(text)) return [announcedName(tokens, i)];
  if (PLATFORMS.has(text)) return [nameAfter(tokens, i), nameBefore(tokens, i)];
  // A Skype name has the form "live:jo".
  const isSkype = text === "live" && tokens[i + 1]?.text === ":" && isAdjacent(tokens, i + 2);
  if (isHandleWord(text) || isSkype) return [nameAfter(tokens, i)];
  // "joatgmaildotcom", "lawnjodotcom", "lawnjo com"
  const isRunTogether = text.length > 8 && /dot(?:com|net|org)|gmail|hotmail|bigpond/.test(text);
  if (isRunTogether) return [rangeOf(tokens, i, chainAt(tokens, i).to)];
  if (/^dot(?:com|net|org)(?:au)?$/.test(text) && tokens[i - 2]?.kind === "word")
    return [rangeOf(tokens, i - 2, i)];
  if (text === "com" && tokens[i - 1]?.kind === "space" && tokens[i - 2]?.kind === "word")
    return [rangeOf(tokens, i - 2, tokens[i + 2]?.text === "au" ? i + 2 : i)];
  return [];
}

const PLUS_CODE = /^(?=.*\d)(?=.*[a-z])[23456789cfghjmpqrvwx]{4,8}$/;

/** Returns whether a link, host or handle begins here, and the last token it covers. */
function linkAt(tokens: readonly TextToken[], i: number): { kept: boolean; to: number } {
  const isAnnounced = /^(?:https?|hxxps?|www)$/.test(tokens[i]!.text) && tokens[i + 1]?.kind === "mark";
  if (isAnnounced) return { kept: true, to: linkEnd(tokens, i) };
  const chain = chainAt(tokens, i);
  if (isHost(tokens, chain)) return { kept: true, to: pathEnd(tokens, chain.to) };
  const label = tokens.slice(i, chain.to + 1);
  // "///filled.count.soap" and "4RRH46J5+ABC": a map location in three words or in a code.
  const isPlace = chain.labels.length === 3 && tokens[i - 1]?.text === "/" && tokens[i - 2]?.text === "/";
  if (isPlace) return { kept: true, to: chain.to };
  if (tokens[chain.to + 1]?.text === "+" && PLUS_CODE.test(label.map(({ text }) => text).join("")))
    return { kept: true, to: isLabel(tokens[chain.to + 2]) ? labelEnd(tokens, chain.to + 2) : chain.to };
  return { kept: label.slice(1, -1).some(({ text }) => text === "_"), to: chain.to };
}

/** Returns the ranges of email addresses, links and user names on platforms. */
export function findOnlineAddresses(tokens: readonly TextToken[]): Range[] {
  const ranges: (Range | null)[] = [];
  // Read each chain and run once, from its first token. This keeps the work linear in the text's length.
  let checked = 0;
  let spelled = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.text === "@") ranges.push(addressAroundAt(tokens, i));
    if (!isLabel(token)) continue;
    if (i >= checked) {
      const { kept, to } = linkAt(tokens, i);
      if (kept) ranges.push(rangeOf(tokens, i, to));
      checked = to + 1;
    }
    if (token.kind === "word") ranges.push(...contactsAt(tokens, i));
    if (i >= spelled && token.kind === "word" && token.text.length === 1) {
      const to = spelledEnd(tokens, i);
      if (to >= 0) ranges.push(rangeOf(tokens, i, to));
      spelled = Math.max(to, i) + 1;
    }
    if (tokens[i + 1]?.text === "#" && tokens[i + 2]?.text.length === 4 && token.kind === "word")
      ranges.push(rangeOf(tokens, i, i + 2));
  }
  return ranges.filter((range) => range !== null);
}
