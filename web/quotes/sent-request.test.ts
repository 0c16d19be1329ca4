import { expect, test } from "vitest";

import { readSentRequest, buildSentCookie } from "./sent-request.ts";

const request = { customerPhone: " 0491 570 006 ", customerName: "Anna", serviceType: ["lawn_mowing"] };
const apiResponse = {
  id: "lead_inner-west_3f9k2m7qxyz01234abcd",
  reference: "K7M2QX",
  suburbName: "Leichhardt",
  token: "Zm9sbG93LW1lLXdpdGgtMzItYnl0ZXMtb2Ytc2VjcmV0cw",
};
const value = (cookie: string) => cookie.slice(0, cookie.indexOf(";"));

test("shows only a request's phone number, services, suburb, reference and link", () => {
  const cookie = buildSentCookie(request, apiResponse, true)!;
  expect(cookie).toMatch(/; Path=\/success; Max-Age=1800; SameSite=Lax; Secure$/);
  expect(cookie).not.toContain("Anna");
  expect(readSentRequest(`theme=dark; ${value(cookie)}`)).toEqual({
    phone: "0491 570 006",
    services: ["lawn_mowing"],
    place: "Leichhardt",
    reference: "K7M2QX",
    token: apiResponse.token,
  });
});

test("shows a booking's service, suburb and lead reference", () => {
  const booked = { phone: "0491 570 006", serviceType: "hedge_trimming", name: "Anna" };
  const cookie = buildSentCookie(booked, { ...apiResponse, id: "bkg_1", leadId: apiResponse.id }, false)!;
  expect(cookie).not.toContain("Secure");
  expect(readSentRequest(value(cookie))).toEqual({
    phone: "0491 570 006",
    services: ["hedge_trimming"],
    place: "Leichhardt",
    reference: "K7M2QX",
    token: apiResponse.token,
  });
});

test("shows an inspection's own reference, and nothing without a phone number", () => {
  const asked = { phone: "0491 570 006", serviceType: "pink_slip_inspection" };
  const given = {
    id: "bkg_3f9k2m7qxyz01234abcd",
    leadId: null,
    reference: "V3RD4S",
    suburbName: "Leichhardt",
  };
  expect(readSentRequest(value(buildSentCookie(asked, given, true)!))).toEqual({
    phone: "0491 570 006",
    services: ["pink_slip_inspection"],
    place: "Leichhardt",
    reference: "V3RD4S",
    token: null,
  });
  expect(buildSentCookie({}, apiResponse, true)).toBeNull();
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
])("shows nothing for a cookie that is not ours (%s)", (cookies) => {
  expect(readSentRequest(cookies)).toBeNull();
});
