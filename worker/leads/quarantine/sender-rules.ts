/** What a request's headers and network say about whoever sent it. */
import { isbot } from "isbot";

/** Whether a sender calls itself a program, or keeps quiet about what every browser tells. */
export function isProgram(userAgent: string | null, language: string | null): boolean {
  return !userAgent || !language || isbot(userAgent);
}

/** New Zealanders own houses here as well. */
const NEAR = new Set(["AU", "NZ"]);

/**
 * How far somebody seems to be from where lawns are mown here: 0 for near or unknown, 1 for a browser from
 * here that is abroad, as travellers' are, 2 for one that is at home there.
 * @param country two letters
 * @param language the browser's Accept-Language
 */
export function distanceOf(country: string | null, language: string | null): 0 | 1 | 2 {
  if (country === null || NEAR.has(country)) return 0;
  return /-(?:AU|NZ)\b/i.test(language ?? "") ? 1 : 2;
}

/** Companies that rent out computers, or hide who uses their network; people's browsers are seldom there. */
const HIDING =
  /amazon|aws|google cloud|microsoft azure|digitalocean|linode|akamai connected cloud|hetzner|ovh|vultr|choopa|contabo|scaleway|leaseweb|m247|datacamp|packethub|clouvider|oracle cloud|alibaba|tencent|hostinger|namecheap|ionos|g-core|zenlayer|psychz|colocrossing|tor exit|nordvpn|mullvad|proton ?vpn|expressvpn|surfshark/i;

/** Whether a network's owner is one of them. */
export function isHiddenNetwork(owner: string | null): boolean {
  return owner !== null && HIDING.test(owner);
}
