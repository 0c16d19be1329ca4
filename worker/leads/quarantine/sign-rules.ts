/**
 * Rules for suspicious requests. We refuse none of them. A suspicious request is quarantined until an admin decides.
 */
import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import type { QuarantineReason } from "../../../contract/quarantine.ts";
import type { ChallengeAction } from "../../../contract/challenges.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import type { ChallengeOutcome } from "./challenge-rules.ts";
import { isPossiblePhone } from "./contact-keys.ts";
import { couldSend } from "./shape-rules.ts";
import {
  hasLink,
  isMadeUpPhone,
  isThrowaway,
  LIKE_MARKS,
  madeUpParts,
  sharedMarks,
  typedWords,
} from "./text-rules.ts";

/** Window for comparing and counting requests from one network. */
export const ORIGIN_WINDOW_MS = DAY_MS;
/** Window for finding other people with the same phone number or similar words. */
export const LIKENESS_WINDOW_MS = 14 * DAY_MS;
/** Window for finding different people with neighbouring phone numbers. */
export const SERIES_WINDOW_MS = 7 * DAY_MS;
/** Number of days that define a suburb's usual demand. */
export const USUAL_DAYS = 28;
/** Window for counting a burst of requests. */
export const BURST_MS = 2 * HOUR_MS;

/** Networks by position in an origin key, from the /64 to the /48, with increasing limits. */
const NETWORKS = [
  { part: 2, requestTimes: 1, fewStrangers: 1, manyStrangers: 3 },
  { part: 1, requestTimes: 2, fewStrangers: 1, manyStrangers: 4 },
  // Phones of one carrier also share a /48.
  { part: 0, requestTimes: 4, fewStrangers: 2, manyStrangers: 6 },
] as const;
/** A /48 may send this many times the requests of a /64. */
export const WIDEST_TIMES = NETWORKS[2].requestTimes;

/** The operator's thresholds; 0 switches a check off. */
export type Screening = {
  /** A request with the same person, place and service within this time is a duplicate. */
  duplicateMs: number;
  /** Maximum listed requests per network per day. */
  requestsPerAddress: number;
  /** Minimum time in which a person can fill in a form. */
  fastestFormMs: number;
  /** A request with this many points is suspicious. Each weak sign scores one or two. */
  suspicionPoints: number;
};

/** Fields of an earlier request that show whether another person sent it. */
export type Requester = {
  customerName: string;
  phoneKey: string | null;
  emailKey: string | null;
  streetKey: string | null;
  suburbId: string | null;
  originKey: string | null;
  specificRequests: string | null;
};

export type Evidence = {
  request: LeadRequest;
  form: ChallengeAction;
  requester: Requester;
  /** Services of the same person's earlier requests (phone or email) for the same place. */
  earlier: readonly { serviceType: readonly string[] }[];
  /** Requesters from this /48 within the last day; one entry per listed request. */
  fromNetwork: readonly Requester[];
  /** Earlier requesters with this phone number or email; one entry per request. */
  withContact: readonly Requester[];
  /** Recent requesters with a neighbouring number. */
  nearPhone: readonly Requester[];
  /** Recent requesters with nearly the same words. */
  sameWords: readonly Requester[];
  /** Requesters for this suburb within a day. */
  inSuburb: readonly Requester[];
  /** Counts of this suburb's recent networks and earlier requests. Null without a suburb. */
  forSuburb: { rush: number; day: number; before: number } | null;
  /** The result of Cloudflare's check; null while it is switched off. */
  challenge: ChallengeOutcome | null;
  /** Time spent on the form since our signed start; null without a valid start. */
  tookMs: number | null;
  /** Whether an earlier request already used that start. */
  isStartReused: boolean;
  hasStartKey: boolean;
  /** Whether the form was posted without JavaScript. */
  viaPage: boolean;
  /** Whether the sender identifies as a bot or omits headers that every browser sends. */
  isBot: boolean;
  /** The sender's distance from our market: 0, 1 or 2. */
  distance: 0 | 1 | 2;
  /** Whether the network belongs to a hosting or VPN company. */
  isHostingNetwork: boolean;
};

const surname = (name: string) => name.trim().toLowerCase().split(/\s+/).at(-1) ?? "";

/** Returns whether a street key has a house number. Bookings have only a suburb. */
const isHouse = (key: string | null): key is string => key !== null && /\d/.test(key);

/** Returns whether two requests come from one person or one house. */
function isSamePerson(one: Requester, other: Requester): boolean {
  return (
    (one.phoneKey !== null && one.phoneKey === other.phoneKey) ||
    (one.emailKey !== null && one.emailKey === other.emailKey) ||
    (isHouse(one.streetKey) && one.streetKey === other.streetKey)
  );
}

/** Returns whether two requests may come from one family. A surname alone is no proof: Nguyen is very common. */
function areRelated(one: Requester, other: Requester): boolean {
  const isSameSuburb = one.suburbId !== null && one.suburbId === other.suburbId;
  return (
    isSamePerson(one, other) || (isSameSuburb && surname(one.customerName) === surname(other.customerName))
  );
}

/** Returns one request per household, excluding the requester's. */
function othersAmong(
  requester: Requester,
  requesters: readonly Requester[],
  isOne = areRelated,
): Requester[] {
  const others: Requester[] = [];
  for (const other of requesters) {
    if (!isOne(requester, other) && !others.some((known) => isOne(known, other))) others.push(other);
  }
  return others;
}

/** Counts different names at different addresses with the same phone number or email. */
function otherNames({ requester, withContact }: Evidence): number {
  const names = withContact
    .filter((other) => other.streetKey !== requester.streetKey)
    .map((other) => surname(other.customerName))
    .filter((name) => name !== surname(requester.customerName));
  return new Set(names).size;
}

/** Returns whether a suburb gets requests from far more networks than usual. */
function isBusy({ forSuburb }: Evidence): boolean {
  if (!forSuburb) return false;
  const { rush, day, before } = forSuburb;
  // Assume at least one request every other day.
  const usualPerDay = Math.max(before / (USUAL_DAYS - 1), 0.5);
  return rush >= Math.max(3, 4 * usualPerDay) || day >= Math.max(5, 4 * usualPerDay);
}

const networkParts = ({ originKey }: Requester) => originKey?.split(".") ?? [];

/** Returns whether a request came over IPv4: its three hashes are equal. Thousands of homes may share the address. */
const isIpv4 = (requester: Requester) => new Set(networkParts(requester)).size === 1;

/** Returns requesters from the same network. `part` is the network's position in the origin key. */
function fromPart({ requester, fromNetwork }: Evidence, part: number): Requester[] {
  const wanted = networkParts(requester)[part];
  return fromNetwork.filter((other) => networkParts(other)[part] === wanted);
}

/** Returns whether one of the sender's networks exceeds its limit of listed requests. */
function hasTooMany(evidence: Evidence, requestsPerAddress: number): boolean {
  return NETWORKS.some(
    ({ part, requestTimes }) => fromPart(evidence, part).length >= requestsPerAddress * requestTimes,
  );
}

/** Scores other people in the same network. Neighbours count more than people from other suburbs. */
function othersNearby(evidence: Evidence): number {
  const { requester, fromNetwork } = evidence;
  const neighbours = fromNetwork.filter(
    ({ suburbId }) => suburbId !== null && suburbId === requester.suburbId,
  );
  // A family may have two houses in its suburb, but rarely four.
  if (othersAmong(requester, neighbours).length >= 2) return 2;
  if (othersAmong(requester, neighbours, isSamePerson).length >= 3) return 2;
  const isShared = isIpv4(requester);
  const points = NETWORKS.map(({ part, fewStrangers, manyStrangers }) => {
    const near = fromPart(evidence, part);
    if (!isShared && othersAmong(requester, near, isSamePerson).length >= manyStrangers) return 2;
    return othersAmong(requester, near).length >= fewStrangers ? 1 : 0;
  });
  return Math.max(...points);
}

/** Minimum words for a comparison. Shorter texts often share words by chance. */
const MIN_SIMILAR_WORDS = 8;
/** Minimum share of words in common for two texts to be copies. */
const SIMILAR_SHARE = 0.6;
/** Minimum share of words in common for long texts from one template, which also share runs of words. */
const TEMPLATE_SHARE = 0.45;

function haveSimilarWords(one: Requester, other: Requester, share = SIMILAR_SHARE): boolean {
  const first = new Set(typedWords(one.specificRequests));
  const second = new Set(typedWords(other.specificRequests));
  if (Math.min(first.size, second.size) < MIN_SIMILAR_WORDS) return false;
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared >= share * (first.size + second.size - shared);
}

/** Returns whether two mobile numbers differ in their last three digits only. */
const haveClosePhones = ({ phoneKey: one }: Requester, { phoneKey: other }: Requester) =>
  /^\+614\d{8}$/.test(one ?? "") && one !== other && one!.slice(0, -3) === other?.slice(0, -3);

/** Strips the parts of an email address that its owner can vary: dots, digits and any text after a plus. */
const mailbox = ({ emailKey }: Requester) =>
  emailKey?.replace(/^([^@+]*)[^@]*/, (_, name: string) => name.replaceAll(/[\d._-]/g, ""));

/** Scores how much a request resembles strangers' requests from the same network: 0, 1 or 2. */
function similarNearby({ requester, fromNetwork }: Evidence): number {
  const others = othersAmong(requester, fromNetwork);
  const alike = others.filter(
    (other) =>
      haveSimilarWords(requester, other) ||
      haveClosePhones(requester, other) ||
      (mailbox(requester) !== undefined && mailbox(requester) === mailbox(other)),
  );
  const namesakes = others.filter((other) => surname(other.customerName) === surname(requester.customerName));
  return Math.min(alike.length + (namesakes.length >= 2 ? 1 : 0), 2);
}

/**
 * Scores how closely the text matches strangers' texts. A copied long text scores 2. Each long text from the same
 * template scores 1, up to 2. A short text scores 1 if two neighbours also sent it.
 */
function copiedText({
  requester,
  sameWords,
  inSuburb,
}: Pick<Evidence, "requester" | "sameWords" | "inSuburb">): number {
  const others = othersAmong(requester, sameWords);
  const isCopy = (other: Requester) =>
    sharedMarks(requester.specificRequests, other.specificRequests) >= LIKE_MARKS;
  if (others.some(isCopy)) return 2;
  const templates = others.filter((other) => haveSimilarWords(requester, other, TEMPLATE_SHARE)).length;
  if (templates > 0) return Math.min(templates, 2);
  const words = typedWords(requester.specificRequests).join(" ");
  const isSame = (other: Requester) => typedWords(other.specificRequests).join(" ") === words;
  return words.includes(" ") && othersAmong(requester, inSuburb.filter(isSame)).length >= 2 ? 1 : 0;
}

/** Scores 0 for none, 1 for one and 2 for several. */
const oneOrMore = (n: number) => Math.min(n, 2);

/** Maximum distance between phone numbers in a series. Slightly larger distances can be chance. */
const CLOSE_NUMBERS = 5;

/** Scores strangers' neighbouring numbers: 1 for one, 2 for several or a very close one. */
function phoneSeries({ requester, nearPhone }: Evidence): number {
  const others = othersAmong(requester, nearPhone);
  const isClose = (other: Requester) =>
    Math.abs(Number(other.phoneKey) - Number(requester.phoneKey)) <= CLOSE_NUMBERS;
  return others.some(isClose) ? 2 : oneOrMore(others.length);
}

/** Returns the weak signs with their points. None is enough by itself. */
function weakSigns(evidence: Evidence, { fastestFormMs }: Screening): [QuarantineReason, number][] {
  const { request, form, viaPage, hasStartKey, tookMs } = evidence;
  const lacksStart = hasStartKey && tookMs === null;
  return [
    ["not_our_form", lacksStart && !viaPage ? 2 : 0],
    ["no_script", lacksStart && viaPage ? 1 : 0],
    ["program", evidence.isBot ? 1 : 0],
    ["abroad", evidence.distance],
    ["hidden_network", evidence.isHostingNetwork ? 1 : 0],
    ["others_from_network", othersNearby(evidence)],
    ["alike_from_network", similarNearby(evidence)],
    // Two strangers never write the same long text.
    ["copied_text", copiedText(evidence)],
    ["phone_series", phoneSeries(evidence)],
    // Agents enter their tenants' names, so one other name is only a weak sign.
    ["phone_of_another", oneOrMore(otherNames(evidence))],
    // A person with autofill may be this fast.
    ["too_fast", tookMs !== null && tookMs < 2 * fastestFormMs ? 1 : 0],
    ["made_up_phone", isPossiblePhone(request.customerPhone) && isMadeUpPhone(request.customerPhone) ? 2 : 0],
    ["made_up_words", oneOrMore(madeUpParts(request))],
    ["busy_suburb", isBusy(evidence) ? 1 : 0],
    ["no_such_place", evidence.forSuburb ? 0 : 1],
    ["link", hasLink(request.specificRequests) ? 1 : 0],
    ["throwaway_email", isThrowaway(request.customerEmail) ? 1 : 0],
    ["impossible_answers", couldSend(form, request) ? 0 : 2],
  ];
}

/** Returns whether one of the earlier requests asked for one of these services. */
export function isRepeated(
  services: readonly string[],
  earlier: readonly { serviceType: readonly string[] }[],
): boolean {
  return earlier.some(({ serviceType }) => serviceType.some((kind) => services.includes(kind)));
}

/** Returns the strong signs. Any one of them quarantines a request. */
function strongSigns(evidence: Evidence, screening: Screening): [QuarantineReason, boolean][] {
  const { request, earlier, challenge, tookMs } = evidence;
  const { duplicateMs, requestsPerAddress, fastestFormMs } = screening;
  return [
    ["duplicate", duplicateMs > 0 && isRepeated(request.serviceType, earlier)],
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

/**
 * Returns the reasons to quarantine a request; empty for an ordinary one. The Worker stores the request and thanks the
 * sender either way. Only an admin can drop a request.
 */
export function suspicions(evidence: Evidence, screening: Screening): QuarantineReason[] {
  const { suspicionPoints } = screening;
  const strong = strongSigns(evidence, screening).flatMap(([reason, isSo]) => (isSo ? [reason] : []));
  if (suspicionPoints === 0) return strong;
  const weak = weakSigns(evidence, screening).filter(([, points]) => points > 0);
  const points = weak.reduce((sum, [, one]) => sum + one, 0);
  // Other people make a suburb busy, so this sign alone never quarantines a request.
  const isOnlyBusy = weak.every(([reason]) => reason === "busy_suburb");
  if (strong.length === 0 && (points < suspicionPoints || isOnlyBusy)) return [];
  return [...new Set([...strong, ...weak.map(([reason]) => reason)])];
}

/**
 * Returns whether an admin must review a customer's change before anyone else reads it. The customer then has to call
 * us. Checks only what the customer typed.
 * @param change null for what did not change
 */
export function isSuspiciousChange(
  change: Record<"text" | "name" | "phone" | "email" | "address", string | null>,
  requester: Requester,
  sameWords: readonly Requester[],
  { suspicionPoints }: Screening,
): boolean {
  const { text, name, phone, email, address } = change;
  if (phone !== null && !isPossiblePhone(phone)) return true;
  if (suspicionPoints === 0) return false;
  const typed = { customerName: name ?? "", customerAddress: address ?? "", specificRequests: text };
  const points = [
    hasLink(text) ? 1 : 0,
    madeUpParts(typed),
    copiedText({ requester: { ...requester, specificRequests: text }, sameWords, inSuburb: [] }),
    phone !== null && isMadeUpPhone(phone) ? 2 : 0,
    isThrowaway(email) ? 1 : 0,
  ];
  return points.reduce((sum, one) => sum + one, 0) >= suspicionPoints;
}
