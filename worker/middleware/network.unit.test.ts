import { expect, test } from "vitest";

import { networkOf } from "./network.ts";

test("an address of version 6 stands for its household, one of version 4 for itself", () => {
  expect(networkOf("2001:db8:1:2:aaaa::1")).toBe(networkOf("2001:0db8:0001:0002:ffff:1:2:3"));
  expect(networkOf("2001:DB8:1:2::1")).toBe(networkOf("2001:db8:1:2:0:0:0:9"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
  expect(networkOf("2001:db8::1")).toBe("2001:db8:0:0");
  expect(networkOf("::1")).toBe("0:0:0:0");
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
});

test("an address of version 4 that is written as one of version 6 is that address", () => {
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

test("what is no address stands for itself", () => {
  for (const text of ["local", "shared", "", "999.1.1.1", ":::", "1:2:3:4:5:6:7:8:9"]) {
    expect(networkOf(text), text).toBe(text);
  }
});
