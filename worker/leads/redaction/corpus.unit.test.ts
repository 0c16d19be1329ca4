/** Measures how many disguised details the rules redact and how many honest texts they change. Prints both figures. */
import { expect, test } from "vitest";

import { DISGUISES } from "../../../testing/corpus/disguises.ts";
import { HONEST_TEXTS } from "../../../testing/corpus/honest-texts.ts";
import { redact } from "./redact.ts";

const CAUGHT_AIM = 0.99;
const TOUCHED_AIM = 0.02;

const share = (part: number, whole: number) => `${part} of ${whole} (${((part / whole) * 100).toFixed(1)} %)`;

/** Prints a share for the whole corpus, and for the part held back while the rules were written. */
function printShare(
  what: string,
  all: readonly { isHeldBack: boolean }[],
  found: readonly { isHeldBack: boolean }[],
) {
  const heldBack = all.filter(({ isHeldBack }) => isHeldBack).length;
  const foundHeldBack = found.filter(({ isHeldBack }) => isHeldBack).length;
  const sentence = `${what}: ${share(found.length, all.length)}; of those held back ${share(foundHeldBack, heldBack)}`;
  // Bypass the runner, which hides the output of passing tests.
  process.stdout.write(`${sentence}\n`);
}

test("the corpora are large, have no duplicates, and each text contains its secret", () => {
  expect(DISGUISES.length).toBeGreaterThanOrEqual(300);
  expect(HONEST_TEXTS.length).toBeGreaterThanOrEqual(300);
  for (const texts of [DISGUISES, HONEST_TEXTS])
    expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
  for (const { text, secrets } of DISGUISES) {
    expect(secrets.length, text).toBeGreaterThan(0);
    for (const secret of secrets) expect(text).toContain(secret);
  }
});

test("at least 99 % of the disguises are redacted", () => {
  const caught = DISGUISES.filter(({ text, secrets }) => {
    const shown = redact(text);
    return !secrets.some((secret) => shown.includes(secret));
  });
  printShare("Disguises caught", DISGUISES, caught);
  expect(caught.length / DISGUISES.length).toBeGreaterThanOrEqual(CAUGHT_AIM);
});

test("at most 2 % of the honest texts are changed", () => {
  const touched = HONEST_TEXTS.filter(({ text }) => redact(text) !== text);
  printShare("Honest texts touched", HONEST_TEXTS, touched);
  expect(touched.length / HONEST_TEXTS.length).toBeLessThanOrEqual(TOUCHED_AIM);
});
