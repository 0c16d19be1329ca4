/** What makes a request suspicious. Nobody is refused: a suspicious request is kept until a person decides. */
import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import type { QuarantineReason } from "../../../contract/quarantine.ts";
import type { ChallengeAction } from "../../../contract/challenges.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import type { ChallengeOutcome } from "./challenge-rules.ts";
import { isPossiblePhone } from "./contact-keys.ts";
import { canComeFrom } from "./shape-rules.ts";
import {
  hasLink,
  isMadeUpPhone,
  isThrowaway,
  LIKE_MARKS,
  madeUpParts,
  sharedMarks,
  typedWords,
} from "./text-rules.ts";

/** Requests from one network are compared and counted over this time. */
export const ORIGIN_WINDOW_MS = DAY_MS;
/** Who else used a phone number, or words like these, is looked for over this time. */
export const LIKENESS_WINDOW_MS = 14 * DAY_MS;
/** Numbers given out together, in requests of different people, within this time are no accident. */
export const SERIES_WINDOW_MS = 7 * DAY_MS;
/** What is usual for a suburb is taken from these days … */
export const USUAL_DAYS = 28;
/** … and a rush is what comes within this time. */
export const RUSH_MS = 2 * HOUR_MS;

/** Networks by their place in an origin key, from the /64 to the /48, with limits that grow. */
const NETWORKS = [
  { part: 2, requestTimes: 1, fewStrangers: 1, manyStrangers: 3 },
  { part: 1, requestTimes: 2, fewStrangers: 1, manyStrangers: 4 },
  // Phones of one carrier share a /48 as well.
  { part: 0, requestTimes: 4, fewStrangers: 2, manyStrangers: 6 },
] as const;
/** How many times a /64's requests a /48 may send. */
export const WIDEST_TIMES = NETWORKS[2].requestTimes;

/** What the operator thinks suspicious; 0 switches a check off. */
export type Screening = {
  /** Two requests of one person, place and service within this time are one request sent twice. */
  duplicateMs: number;
  /** More listed requests than this from one network in a day are too many. */
  requestsPerAddress: number;
  /** A form filled in less time than this was not filled in by a person. */
  fastestFormMs: number;
  /** Signs that say little alone are worth a point or two each: so many points together say enough. */
  suspicionPoints: number;
};

/** Somebody who asked before, as far as it takes to tell whether it is somebody else. */
export type Asker = {
  customerName: string;
  phoneKey: string | null;
  emailKey: string | null;
  streetKey: string | null;
  suburbId: string | null;
  originKey: string | null;
  specificRequests: string | null;
};

/** What is known about a request when it comes in. */
export type Evidence = {
  request: LeadRequest;
  form: ChallengeAction;
  asker: Asker;
  /** Services of earlier requests of the same person (phone or e-mail) for the same place. */
  earlier: readonly { serviceType: readonly string[] }[];
  /** Who asked from this network's /48 within the last day and was listed, one entry for each request. */
  fromNetwork: readonly Asker[];
  /** Who gave this phone number or email before, one entry for each request. */
  withContact: readonly Asker[];
  /** Who gave a number close to this one lately. */
  nearPhone: readonly Asker[];
  /** Who sent much the same words lately. */
  sameWords: readonly Asker[];
  /** Who asked for this suburb within a day. */
  inSuburb: readonly Asker[];
  /** How many networks asked for this suburb, and how many requests came before. Null without a suburb. */
  forSuburb: { rush: number; day: number; before: number } | null;
  /** How Cloudflare's check ended; null while it is not switched on. */
  challenge: ChallengeOutcome | null;
  /** How long the form took, by our own signature; null when none came with it. */
  tookMs: number | null;
  /** Whether that signature had come with another request before. */
  isStartReused: boolean;
  /** Whether forms are signed at all. */
  signsStarts: boolean;
  /** Whether it was posted as a page's form, as a browser without script does. */
  viaPage: boolean;
  /** Whether the sender calls itself a program, or says nothing of itself. */
  isProgram: boolean;
  /** How far the sender seems to be from here: 0, 1 or 2. */
  distance: 0 | 1 | 2;
  /** Whether the network rents out computers or hides who uses it. */
  isHiddenNetwork: boolean;
};

const surname = (name: string) => name.trim().toLowerCase().split(/\s+/).at(-1) ?? "";

/** A street with a house in it; bookings know no more than a suburb. */
const isHouse = (key: string | null): key is string => key !== null && /\d/.test(key);

/** Whether two requests are one person's or one house's. */
function isSamePerson(one: Asker, other: Asker): boolean {
  return (
    (one.phoneKey !== null && one.phoneKey === other.phoneKey) ||
    (one.emailKey !== null && one.emailKey === other.emailKey) ||
    (isHouse(one.streetKey) && one.streetKey === other.streetKey)
  );
}

/** Whether two requests may be one family's. A surname alone says nothing: thousands are called Nguyen. */
function areRelated(one: Asker, other: Asker): boolean {
  const isSameSuburb = one.suburbId !== null && one.suburbId === other.suburbId;
  return (
    isSamePerson(one, other) || (isSameSuburb && surname(one.customerName) === surname(other.customerName))
  );
}

/** Returns one request of each household among those who asked, without the asker's own. */
function othersAmong(asker: Asker, askers: readonly Asker[], isOne = areRelated): Asker[] {
  const others: Asker[] = [];
  for (const other of askers) {
    if (!isOne(asker, other) && !others.some((known) => isOne(known, other))) others.push(other);
  }
  return others;
}

/** Under how many other names a phone number or an email came, for other houses. */
function otherNames({ asker, withContact }: Evidence): number {
  const names = withContact
    .filter((other) => other.streetKey !== asker.streetKey)
    .map((other) => surname(other.customerName))
    .filter((name) => name !== surname(asker.customerName));
  return new Set(names).size;
}

/** Whether far more networks than usual ask for a suburb. */
function isBusy({ forSuburb }: Evidence): boolean {
  if (!forSuburb) return false;
  const { rush, day, before } = forSuburb;
  // A suburb nobody asked for yet is taken to have a request every other day.
  const usualADay = Math.max(before / (USUAL_DAYS - 1), 0.5);
  return rush >= Math.max(3, 4 * usualADay) || day >= Math.max(5, 4 * usualADay);
}

const networkParts = ({ originKey }: Asker) => originKey?.split(".") ?? [];

/** A carrier puts thousands of homes behind an IPv4 address: its three hashes are the same. */
const isIpv4 = (asker: Asker) => new Set(networkParts(asker)).size === 1;

/** Who asked from the same network, by its place in the key. */
function fromPart({ asker, fromNetwork }: Evidence, part: number): Asker[] {
  const wanted = networkParts(asker)[part];
  return fromNetwork.filter((other) => networkParts(other)[part] === wanted);
}

/** Whether one network, however wide, had more requests listed than it may. */
function hasTooMany(evidence: Evidence, requestsPerAddress: number): boolean {
  return NETWORKS.some(
    ({ part, requestTimes }) => fromPart(evidence, part).length >= requestsPerAddress * requestTimes,
  );
}

/** Others behind the same network: neighbours weigh more, who asks from work or on the way lives elsewhere. */
function othersNearby(evidence: Evidence): number {
  const { asker, fromNetwork } = evidence;
  const neighbours = fromNetwork.filter(({ suburbId }) => suburbId !== null && suburbId === asker.suburbId);
  // A family has two houses in its suburb, seldom four.
  if (othersAmong(asker, neighbours).length >= 2) return 2;
  if (othersAmong(asker, neighbours, isSamePerson).length >= 3) return 2;
  const isShared = isIpv4(asker);
  const points = NETWORKS.map(({ part, fewStrangers, manyStrangers }) => {
    const near = fromPart(evidence, part);
    if (!isShared && othersAmong(asker, near, isSamePerson).length >= manyStrangers) return 2;
    return othersAmong(asker, near).length >= fewStrangers ? 1 : 0;
  });
  return Math.max(...points);
}

/** Shorter texts of two people may well have the same words … */
const FEWEST_ALIKE_WORDS = 8;
/** … and two texts with fewer in common are not copies. */
const ALIKE_SHARE = 0.6;
/** Two long texts that also share runs of words come from one template. */
const TEMPLATE_SHARE = 0.45;

function haveAlikeWords(one: Asker, other: Asker, share = ALIKE_SHARE): boolean {
  const first = new Set(typedWords(one.specificRequests));
  const second = new Set(typedWords(other.specificRequests));
  if (Math.min(first.size, second.size) < FEWEST_ALIKE_WORDS) return false;
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared >= share * (first.size + second.size - shared);
}

/** Mobile numbers that differ in their last three digits only. */
const haveNearPhones = ({ phoneKey: one }: Asker, { phoneKey: other }: Asker) =>
  /^\+614\d{8}$/.test(one ?? "") && one !== other && one!.slice(0, -3) === other?.slice(0, -3);

/** An email address without what its owner may change at will: dots, figures, and what follows a plus. */
const mailbox = ({ emailKey }: Asker) =>
  emailKey?.replace(/^([^@+]*)[^@]*/, (_, name: string) => name.replaceAll(/[\d._-]/g, ""));

/** How much a request resembles strangers' requests from the same network: 0, 1 or 2. */
function alikeNearby({ asker, fromNetwork }: Evidence): number {
  const others = othersAmong(asker, fromNetwork);
  const alike = others.filter(
    (other) =>
      haveAlikeWords(asker, other) ||
      haveNearPhones(asker, other) ||
      (mailbox(asker) !== undefined && mailbox(asker) === mailbox(other)),
  );
  const namesakes = others.filter((other) => surname(other.customerName) === surname(asker.customerName));
  return Math.min(alike.length + (namesakes.length >= 2 ? 1 : 0), 2);
}

/**
 * Returns how much the words are strangers': 2 for a long text, 1 for each long text from the same template, 1 for a
 * few words that two neighbours sent as well.
 */
function copiedText({ asker, sameWords, inSuburb }: Evidence): number {
  const others = othersAmong(asker, sameWords);
  const isCopy = (other: Asker) => sharedMarks(asker.specificRequests, other.specificRequests) >= LIKE_MARKS;
  if (others.some(isCopy)) return 2;
  const templates = others.filter((other) => haveAlikeWords(asker, other, TEMPLATE_SHARE)).length;
  if (templates > 0) return Math.min(templates, 2);
  const words = typedWords(asker.specificRequests).join(" ");
  const isSame = (other: Asker) => typedWords(other.specificRequests).join(" ") === words;
  return words.includes(" ") && othersAmong(asker, inSuburb.filter(isSame)).length >= 2 ? 1 : 0;
}

/** 1 for one of them, 2 for several. */
const oneOrMore = (n: number) => Math.min(n, 2);

/** Numbers this close are counted up; one that is a little further off can be chance. */
const CLOSE_NUMBERS = 5;

/** Returns how much strangers' numbers close to this one say: 1 for one of them, 2 for several or a very close one. */
function phoneSeries({ asker, nearPhone }: Evidence): number {
  const others = othersAmong(asker, nearPhone);
  const isClose = (other: Asker) =>
    Math.abs(Number(other.phoneKey) - Number(asker.phoneKey)) <= CLOSE_NUMBERS;
  return others.some(isClose) ? 2 : oneOrMore(others.length);
}

/** What says little alone, with its points. */
function weakSigns(evidence: Evidence, { fastestFormMs }: Screening): [QuarantineReason, number][] {
  const { request, form, viaPage, signsStarts, tookMs } = evidence;
  const isUnsigned = signsStarts && tookMs === null;
  return [
    ["not_our_form", isUnsigned && !viaPage ? 2 : 0],
    ["no_script", isUnsigned && viaPage ? 1 : 0],
    ["program", evidence.isProgram ? 1 : 0],
    ["abroad", evidence.distance],
    ["hidden_network", evidence.isHiddenNetwork ? 1 : 0],
    ["others_from_network", othersNearby(evidence)],
    ["alike_from_network", alikeNearby(evidence)],
    // Two strangers never say the same in so many words.
    ["copied_text", copiedText(evidence)],
    ["phone_series", phoneSeries(evidence)],
    // Agents give their tenants' names: one other name says little.
    ["phone_of_another", oneOrMore(otherNames(evidence))],
    // A person with autofill may be this quick.
    ["too_fast", tookMs !== null && tookMs < 2 * fastestFormMs ? 1 : 0],
    ["made_up_phone", isPossiblePhone(request.customerPhone) && isMadeUpPhone(request.customerPhone) ? 2 : 0],
    ["made_up_words", oneOrMore(madeUpParts(request))],
    ["busy_suburb", isBusy(evidence) ? 1 : 0],
    ["no_such_place", evidence.forSuburb ? 0 : 1],
    ["link", hasLink(request.specificRequests) ? 1 : 0],
    ["throwaway_email", isThrowaway(request.customerEmail) ? 1 : 0],
    ["impossible_answers", canComeFrom(form, request) ? 0 : 2],
  ];
}

/** What is enough by itself. */
function strongSigns(evidence: Evidence, screening: Screening): [QuarantineReason, boolean][] {
  const { request, earlier, challenge, tookMs } = evidence;
  const { duplicateMs, requestsPerAddress, fastestFormMs } = screening;
  const isRepeated = earlier.some((lead) => lead.serviceType.some((kind) => isIn(request.serviceType, kind)));
  return [
    ["duplicate", duplicateMs > 0 && isRepeated],
    ["impossible_phone", !isPossiblePhone(request.customerPhone)],
    ["honeypot", Boolean(request.homepage?.trim())],
    ["too_fast", tookMs !== null && tookMs < fastestFormMs],
    ["many_from_address", requestsPerAddress > 0 && hasTooMany(evidence, requestsPerAddress)],
    ["start_reused", evidence.isStartReused],
    ["challenge_missing", challenge === "missing"],
    ["challenge_failed", challenge === "failed"],
    ["challenge_unavailable", challenge === "unavailable"],
  ];
}

function isIn(list: readonly string[], value: string): boolean {
  return list.includes(value);
}

/**
 * Why a request should be looked at before it is sold; nothing when it looks like any other. Whoever sent
 * it is thanked all the same and it is kept: only a person drops it.
 */
export function suspicions(evidence: Evidence, screening: Screening): QuarantineReason[] {
  const { suspicionPoints } = screening;
  const strong = strongSigns(evidence, screening).flatMap(([reason, isSo]) => (isSo ? [reason] : []));
  if (suspicionPoints === 0) return strong;
  const weak = weakSigns(evidence, screening).filter(([, points]) => points > 0);
  const points = weak.reduce((sum, [, one]) => sum + one, 0);
  // Other people make a suburb busy: that never decides about this request alone.
  const isOnlyBusy = weak.every(([reason]) => reason === "busy_suburb");
  if (strong.length === 0 && (points < suspicionPoints || isOnlyBusy)) return [];
  return [...new Set([...strong, ...weak.map(([reason]) => reason)])];
}
