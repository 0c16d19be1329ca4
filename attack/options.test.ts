import { expect, test } from "vitest";

import { readOptions } from "./options.ts";

test("without arguments the attack sends 20,000 requests from a random seed to a fresh build", () => {
  const usual = { seed: expect.any(Number), requests: 20_000, only: null, builds: true, holes: false };
  expect(readOptions([])).toEqual(usual);
  const all = readOptions(["--seed=7", "--requests=10", "--only=3", "--no-build", "--holes"]);
  expect(all).toEqual({ seed: 7, requests: 10, only: 3, builds: false, holes: true });
});

test.each([
  ["--url=https://naturestrip.example", "has no option"],
  ["everything", "has no option"],
  ["--requests", "has no option"],
  ["--no-build=yes", "has no option"],
  ["--seed=x", "must be a whole number"],
  ["--requests=1e9", "must be a whole number"],
  ["--requests=200001", "must be a whole number"],
])("%s is rejected with a one-sentence error", (argument, words) => {
  expect(() => readOptions([argument])).toThrow(words);
});
