import { PIPELINE_AGES, PIPELINE_SORTS } from "../../contract/pipeline.ts";
import type { PipelineFilter } from "../../contract/pipeline-queries.ts";
import { PIPELINE_TILES, type PipelineTile } from "../../contract/stages.ts";

export type ViewName = "list" | "board" | "today";

/** The user's position on the dashboard, as in the URL. */
export type PipelineUrlState = {
  view: ViewName;
  /** The selected tile; null for the leads for sale and in other views. */
  tile: PipelineTile | null;
  filter: PipelineFilter;
  /** The purchase whose details are open. */
  openId: string | null;
};

function parseOption<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}

/** Reads a position from a URL. It ignores unknown values, so old bookmarks work. */
export function parsePipelineUrl(params: URLSearchParams): PipelineUrlState {
  const view = parseOption(["board", "today"] as const, params.get("view")) ?? "list";
  const tile = view === "list" ? PIPELINE_TILES.find(({ id }) => id === params.get("tab")) : undefined;
  const text = (name: string) => params.get(name)?.trim().slice(0, 100) || undefined;
  return {
    view,
    tile: tile ?? null,
    filter: {
      tile: tile ? (tile.stage ?? "final") : undefined,
      q: text("q"),
      service: text("service")?.slice(0, 40),
      suburb: text("suburb"),
      age: parseOption(PIPELINE_AGES, params.get("age")),
      mine: parseOption(["yes"] as const, params.get("mine")),
      sort: parseOption(PIPELINE_SORTS, params.get("sort")) ?? (view === "today" ? "next" : "newest"),
    },
    openId: params.get("lead"),
  };
}

/** Returns whether any filter other than the tile narrows the list. */
export function hasActiveFilter({ q, service, suburb, age, mine }: PipelineFilter): boolean {
  return Boolean(q || service || suburb || age || mine);
}

/** Returns the filter as an API query, without empty values. */
export function filterQuery({ sort, ...filter }: PipelineFilter): Record<string, string> {
  const set = Object.entries({ ...filter, sort: sort === "newest" ? undefined : sort });
  return Object.fromEntries(set.filter((entry): entry is [string, string] => Boolean(entry[1])));
}
