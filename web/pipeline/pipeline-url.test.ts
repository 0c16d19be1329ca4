import { expect, test } from "vitest";

import { STAGES } from "../../contract/stages.ts";
import { filterQuery, hasActiveFilter, parsePipelineUrl } from "./pipeline-url.ts";

const read = (query: string) => parsePipelineUrl(new URLSearchParams(query));

test("a URL contains the tile, the filter, the order and the open lead", () => {
  expect(
    read("tab=called&q=+anna+&service=hedge_trimming&suburb=Manly&age=week&sort=oldest&lead=pur_1"),
  ).toEqual({
    view: "list",
    tile: { id: "called", label: "Called", stage: "called", emptyText: STAGES.called.emptyText },
    filter: {
      tile: "called",
      q: "anna",
      service: "hedge_trimming",
      suburb: "Manly",
      age: "week",
      sort: "oldest",
    },
    openId: "pur_1",
  });
  expect(read("tab=final").filter.tile).toBe("final");
});

test("ignores unknown values in a URL", () => {
  const place = read("tab=archived&view=calendar&age=decade&sort=price&q=");
  expect(place).toMatchObject({ view: "list", tile: null, openId: null });
  expect(filterQuery(place.filter)).toEqual({});
  expect(hasActiveFilter(place.filter)).toBe(false);
});

test("the board ignores the tile, and Today sorts by due date", () => {
  expect(read("view=board&tab=called")).toMatchObject({
    view: "board",
    tile: null,
    filter: { sort: "newest" },
  });
  expect(read("view=today")).toMatchObject({ view: "today", filter: { sort: "next" } });
});
