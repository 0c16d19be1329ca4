/** What makes a request suspicious. Nobody is refused: a suspicious request is kept until a person decides. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { QuarantineReason } from "../../contract/quarantine.ts";
import type { ChallengeAction } from "../../contract/challenges.ts";
import type { LeadRequest } from "../../contract/leads.ts";
import type { ChallengeOutcome } from "./challenge-rules.ts";
import { isPossiblePhone } from "./contact-keys.ts";
import { canComeFrom } from "./shape-rules.ts";
import { hasLink, isMadeUpPhone, isThrowaway, madeUpParts } from "./text-rules.ts";

/** Requests from one network are compared and counted over this time. */
export const ORIGIN_WINDOW_MS = DAY_MS;
/** Who else used a phone number, or words like these, is looked for over this time. */
export const LIKENESS_WINDOW_MS = 14 * DAY_MS;
/** Numbers given out together, in requests of different people, within this time are no accident. */
export const SERIES_WINDOW_MS = 7 * DAY_MS;
/** What is usual for a suburb is taken from these days … */
export const USUAL_DAYS = 28;
/** … a rush is what comes within this time … */
export const RUSH_MS = 2 * HOUR_MS;
/** … and a burst what comes within this. */
export const BURST_MS = 20 * MINUTE_MS;

/** What the operator thinks suspicious; 0 switches a check off. */
export type Screening = {
  /** Two requests of one person, place and service within this time are one request sent twice. */
  duplicateMs: number;
  /** More requests than this from one network in a day are too many. */
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
};

/** What is known about a request when it comes in. */
export type Evidence = {
  request: LeadRequest;
  form: ChallengeAction;
  asker: Asker;
  /** Services of earlier requests of the same person (phone or e-mail) for the same place. */
  earlier: readonly { serviceType: readonly string[] }[];
  /** Who asked from this network within the last day, one entry for each request. */
  fromNetwork: readonly Asker[];
  /** Who gave this phone number before, one entry for each request. */
  withPhone: readonly Asker[];
  /** Who gave a number close to this one lately. */
  nearPhone: readonly Asker[];
  /** Who sent much the same words lately. */
  sameWords: readonly Asker[];
  /** How many requests came for this suburb, by how far back they are counted. Null without a suburb. */
  forSuburb: { burst: number; rush: number; day: number; usual: number } | null;
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

/** Whether two requests may well be of one household: a family shares a name, a number or a house. */
function areRelated(one: Asker, other: Asker): boolean {
  return (
    (one.phoneKey !== null && one.phoneKey === other.phoneKey) ||
    (one.emailKey !== null && one.emailKey === other.emailKey) ||
    surname(one.customerName) === surname(other.customerName) ||
    (isHouse(one.streetKey) && one.streetKey === other.streetKey)
  );
}

/** How many different households are among those who asked, besides the asker's own. */
function othersAmong(asker: Asker, askers: readonly Asker[]): number {
  const others: Asker[] = [];
  for (const other of askers) {
    if (!areRelated(asker, other) && !others.some((known) => areRelated(known, other))) others.push(other);
  }
  return others.length;
}

/** Under how many other names a phone number came, for other houses. */
function otherNames({ asker, withPhone }: Evidence): number {
  const names = withPhone
    .filter((other) => other.streetKey !== asker.streetKey)
    .map((other) => surname(other.customerName))
    .filter((name) => name !== surname(asker.customerName));
  return new Set(names).size;
}

/** How far the requests for a suburb are above what is usual there: 0, 1 or 2. */
function rush({ forSuburb }: Evidence): number {
  if (!forSuburb) return 0;
  const { burst, rush, day, usual } = forSuburb;
  // A suburb nobody asked for yet is taken to have a request every other day.
  const usualADay = Math.max((usual - day) / (USUAL_DAYS - 1), 0.5);
  const isBeyond = (n: number, least: number, times: number) => n >= Math.max(least, times * usualADay);
  if (isBeyond(burst, 3, 6) || isBeyond(rush, 6, 8)) return 2;
  return isBeyond(rush, 3, 4) || isBeyond(day, 5, 4) ? 1 : 0;
}

/** Others behind the same network: neighbours weigh more, who asks from work or on the way lives elsewhere. */
function othersNearby({ asker, fromNetwork }: Evidence): number {
  const neighbours = fromNetwork.filter(({ suburbId }) => suburbId !== null && suburbId === asker.suburbId);
  const others = othersAmong(asker, fromNetwork);
  if (others >= 3 || othersAmong(asker, neighbours) >= 2) return 2;
  return others > 0 ? 1 : 0;
}

/** 1 for one of them, 2 for several. */
const oneOrMore = (n: number) => Math.min(n, 2);

/** What says little alone, with its points. */
function weakSigns(evidence: Evidence): [QuarantineReason, number][] {
  const { request, form, asker, viaPage, signsStarts, tookMs } = evidence;
  const isUnsigned = signsStarts && tookMs === null;
  return [
    ["not_our_form", isUnsigned && !viaPage ? 2 : 0],
    ["no_script", isUnsigned && viaPage ? 1 : 0],
    ["program", evidence.isProgram ? 1 : 0],
    ["abroad", evidence.distance],
    ["hidden_network", evidence.isHiddenNetwork ? 1 : 0],
    ["others_from_network", othersNearby(evidence)],
    // Two strangers never say the same in so many words, nor have they neighbouring numbers.
    ["copied_text", othersAmong(asker, evidence.sameWords) > 0 ? 2 : 0],
    ["phone_series", othersAmong(asker, evidence.nearPhone) > 0 ? 2 : 0],
    // Agents give their tenants' names: only many of them say enough.
    ["phone_of_another", otherNames(evidence) >= 3 ? 2 : oneOrMore(otherNames(evidence)) > 0 ? 1 : 0],
    ["made_up_phone", isPossiblePhone(request.customerPhone) && isMadeUpPhone(request.customerPhone) ? 2 : 0],
    ["made_up_words", oneOrMore(madeUpParts(request))],
    ["busy_suburb", rush(evidence)],
    ["no_such_place", evidence.forSuburb ? 0 : 1],
    ["link", hasLink(request.specificRequests) ? 1 : 0],
    ["throwaway_email", isThrowaway(request.customerEmail) ? 1 : 0],
    ["impossible_answers", canComeFrom(form, request) ? 0 : 2],
  ];
}

/** What is enough by itself. */
function strongSigns(evidence: Evidence, screening: Screening): [QuarantineReason, boolean][] {
  const { request, earlier, fromNetwork, challenge, tookMs } = evidence;
  const { duplicateMs, requestsPerAddress, fastestFormMs } = screening;
  const isRepeated = earlier.some((lead) => lead.serviceType.some((kind) => isIn(request.serviceType, kind)));
  return [
    ["duplicate", duplicateMs > 0 && isRepeated],
    ["impossible_phone", !isPossiblePhone(request.customerPhone)],
    ["honeypot", Boolean(request.homepage?.trim())],
    ["too_fast", tookMs !== null && tookMs < fastestFormMs],
    ["many_from_address", requestsPerAddress > 0 && fromNetwork.length >= requestsPerAddress],
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
  const weak = weakSigns(evidence).filter(([, points]) => points > 0);
  const points = weak.reduce((sum, [, one]) => sum + one, 0);
  if (strong.length === 0 && points < suspicionPoints) return [];
  return [...strong, ...weak.map(([reason]) => reason)];
}
