import { expect, test } from "vitest";

import { parseStage, PIPELINE_TILES, SALES_STAGES, type StageFacts, STAGES } from "./stages.ts";

const tile = { id: "visit", label: "Visit" };
const visit = {
  label: "Site visit",
  tile,
  emptyText: "No visits.",
  timestampColumn: "visitedAt",
  isWon: false,
};

/** Each marked line must not compile. */
export const INCOMPLETE: Record<string, Record<string, StageFacts>> = {
  nothing: { visit },
  // @ts-expect-error -- a stage without a label
  label: { visit: { tile, emptyText: "No visits.", timestampColumn: "visitedAt", isWon: false } },
  tile: {
    // @ts-expect-error -- a stage without a tile
    visit: { label: "Site visit", emptyText: "No visits.", timestampColumn: "visitedAt", isWon: false },
  },
  // @ts-expect-error -- a stage without text for its empty tile
  emptyText: { visit: { label: "Site visit", tile, timestampColumn: "visitedAt", isWon: false } },
  // @ts-expect-error -- a stage without a timestamp column
  timestampColumn: { visit: { label: "Site visit", tile, emptyText: "No visits.", isWon: false } },
  // @ts-expect-error -- a stage without isWon
  figures: { visit: { label: "Site visit", tile, emptyText: "No visits.", timestampColumn: "visitedAt" } },
};

test("every stage has its own tile, and one tile shows closed purchases", () => {
  const shown = PIPELINE_TILES.map(({ stage }) => stage);
  expect(shown.filter((stage) => stage !== null).toSorted()).toEqual(SALES_STAGES.toSorted());
  expect(shown.filter((stage) => stage === null)).toHaveLength(1);
  const ids = PIPELINE_TILES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("no two stages store their time in the same field", () => {
  const stamps = SALES_STAGES.map((stage) => STAGES[stage].timestampColumn).filter(
    (column) => column !== null,
  );
  expect(new Set(stamps).size).toBe(stamps.length);
});

test("an unknown stage is shown as an accepted lead", () => {
  for (const stored of ["stage_of_tomorrow", "finalised", "toString", "__proto__", ""])
    expect(parseStage(stored)).toBe("accepted_lead");
  expect(parseStage("invoice_paid")).toBe("invoice_paid");
});
