/** Form starts: ours are valid, forged ones are not, and all expire. */
import { keyedHash } from "../../platform/keys.ts";
import { expect, test } from "vitest";

import { readStart, signStart, START_LIFETIME_MS } from "./start-token.ts";

const SECRET = "a long random text for tests";
const NOW = Date.UTC(2026, 10, 22, 3);

test("a start contains its time, and two starts at the same time differ", () => {
  const [one, other] = [signStart(SECRET, NOW), signStart(SECRET, NOW)];
  const read = readStart(SECRET, one, NOW + 60_000);
  expect(read).toEqual({ at: NOW, nonce: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(readStart(SECRET, other, NOW)?.nonce).not.toBe(read?.nonce);
});

test("a start is valid for a day", () => {
  const token = signStart(SECRET, NOW);
  expect(readStart(SECRET, token, NOW + START_LIFETIME_MS)).not.toBeNull();
  expect(readStart(SECRET, token, NOW + START_LIFETIME_MS + 1)).toBeNull();
});

test.each<[string, (token: string) => string | null | undefined]>([
  ["none", () => undefined],
  ["an empty one", () => ""],
  ["one signed with another key", (token) => token.replace(/[\w-]{43}$/, "A".repeat(43))],
  ["an earlier time under our signature", (token) => token.replace(/^[0-9a-z]+/, (NOW - 9e6).toString(36))],
  ["another nonce under our signature", (token) => token.replace(/\.[0-9a-f]{32}\./, `.${"0".repeat(32)}.`)],
  ["a very long one", (token) => token + "x".repeat(50_000)],
])("%s is not a valid start", (_, change) => {
  const token = signStart(SECRET, NOW);
  expect(readStart(SECRET, change(token), NOW)).toBeNull();
});

test("a start's signature does not reveal a network's hash, and the reverse", () => {
  const token = signStart(SECRET, NOW);
  const [at, nonce, mac] = token.split(".");
  expect(keyedHash(SECRET, `${at} ${nonce}`)).not.toBe(mac);
  expect(keyedHash(SECRET, "203.0.113.7")).toBe(keyedHash(SECRET, "203.0.113.7"));
  expect(keyedHash("another", "203.0.113.7")).not.toBe(keyedHash(SECRET, "203.0.113.7"));
});
