/** Finds email addresses, links and names in messengers. */
import { LinkifyIt } from "linkify-it";
import tlds from "tlds" with { type: "json" };

import { findRanges, type Range } from "./plain-text.ts";

const linkify = new LinkifyIt({ fuzzyLink: true, tlds });

/** The longest piece of a text without spaces that is read at once, because the time grows faster than the text. */
const MAX_PIECE = 200;
const PIECE = new RegExp(String.raw`\S{1,${MAX_PIECE}}`, "gu");

const DOMAIN_ENDS: ReadonlySet<string> = new Set(tlds);
const SURE_ENDS: ReadonlySet<string> = new Set(["com", "net", "org", "au"]);
/** Ends of domains that are also the first word of many sentences: "mow it.is that fine". */
const WORDS: ReadonlySet<string> = new Set(
  "ad ai al am an are as at ba be best bet bid big bio black blue box build by ca call cam camp can care case cat city clean click come cool date day deal diy do dog fit for free fun good green here home house how id in is it la land like love man map men menu mom moto mt my new news next no now one open or pet pink place plus pm pub red room rose run safe sale save school science search sh show site so st star store style sun support surf team tips to today tools top total tours town toys us vet watch water weather win work works world yes you zone zero".split(
    " ",
  ),
);

/** Returns whether a name with dots is a domain, not the end of one sentence and the first word of the next. */
function isDomain(name: string): boolean {
  const labels = name.split(".");
  const last = labels.at(-1)!;
  const end = last.toLowerCase();
  if (!DOMAIN_ENDS.has(end) || !/\p{L}/u.test(name.slice(0, -end.length))) return false;
  if (SURE_ENDS.has(end)) return true;
  return !/^\p{Lu}\p{Ll}/u.test(last) && !(labels.length === 2 && WORDS.has(end));
}

function findLinks(text: string): Range[] {
  return [...text.matchAll(PIECE)].flatMap(({ index: from, 0: piece }) =>
    (linkify.match(piece) ?? []).flatMap(({ schema, text: link, index, lastIndex }) => {
      const [name = ""] = link.split(/[/?#:]/, 1);
      const isLink = schema !== "" || name.length < link.length || isDomain(name);
      return isLink ? [{ start: from + index, end: from + lastIndex }] : [];
    }),
  );
}

const LABEL = String.raw`[\p{L}\p{N}][\p{L}\p{N}_-]{0,62}`;
const OPEN = String.raw`\s{0,2}[(\[{<"]\s?`;
const CLOSE = String.raw`\s?[)\]}>"]\s{0,2}`;
const DOT = String.raw`(?:${OPEN}(?:dot|\.)${CLOSE}|\s{1,2}dot\s{1,2}|\s?\.\s?)`;
const WORD_AT = String.raw`\s{1,2}at\s{1,2}`;
const SIGN_AT = String.raw`(?:${OPEN}(?:at|@)${CLOSE}|\s{0,2}@\s{0,2})`;
const START = String.raw`(?<![\p{L}\p{N}_-])`;

/** Returns a pattern for "mail dot com", with a mailbox before it if there is a pattern for its "at". */
function addressPattern(at: string | null): RegExp {
  const mailbox = at === null ? "" : String.raw`${LABEL}(?:[.+]${LABEL}|${DOT}${LABEL}){0,4}(?<at>${at})`;
  return new RegExp(String.raw`${START}${mailbox}(?<host>${LABEL}(?:${DOT}${LABEL}){1,4})`, "giu");
}
/** One pattern each, because an "at" of a sentence may come before the one of the address. */
const ADDRESSES = [SIGN_AT, WORD_AT, null].map(addressPattern);
/** "jo88 at gmail" */
const MAILBOX = new RegExp(
  String.raw`${START}${LABEL}(?:\.${LABEL}){0,4}(?:${WORD_AT}|${SIGN_AT})(?:gmail|hotmail|icloud|yahoo|bigpond|optusnet)(?![\p{L}\p{N}])`,
  "giu",
);

const BRACKET = /[([{<"]/;

function isSpelledAddress({ groups }: RegExpExecArray): boolean {
  const { at, host } = groups as { at?: string; host: string };
  if (at === "@" || (at && BRACKET.test(at))) return true;
  const name = host.replaceAll(new RegExp(DOT, "giu"), ".");
  const isSpelled = /\bdot\b/i.test(host) || BRACKET.test(host);
  return isSpelled ? DOMAIN_ENDS.has(name.split(".").at(-1)!.toLowerCase()) : !!at && isDomain(name);
}

/** Messengers, and mailboxes whose names people write alone: "gmail: jo.k77". */
const MESSENGERS =
  "whats ?app|we ?chat|weixin|wx|vx|微信|telegram|viber|instagram|insta|ig|kakao(?: ?talk)?|카카오톡|카톡|facebook|fb|tik ?tok|snap ?chat|gmail|hotmail";
/** Messengers whose names are also ordinary words. */
const AMBIGUOUS = "line|signal|messenger";
/** A name with a digit, an underscore or a full stop in it, unlike a word. */
const HANDLE = String.raw`@?(?!e\.g|i\.e)(?=\p{L}[\p{L}-]{0,29}[\d_.][\p{L}\p{N}_])[\p{L}\p{N}_.-]{3,40}`;
const SURE_HANDLE = String.raw`@?(?=\p{L}[\p{L}.-]{0,29}[\d_])[\p{L}\p{N}_.-]{3,40}`;
const CALLED = String.raw`\s{0,2}(?:id|handle|user ?name|name|account)\s{0,2}(?:is|[:=-])?\s{0,2}@?`;
const END = String.raw`(?![\p{L}\p{N}])`;
const NAME = String.raw`(?!(?:yes|please|preferred|fine|same|only)${END})[\p{L}\p{N}_.-]{3,40}`;
const NAMES = new RegExp(
  [
    String.raw`${START}(?:${MESSENGERS})${END}(?: me| is)?(?:\s{0,2}[,:=(-])?\s{0,2}${HANDLE}`,
    String.raw`${START}(?:${AMBIGUOUS})${END}(?: is)?(?:\s{0,2}[:=(-])?\s{0,2}${SURE_HANDLE}`,
    String.raw`${START}(?:${MESSENGERS})${END}\s{0,2}[:=@]\s{0,2}@?${NAME}`,
    String.raw`${START}(?:${MESSENGERS}|${AMBIGUOUS})${END}${CALLED}${NAME}`,
    String.raw`${START}my (?:${MESSENGERS}) is ${NAME}`,
    // Without a space before or behind, as in Chinese and Korean.
    String.raw`(?:微信|카카오톡|카톡)\s{0,2}(?:id|号|號|账号|帳號|아이디)?\s{0,2}(?:是|는|[:=-])?\s{0,2}@?[a-z][\w.-]{2,40}`,
    String.raw`${START}${HANDLE} (?:on|via) (?:my )?(?:${MESSENGERS})`,
  ].join("|"),
  "giu",
);

/** Returns the ranges of email addresses, links and names in messengers. */
export function findOnlineContacts(plain: string): Range[] {
  return [
    ...findLinks(plain),
    ...ADDRESSES.flatMap((pattern) => findRanges(plain, pattern, isSpelledAddress)),
    ...findRanges(plain, MAILBOX),
    ...findRanges(plain, NAMES),
  ];
}
