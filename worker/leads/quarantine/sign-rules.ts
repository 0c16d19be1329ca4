/**
 * Rules for suspicious requests. We refuse none of them. A suspicious request is quarantined until an admin decides.
 */
import { isbot } from "isbot";

import { DAY_MS } from "../../../contract/durations.ts";
import type { QuarantineReason } from "../../../contract/quarantine.ts";
import type { LeadRequest } from "../../../contract/leads.ts";
import { MORE_FOR_48, MORE_FOR_56 } from "../../platform/network.ts";
import { isPossiblePhone } from "./contact-keys.ts";

/** Window for counting requests from one network. */
export const ORIGIN_WINDOW_MS = DAY_MS;

/**
 * Limits of the /48, the /56 and the /64, as multiples of a /64's limit. The order is that of an origin key's parts. One
 * customer may have a whole /48, but phones of one carrier share one too.
 */
const NETWORK_TIMES = [MORE_FOR_48, MORE_FOR_56, 1] as const;

/** The operator's thresholds; 0 switches a check off. */
export type Screening = {
  /** A request with the same person, place and service within this time is a duplicate. */
  duplicateMs: number;
  /** Maximum listed requests per network per day. */
  requestsPerAddress: number;
  /** Minimum time in which a person can fill in a form. */
  fastestFormMs: number;
  /** A request with this many points is suspicious. Each weak sign scores one. */
  suspicionPoints: number;
};

/** Result of Cloudflare's check of a request. `unavailable`: Turnstile gave no usable verdict. */
export type ChallengeOutcome = "passed" | "missing" | "failed" | "unavailable";

export type Evidence = {
  request: LeadRequest;
  /** Services of the same person's earlier requests (phone or email) for the same place. */
  earlier: readonly { serviceType: readonly string[] }[];
  /** The sender's network; null if unknown. */
  originKey: string | null;
  /** Origin keys from the sender's /48 within the last day; one for each listed request. */
  fromNetwork: readonly string[];
  /** The result of Cloudflare's check; null while it is switched off. */
  challenge: ChallengeOutcome | null;
  /** Time spent on the form since our signed start; null without a valid start. */
  tookMs: number | null;
  /** Whether an earlier request already used that start. */
  isStartReused: boolean;
  userAgent: string | null;
  /** The browser's `Accept-Language`. */
  language: string | null;
  /** Whether the suburb is one that we do not list. */
  isUnlistedSuburb: boolean;
  /** What the request has in common with a provider's account, if anything. */
  providerTrace: Extract<QuarantineReason, `provider_${string}`> | null;
  /** The network's country (two letters) and owner, from Cloudflare. */
  country: string | null;
  networkOwner: string | null;
};

/** Returns whether one of the sender's networks has reached its limit of listed requests. */
function hasTooMany({ originKey, fromNetwork }: Evidence, requestsPerAddress: number): boolean {
  if (originKey === null) return false;
  const own = originKey.split(".");
  const others = fromNetwork.map((key) => key.split("."));
  return NETWORK_TIMES.some(
    (times, part) => others.filter((key) => key[part] === own[part]).length >= requestsPerAddress * times,
  );
}

/** Returns whether one of the earlier requests asked for one of these services. */
export function isRepeated(
  services: readonly string[],
  earlier: readonly { serviceType: readonly string[] }[],
): boolean {
  return earlier.some(({ serviceType }) => serviceType.some((kind) => services.includes(kind)));
}

/** Includes New Zealand, because some owners of Australian houses live there. */
const NEARBY_COUNTRIES = new Set(["AU", "NZ"]);
/** Hosting and VPN companies. Visitors' browsers rarely use their networks. */
const HOSTING_COMPANIES =
  /amazon|aws|google cloud|microsoft azure|digitalocean|linode|akamai connected cloud|hetzner|ovh|vultr|choopa|contabo|scaleway|leaseweb|m247|datacamp|packethub|clouvider|oracle cloud|alibaba|tencent|hostinger|namecheap|ionos|g-core|zenlayer|psychz|colocrossing|tor exit|nordvpn|mullvad|proton ?vpn|expressvpn|surfshark/i;

const isOutside = ({ country, networkOwner }: Evidence) =>
  (country !== null && !NEARBY_COUNTRIES.has(country)) || HOSTING_COMPANIES.test(networkOwner ?? "");

/** Returns whether a sender identifies as a bot, or omits headers that every browser sends. */
const isBot = ({ userAgent, language }: Evidence) => !userAgent || !language || isbot(userAgent);

const LINK = /https?:|www\.|\.(?:com|net|org|ru|xyz|top|biz|info|shop|online)\b/i;
const hasLink = (text: string | null | undefined) => LINK.test(text ?? "");

const THROWAWAY_HOSTS =
  /@(?:[\w-]+\.)*(?:mailinator|guerrillamail|10minutemail|yopmail|tempmail|temp-mail|trashmail|sharklasers|maildrop|getnada|dispostable|fakeinbox|throwawaymail|mintemail|mohmal|emailondeck|moakt|mytemp|tempr|burnermail|spamgourmet|discard)\.[a-z.]{2,10}$/i;
const isThrowaway = (email: string | null | undefined) => THROWAWAY_HOSTS.test(email ?? "");

type Signs = Partial<Record<QuarantineReason, boolean>>;
const found = (signs: Signs) => (Object.keys(signs) as QuarantineReason[]).filter((reason) => signs[reason]);

/**
 * Returns the reasons to quarantine a request; empty for an ordinary one. The Worker stores the request and thanks the
 * sender either way. Only an admin can drop a request.
 */
export function suspicions(evidence: Evidence, screening: Screening): QuarantineReason[] {
  const { request, challenge, tookMs, providerTrace } = evidence;
  const { duplicateMs, requestsPerAddress, fastestFormMs, suspicionPoints } = screening;
  // Any one of these quarantines a request.
  const strong = found({
    duplicate: duplicateMs > 0 && isRepeated(request.serviceType, evidence.earlier),
    impossible_phone: !isPossiblePhone(request.customerPhone),
    honeypot: Boolean(request.homepage?.trim()),
    too_fast: tookMs !== null && tookMs < fastestFormMs,
    many_from_address: requestsPerAddress > 0 && hasTooMany(evidence, requestsPerAddress),
    start_reused: evidence.isStartReused,
    challenge_missing: challenge === "missing",
    challenge_failed: challenge === "failed",
    challenge_unavailable: challenge === "unavailable",
    unlisted_suburb: evidence.isUnlistedSuburb,
    ...(providerTrace && { [providerTrace]: true }),
  });
  // One point each. Honest visitors travel, use VPNs and send links to photos.
  const weak = found({
    program: isBot(evidence),
    outside_network: isOutside(evidence),
    link: hasLink(request.specificRequests),
    throwaway_email: isThrowaway(request.customerEmail),
  });
  const counted = suspicionPoints === 0 ? [] : weak;
  const isSuspicious = strong.length > 0 || (counted.length > 0 && counted.length >= suspicionPoints);
  return isSuspicious ? [...strong, ...counted] : [];
}

/**
 * Returns whether an admin must review a customer's change before anyone else reads it. The customer then has to call
 * us. Checks only what the customer typed.
 * @param change null for what did not change
 */
export function isSuspiciousChange(
  { text, phone, email }: Record<"text" | "phone" | "email", string | null>,
  { suspicionPoints }: Screening,
): boolean {
  if (phone !== null && !isPossiblePhone(phone)) return true;
  const points = [hasLink(text), isThrowaway(email)].filter(Boolean).length;
  return suspicionPoints > 0 && points >= suspicionPoints;
}
