import { expect, test } from "vitest";

import { parseStage, PIPELINE_TILES, SALES_STAGES, STAGES } from "./stages.ts";

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
