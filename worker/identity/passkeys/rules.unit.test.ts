import { expect, test } from "vitest";

import { recoveryCodeSchema } from "../../../contract/passkeys.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { relyingParty } from "./rules.ts";

test("passkeys belong to the site's one host, whatever host a request names", () => {
  const site = { id: "naturestrip.example", origin: "https://naturestrip.example" };
  for (const url of [
    "https://naturestrip.example/a",
    "http://naturestrip.example/",
    "https://evil.example/a",
  ]) {
    expect(relyingParty("naturestrip.example", url)).toEqual(site);
  }
});

test("on this machine, and while no host is set, they belong to the host that was asked", () => {
  const local = { id: "localhost", origin: "http://localhost:8787" };
  expect(relyingParty(null, "http://localhost:8787/api/passkeys")).toEqual(local);
  expect(relyingParty("naturestrip.example", "http://localhost:8787/api/passkeys")).toEqual(local);
  expect(relyingParty(null, "https://preview.example/x")).toEqual({
    id: "preview.example",
    origin: "https://preview.example",
  });
});

test("recovery codes are all different, and are read however they are typed", () => {
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

test("one code has another hash in another account", () => {
  const code = "abcd-efgh-2345-6789";
  expect(hashRecoveryCode("user_a", code)).not.toBe(hashRecoveryCode("user_b", code));
  expect(hashRecoveryCode("user_a", code)).toBe(hashRecoveryCode("user_a", "ABCD EFGH 2345 6789"));
});
