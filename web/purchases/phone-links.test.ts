import { expect, test } from "vitest";

import { phoneHref, smsHref } from "./phone-links.ts";

test("dials a number in any format", () => {
  expect(phoneHref("(02) 5550 0123")).toBe("tel:0255500123");
  expect(phoneHref("+61 491 570 006")).toBe("tel:+61491570006");
});

test("builds sms: links for Apple phones and for others, with every character escaped", () => {
  const text = "Hi Anna & co: 50% off? It's #1\nBye";
  const body = "body=Hi%20Anna%20%26%20co%3A%2050%25%20off%3F%20It's%20%231%0ABye";
  expect(smsHref("0491 570 006", text, false)).toBe(`sms:0491570006?${body}`);
  expect(smsHref("0491 570 006", text, true)).toBe(`sms:0491570006&${body}`);
  expect(smsHref("0491 570 006", "", true)).toBe("sms:0491570006");
});
