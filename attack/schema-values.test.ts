import * as fc from "fast-check";
import { expect, test } from "vitest";

import { API_ROUTES, bodyFor } from "../testing/routes/api.ts";
import { valuesOf } from "./schema-values.ts";

const withSchema = Object.entries(API_ROUTES).flatMap(([route, { schema }]) =>
  schema ? [[route, schema] as const] : [],
);

test.each(withSchema)("%s: the table's body fits the schema", (route, schema) => {
  expect(schema.safeParse(bodyFor(route)).error).toBeUndefined();
});

test("generated bodies use every field's schema, and many pass", () => {
  let passed = 0;
  for (const [route, schema] of withSchema) {
    const samples = fc.sample(valuesOf(schema), { seed: 7, numRuns: 20 });
    const fields = new Set(samples.flatMap((body) => Object.keys(body as object)));
    expect(fields.size, route).toBeGreaterThan(0);
    passed += samples.filter(
      (body) => schema.safeParse({ ...bodyFor(route), ...(body as object) }).success,
    ).length;
  }
  expect(passed / (20 * withSchema.length)).toBeGreaterThan(0.15);
});
