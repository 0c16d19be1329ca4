/** Query strings of the pipeline. Kept out of pipeline.ts so that the dashboard's initial bundle does not include the schemas. */
import * as z from "zod/mini";

import { PIPELINE_AGES, PIPELINE_SORTS, PIPELINE_TILE_KEYS } from "./pipeline.ts";

const text = (max: number) => z.optional(z.string().check(z.trim(), z.maxLength(max)));

/** The filter in a query string. Unknown values are refused. */
export const pipelineFilterSchema = z.object({
  tile: z.optional(z.enum(PIPELINE_TILE_KEYS, "Unknown tile")),
  q: text(100),
  service: text(40),
  suburb: text(100),
  age: z.optional(z.enum(PIPELINE_AGES, "Unknown age")),
  /** Only purchases assigned to the caller. */
  mine: z.optional(z.enum(["yes"], "Unknown filter")),
  sort: z._default(z.enum(PIPELINE_SORTS, "Unknown order"), "newest"),
});
export type PipelineFilter = z.infer<typeof pipelineFilterSchema>;

/** Query of GET /api/pipeline. */
export const pipelinePageSchema = z.extend(pipelineFilterSchema, {
  limit: z._default(
    z.coerce.number("A number from 1 to 500").check(z.int(), z.minimum(1), z.maximum(500)),
    50,
  ),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});

/** Query of GET /api/pipeline/changes. */
export const pipelineChangesSchema = z.object({
  /** Epoch ms. Returns purchases that changed at or after this time. */
  since: z._default(z.coerce.number("A time in milliseconds").check(z.int(), z.minimum(0)), 0),
  cursor: z.optional(z.string().check(z.maxLength(200))),
});
