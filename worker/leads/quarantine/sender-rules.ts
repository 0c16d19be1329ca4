/** Rules that assess the sender of a request by its headers and network. */
import { isbot } from "isbot";

/** Returns whether a sender identifies as a bot, or omits headers that every browser sends. */
export function isBot(userAgent: string | null, language: string | null): boolean {
  return !userAgent || !language || isbot(userAgent);
}

/** Includes New Zealand, because some owners of Australian houses live there. */
const NEARBY_COUNTRIES = new Set(["AU", "NZ"]);

/**
 * Estimates a sender's distance from our market. 0: near or unknown. 1: abroad with an Australian or New Zealand
 * browser language, such as a traveller. 2: abroad with any other browser language.
 * @param country two letters
 * @param language the browser's Accept-Language
 */
export function distanceOf(country: string | null, language: string | null): 0 | 1 | 2 {
  if (country === null || NEARBY_COUNTRIES.has(country)) return 0;
  return /-(?:AU|NZ)\b/i.test(language ?? "") ? 1 : 2;
}

/** Hosting and VPN companies. Visitors' browsers rarely use their networks. */
const HOSTING_COMPANIES =
  /amazon|aws|google cloud|microsoft azure|digitalocean|linode|akamai connected cloud|hetzner|ovh|vultr|choopa|contabo|scaleway|leaseweb|m247|datacamp|packethub|clouvider|oracle cloud|alibaba|tencent|hostinger|namecheap|ionos|g-core|zenlayer|psychz|colocrossing|tor exit|nordvpn|mullvad|proton ?vpn|expressvpn|surfshark/i;

/** Returns whether a network belongs to a hosting or VPN company. */
export function isHostingNetwork(owner: string | null): boolean {
  return owner !== null && HOSTING_COMPANIES.test(owner);
}
