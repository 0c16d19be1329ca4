import { expect, test } from "vitest";

import { readSent, sentCookie } from "./sent.ts";

const request = { customerPhone: " 0491 570 006 ", customerName: "Anna", serviceType: ["lawn_mowing"] };
const answer = { id: "lead_inner-west_3f9k2m7qxyz01234abcd", suburbName: "Leichhardt" };
const value = (cookie: string) => cookie.slice(0, cookie.indexOf(";"));

test("a request is repeated with its number, its services, its suburb and its reference, and nothing else", () => {
  const cookie = sentCookie(request, answer, true)!;
  expect(cookie).toMatch(/; Path=\/success; Max-Age=1800; SameSite=Lax; Secure$/);
  expect(cookie).not.toContain("Anna");
  expect(readSent(`theme=dark; ${value(cookie)}`)).toEqual({
    phone: "0491 570 006",
    services: ["lawn_mowing"],
    place: "Leichhardt",
    reference: "INNER-WEST-3F9K2M7Q",
  });
});

test("a booking has one service and no reference; without a number nothing is repeated", () => {
  const booking = sentCookie(
    { phone: "0491 570 006", serviceType: "pink_slip_inspection" },
    { id: "bkg_1" },
    false,
  )!;
  expect(booking).not.toContain("Secure");
  expect(readSent(value(booking))).toEqual({
    phone: "0491 570 006",
    services: ["pink_slip_inspection"],
    place: null,
    reference: null,
  });
  expect(sentCookie({}, answer, true)).toBeNull();
});

test.each([
  null,
  "",
  "sent=",
  "sent=%",
  "sent=null",
  "sent=%7B%7D",
  "sent=%7B%22phone%22%3A%7B%7D%7D",
  "unsent=1",
])("a cookie that is not ours (%s) repeats nothing", (cookies) => {
  expect(readSent(cookies)).toBeNull();
});
