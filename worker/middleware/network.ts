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

/**
 * The part of a network address that stays with one household, for whatever counts by address: a
 * household has 2^64 addresses of version 6 and changes among them as it likes.
 * @returns the /64 of an IPv6 address, an IPv4 address as it is, however it is written; what is no
 *   address, such as "local", as it is
 */
export function networkOf(address: string): string {
  const groups = address.includes(":") ? groupsOf(address) : null;
  if (!groups) return address;
  if (groups.slice(0, 6).join(":") !== MAPPED) return groups.slice(0, 4).join(":");
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join(".");
}
