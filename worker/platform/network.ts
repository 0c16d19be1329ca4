import { shortKeyedHash } from "./keys.ts";

/** Returns the two IPv6 groups that equal an IPv4 address, or null when the text is not an IPv4 address. */
function groupsOfV4(text: string): string[] | null {
  const bytes = text.split(".").map(Number);
  if (bytes.length !== 4 || bytes.some((byte) => !(byte >= 0 && byte <= 255))) return null;
  const [a, b, c, d] = bytes as [number, number, number, number];
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}

/** Returns the groups of part of an IPv6 address. An embedded IPv4 address becomes two groups, or "?" if malformed. */
function readGroups(part: string): string[] {
  if (!part) return [];
  return part.split(":").flatMap((group) => (group.includes(".") ? (groupsOfV4(group) ?? ["?"]) : [group]));
}

/** Returns the eight groups of an IPv6 address without leading zeros, or null when the text is not one. */
function groupsOf(address: string): string[] | null {
  const [head = "", tail, ...more] = address.toLowerCase().split("::");
  if (more.length > 0) return null;
  const front = readGroups(head);
  const back = readGroups(tail ?? "");
  const missing = 8 - front.length - back.length;
  if (tail === undefined ? missing !== 0 : missing < 0) return null;
  const groups = [...front, ...Array.from({ length: missing }, () => "0"), ...back];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  return groups.map((group) => group.replace(/^0+(?=.)/, ""));
}

/** The first six groups of an IPv4 address written as IPv6: `::ffff:203.0.113.7`. */
const MAPPED = "0:0:0:0:0:ffff";

/** The networks that contain an IP address, from a household's to an organisation's. */
export type NetworkPrefixes = {
  /** The /64 of an IPv6 address: one home or one phone. */
  by64: string;
  /** Its /56: most internet providers assign one to a customer. */
  by56: string;
  /** Its /48: the largest network assigned to a customer. */
  by48: string;
};

/** The limits of a /56 and of a /48, as multiples of a /64's limit. */
export const MORE_FOR_56 = 2;
export const MORE_FOR_48 = 4;

/**
 * Returns the networks for rate limits. For an IPv4 address in any notation, all three are the address itself. The same
 * applies to text that is not an IP address, such as "local".
 */
export function networkPrefixes(address: string): NetworkPrefixes {
  const groups = address.includes(":") ? groupsOf(address) : null;
  if (!groups) return { by64: address, by56: address, by48: address };
  if (groups.slice(0, 6).join(":") === MAPPED) {
    const v4 = groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join(".");
    return { by64: v4, by56: v4, by48: v4 };
  }
  const site = groups.slice(0, 3).join(":");
  const subnet = Number.parseInt(groups[3]!, 16);
  return {
    by64: `${site}:${groups[3]}`,
    by56: `${site}:${(subnet & 0xff00).toString(16)}/56`,
    by48: `${site}/48`,
  };
}

/** Returns the networks as keyed hashes, for counting without storing addresses. */
export function hashPrefixes(secret: string, { by64, by56, by48 }: NetworkPrefixes): NetworkPrefixes {
  const hash = (text: string) => shortKeyedHash(secret, text);
  return { by64: hash(by64), by56: hash(by56), by48: hash(by48) };
}

export const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a URL is on this machine or inside a test. Stand-ins may only have such URLs. */
export function isStandInUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (LOOPBACK.test(url.hostname) || url.hostname.endsWith(".test"));
}
