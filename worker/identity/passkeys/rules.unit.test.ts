import { expect, test } from "vitest";

import { recoveryCodeSchema } from "../../../contract/passkeys.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./store.ts";
import { relyingParty } from "./rules.ts";

test("passkeys belong to the canonical host, whatever the request's host", () => {
  const site = { id: "naturestrip.example", origin: "https://naturestrip.example" };
  for (const url of [
    "https://naturestrip.example/a",
    "http://naturestrip.example/",
    "https://evil.example/a",
  ]) {
    expect(relyingParty("naturestrip.example", url)).toEqual(site);
  }
});

test("in local development, or without a canonical host, passkeys belong to the request's host", () => {
  const local = { id: "localhost", origin: "http://localhost:8787" };
  expect(relyingParty(null, "http://localhost:8787/api/passkeys")).toEqual(local);
  expect(relyingParty("naturestrip.example", "http://localhost:8787/api/passkeys")).toEqual(local);
  expect(relyingParty(null, "https://preview.example/x")).toEqual({
    id: "preview.example",
    origin: "https://preview.example",
  });
});

test("recovery codes are unique, and any spelling of a code is read", () => {
  const codes = Array.from({ length: 20 }, newRecoveryCodes).flat();
  expect(new Set(codes).size).toBe(codes.length);
  for (const code of codes) {
    const bare = code.replaceAll("-", "");
    for (const typed of [code, bare, ` ${code.toUpperCase()} `, bare.match(/.{4}/g)!.join(" ")]) {
      expect(recoveryCodeSchema.parse({ code: typed })).toEqual({ code: bare });
    }
  }
  // Every character of the alphabet occurs.
  expect(new Set(codes.join("").replaceAll("-", "")).size).toBe(32);
});

test("a code has a different hash in each account", () => {
  const code = "abcd-efgh-2345-6789";
  expect(hashRecoveryCode("user_a", code)).not.toBe(hashRecoveryCode("user_b", code));
  expect(hashRecoveryCode("user_a", code)).toBe(hashRecoveryCode("user_a", "ABCD EFGH 2345 6789"));
});
