import { expect, test } from "vitest";

import { hashPrefixes, networkPrefixes } from "./network.ts";

const networkOf = (address: string) => networkPrefixes(address).by64;

test("an IPv6 address becomes its /64, and an IPv4 address stays itself", () => {
  expect(networkOf("2001:db8:1:2:aaaa::1")).toBe(networkOf("2001:0db8:0001:0002:ffff:1:2:3"));
  expect(networkOf("2001:DB8:1:2::1")).toBe(networkOf("2001:db8:1:2:0:0:0:9"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
  expect(networkOf("2001:db8::1")).toBe("2001:db8:0:0");
  expect(networkOf("::1")).toBe("0:0:0:0");
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
});

test("an IPv4-mapped IPv6 address becomes the IPv4 address", () => {
  for (const written of [
    "::ffff:203.0.113.7",
    "::FFFF:203.0.113.7",
    "0:0:0:0:0:ffff:203.0.113.7",
    "::ffff:cb00:7107",
    "0000:0000:0000:0000:0000:ffff:cb00:7107",
  ]) {
    expect(networkOf(written), written).toBe("203.0.113.7");
  }
  expect(networkOf("::ffff:203.0.113.8")).not.toBe(networkOf("::ffff:203.0.113.7"));
  expect(networkOf("2001:db8:1:2::203.0.113.7"), "a tail in dots").toBe(networkOf("2001:db8:1:2::1"));
});

test("text that is not an IP address stays unchanged", () => {
  for (const text of ["local", "shared", "", "999.1.1.1", ":::", "1:2:3:4:5:6:7:8:9"]) {
    expect(networkOf(text), text).toBe(text);
  }
});

test("an IPv6 address has a /64, a /56 and a /48; for IPv4 all three are the address", () => {
  expect(networkPrefixes("2001:db8:1:2ab::1")).toEqual({
    by64: "2001:db8:1:2ab",
    by56: "2001:db8:1:200/56",
    by48: "2001:db8:1/48",
  });
  const v4 = { by64: "203.0.113.7", by56: "203.0.113.7", by48: "203.0.113.7" };
  for (const written of ["203.0.113.7", "::ffff:203.0.113.7", "::ffff:cb00:7107"]) {
    expect(networkPrefixes(written), written).toEqual(v4);
  }
  expect(networkPrefixes("local").by48).toBe("local");
});

test.each<[string, string, keyof ReturnType<typeof networkPrefixes>, boolean]>([
  ["2001:db8:1:2ff::1", "2001:0DB8:1:200::9", "by56", true],
  ["2001:db8:1:2ff::1", "2001:db8:1:300::1", "by56", false],
  ["2001:db8:1:2ff::1", "2001:db8:1:300::1", "by48", true],
  ["2001:db8:1:ff::1", "2001:db8:1::1", "by56", true],
  ["2001:db8:1::1", "2001:db8:2::1", "by48", false],
])("%s and %s share their %s: %s", async (one, other, name, isShared) => {
  const [first, second] = [networkPrefixes(one), networkPrefixes(other)];
  expect(first[name] === second[name]).toBe(isShared);
  expect(hashPrefixes("key", first)[name] === hashPrefixes("key", second)[name]).toBe(isShared);
});

test("hashed prefixes do not reveal the address and depend on the key", async () => {
  const prefixes = networkPrefixes("2001:db8:1:2::1");
  const hashed = hashPrefixes("key", prefixes);
  expect(new Set(Object.values(hashed)).size).toBe(3);
  expect(JSON.stringify(hashed)).not.toContain("2001");
  expect(hashed).not.toEqual(hashPrefixes("another key", prefixes));
});
