import { keyedHash } from "./platform/keyed-hash.ts";

/** The two groups of an IPv6 address that an IPv4 address at its end stands for; null when it is none. */
function groupsOfV4(text: string): string[] | null {
  const bytes = text.split(".").map(Number);
  if (bytes.length !== 4 || bytes.some((byte) => !(byte >= 0 && byte <= 255))) return null;
  const [a, b, c, d] = bytes as [number, number, number, number];
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}

/** Groups as they stand, an IPv4 address among them as the two it is; "?" for what is neither. */
function readGroups(part: string): string[] {
  if (!part) return [];
  return part.split(":").flatMap((group) => (group.includes(".") ? (groupsOfV4(group) ?? ["?"]) : [group]));
}

/** The eight groups of an IPv6 address, without leading noughts; null when it is none. */
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

/** Before these two groups an IPv4 address stands as an IPv6 one: `::ffff:203.0.113.7`. */
const MAPPED = "0:0:0:0:0:ffff";

/** The networks around an address, from a household's to an organisation's. */
export type NetworkPrefixes = {
  /** The /64 of an IPv6 address: one home or one phone. */
  by64: string;
  /** Its /56: what most providers give one customer. */
  by56: string;
  /** Its /48: the most that one customer gets. */
  by48: string;
};

/** How much more often a whole /56 and a whole /48 may try than one /64. */
export const MORE_FOR_56 = 2;
export const MORE_FOR_48 = 4;

/**
 * Returns the networks that limits count by. An IPv4 address, however it is written, is all three itself. So is
 * text that is no address, such as "local".
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

/** Returns the networks as keyed hashes: they can be counted, not read. */
export async function hashPrefixes(secret: string, prefixes: NetworkPrefixes): Promise<NetworkPrefixes> {
  const hash = async (text: string) => (await keyedHash(secret, text)).slice(0, 22);
  const [by64, by56, by48] = await Promise.all([
    hash(prefixes.by64),
    hash(prefixes.by56),
    hash(prefixes.by48),
  ]);
  return { by64, by56, by48 };
}
