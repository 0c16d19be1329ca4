import { expect, test } from "vitest";

import { readPushKeys } from "../worker/platform/keys.ts";
import { newPushKeys } from "./vapid.ts";

test("new keys have the format of PUSH_KEYS, and the public half verifies their signatures", async () => {
  const { publicKey, privateKey } = readPushKeys(newPushKeys())!;
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url")) as [
    string,
    string,
  ];
  const kind = { name: "ECDSA", namedCurve: "P-256" };
  const jwk = { kty: "EC", crv: "P-256", x, y };
  const signer = await crypto.subtle.importKey("jwk", { ...jwk, d: privateKey }, kind, false, ["sign"]);
  const checker = await crypto.subtle.importKey("raw", point, kind, false, ["verify"]);
  const how = { name: "ECDSA", hash: "SHA-256" };
  const text = Buffer.from("a lead");
  expect(await crypto.subtle.verify(how, checker, await crypto.subtle.sign(how, signer, text), text)).toBe(
    true,
  );
  expect(newPushKeys()).not.toBe(newPushKeys());
});
