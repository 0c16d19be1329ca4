import { expect, test } from "vitest";

import { knownStage, PIPELINE_TILES, SALES_STAGES, type StageFacts, STAGES } from "./stages.ts";

const tile = { id: "visit", label: "Visit" };
const visit = { label: "Site visit", tile, empty: "No visits.", stamp: "visitedAt", isWon: false };

/** Each marked line must not compile. */
export const INCOMPLETE: Record<string, Record<string, StageFacts>> = {
  nothing: { visit },
  // @ts-expect-error -- a stage without a label
  label: { visit: { tile, empty: "No visits.", stamp: "visitedAt", isWon: false } },
  // @ts-expect-error -- a stage without a tile
  tile: { visit: { label: "Site visit", empty: "No visits.", stamp: "visitedAt", isWon: false } },
  // @ts-expect-error -- a stage without text for its empty tile
  empty: { visit: { label: "Site visit", tile, stamp: "visitedAt", isWon: false } },
  // @ts-expect-error -- a stage without a stamp
  stamp: { visit: { label: "Site visit", tile, empty: "No visits.", isWon: false } },
  // @ts-expect-error -- a stage without isWon
  figures: { visit: { label: "Site visit", tile, empty: "No visits.", stamp: "visitedAt" } },
};

test("every stage has its own tile, and one tile shows closed purchases", () => {
  const shown = PIPELINE_TILES.map(({ stage }) => stage);
  expect(shown.filter((stage) => stage !== null).toSorted()).toEqual(SALES_STAGES.toSorted());
  expect(shown.filter((stage) => stage === null)).toHaveLength(1);
  const ids = PIPELINE_TILES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no two stages store their time in the same field", () => {
  const stamps = SALES_STAGES.map((stage) => STAGES[stage].stamp).filter((stamp) => stamp !== null);
  expect(new Set(stamps).size).toBe(stamps.length);
});

test("an unknown stage is shown as an accepted lead", () => {
  for (const stored of ["stage_of_tomorrow", "finalised", "toString", "__proto__", ""])
    expect(knownStage(stored)).toBe("accepted_lead");
  expect(knownStage("invoice_paid")).toBe("invoice_paid");
});
