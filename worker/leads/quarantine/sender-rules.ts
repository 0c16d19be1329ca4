/** What a request's headers and network say about its sender. */
import { isbot } from "isbot";

/** Returns whether a sender identifies as a program, or omits headers that every browser sends. */
export function isProgram(userAgent: string | null, language: string | null): boolean {
  return !userAgent || !language || isbot(userAgent);
}

/** New Zealanders own houses in Australia as well. */
const NEAR = new Set(["AU", "NZ"]);

/**
 * Estimates how far a sender is from our market. 0: near or unknown. 1: abroad with an Australian or New Zealand
 * browser, as travellers have. 2: abroad with a foreign browser.
 * @param country two letters
 * @param language the browser's Accept-Language
 */
export function distanceOf(country: string | null, language: string | null): 0 | 1 | 2 {
  if (country === null || NEAR.has(country)) return 0;
  return /-(?:AU|NZ)\b/i.test(language ?? "") ? 1 : 2;
}

/** Hosting and VPN companies. Visitors' browsers rarely use their networks. */
const HIDING =
  /amazon|aws|google cloud|microsoft azure|digitalocean|linode|akamai connected cloud|hetzner|ovh|vultr|choopa|contabo|scaleway|leaseweb|m247|datacamp|packethub|clouvider|oracle cloud|alibaba|tencent|hostinger|namecheap|ionos|g-core|zenlayer|psychz|colocrossing|tor exit|nordvpn|mullvad|proton ?vpn|expressvpn|surfshark/i;

/** Returns whether a network belongs to one of those companies. */
export function isHiddenNetwork(owner: string | null): boolean {
  return owner !== null && HIDING.test(owner);
}
