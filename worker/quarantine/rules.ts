import { findPhoneNumbersInText, parsePhoneNumberFromString } from "libphonenumber-js/min";

import type { QuarantineReason } from "../../contract/admin.ts";
import { leadIdSchema, type screeningFields } from "../../contract/leads.ts";
import type { ChallengeOutcome } from "./challenge-rules.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Requests from one network address are counted over this time. */
export const ORIGIN_WINDOW_MS = DAY_MS;

/** What the operator thinks suspicious; 0 switches a check off. */
export type Screening = {
  /** Two requests of one person, place and service within this time are one request sent twice. */
  duplicateMs: number;
  /** More requests than this from one network address in a day are too many. */
  requestsPerAddress: number;
  /** A form filled in less time than this was not filled in by a person. */
  fastestFormMs: number;
};

function parsePhone(phone: string) {
  const text = phone.normalize("NFKC");
  const whole = parsePhoneNumberFromString(text, "AU");
  if (whole?.isValid()) return whole;
  // "0412 345 678 or 02 9876 5432 (after six)": one that works is enough.
  return findPhoneNumbersInText(text, "AU")[0]?.number ?? whole ?? null;
}

/** Whether a phone number can exist, in Australia or, written with its country, anywhere. */
export function isPossiblePhone(phone: string): boolean {
  return parsePhone(phone)?.isValid() ?? false;
}

/** A phone number in E.164, so that every way of writing it is the same; null when there is none in it. */
export function phoneKey(phone: string): string | null {
  return parsePhone(phone)?.number ?? null;
}

/** An e-mail address as it is compared. */
export function emailKey(email: string | null | undefined): string | null {
  return email?.trim().toLowerCase() || null;
}

const STREET_WORDS: Readonly<Record<string, string>> = {
  street: "st",
  road: "rd",
  avenue: "ave",
  av: "ave",
  crescent: "cres",
  court: "ct",
  drive: "dr",
  place: "pl",
  lane: "ln",
  parade: "pde",
  highway: "hwy",
  close: "cl",
  boulevard: "bvd",
  blvd: "bvd",
  terrace: "tce",
  circuit: "cct",
  grove: "gr",
  esplanade: "esp",
};
const NOISE = new Set(["nsw", "australia", "new", "south", "wales", "unit", "flat", "apt", "apartment"]);

/** An address without what people write differently: case, punctuation, state, postcode, "Street" or "St". */
export function streetKey(address: string): string | null {
  const words = address
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !NOISE.has(word))
    .map((word) => STREET_WORDS[word] ?? word);
  // A postcode stands at the end; anywhere else four digits are a house.
  if (words.length > 1 && /^\d{4}$/.test(words.at(-1)!)) words.pop();
  return words.join(" ") || null;
}

/** How a request is found again when the same person asks for the same place. */
export function requestKeys(request: {
  customerPhone: string;
  customerEmail?: string | null | undefined;
  customerAddress: string;
}) {
  return {
    phoneKey: phoneKey(request.customerPhone),
    emailKey: emailKey(request.customerEmail),
    streetKey: streetKey(request.customerAddress),
  };
}

/** The part of a network address that stays with one household: IPv6 changes below the /64. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const front = head.split(":").filter(Boolean);
  const back = tail?.split(":").filter(Boolean) ?? [];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array.from({ length: missing }, () => "0"), ...back];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** What an admin looks for: a lead's id, a phone number or an e-mail address; null for anything else. */
export function searchKeys(q: string): { id: string } | { phone: string } | { email: string } | null {
  if (leadIdSchema.safeParse(q).success) return { id: q };
  if (q.includes("@")) return { email: emailKey(q)! };
  const phone = q.replaceAll(/\D/g, "").length >= 8 ? phoneKey(q) : null;
  return phone ? { phone } : null;
}

/** What was asked for, without what only tells people from programs: that is looked at once, never stored. */
export function withoutScreening<Request extends { [Name in keyof typeof screeningFields]?: unknown }>(
  request: Request,
): Omit<Request, keyof typeof screeningFields> {
  const { homepage: _, openMs: __, turnstileToken: ___, ...told } = request;
  return told;
}

/** What is known about a request when it comes in. */
export type Evidence = {
  phone: string;
  serviceType: readonly string[];
  /** What stood in the field that people cannot see. */
  homepage: string | null | undefined;
  /** How long the page had been open when the form was sent; unknown without script. */
  openMs: number | null | undefined;
  /** Services of earlier requests of the same person (phone or e-mail) for the same place. */
  earlier: readonly { serviceType: readonly string[] }[];
  /** Earlier requests from this network address within the last day. */
  fromAddress: number;
  /** How Cloudflare's check ended; null while it is not switched on. */
  challenge: ChallengeOutcome | null;
};

/**
 * Why a request should be looked at before it is sold; nothing when it looks like any other. Whoever sent
 * it is thanked all the same and it is kept: only a person drops it.
 */
export function suspicions(evidence: Evidence, screening: Screening): QuarantineReason[] {
  const { homepage, openMs, earlier, fromAddress, serviceType, challenge } = evidence;
  const { duplicateMs, requestsPerAddress, fastestFormMs } = screening;
  const isRepeated = earlier.some((lead) => lead.serviceType.some((kind) => serviceType.includes(kind)));
  const found: [QuarantineReason, boolean][] = [
    ["duplicate", duplicateMs > 0 && isRepeated],
    ["impossible_phone", !isPossiblePhone(evidence.phone)],
    ["honeypot", Boolean(homepage?.trim())],
    ["too_fast", typeof openMs === "number" && openMs < fastestFormMs],
    ["many_from_address", requestsPerAddress > 0 && fromAddress >= requestsPerAddress],
    ["challenge_missing", challenge === "missing"],
    ["challenge_failed", challenge === "failed"],
    ["challenge_unavailable", challenge === "unavailable"],
  ];
  return found.flatMap(([reason, isSo]) => (isSo ? [reason] : []));
}
