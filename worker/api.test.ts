import { expect, test } from "vitest";

import { apiRoutes } from "../testing/facts.ts";

test("every route declares who may call it", () => {
  const endpoints = new Map<string, boolean>();
  for (const { method, path, isGuarded } of apiRoutes()) {
    const key = `${method} ${path}`;
    endpoints.set(key, (endpoints.get(key) ?? false) || isGuarded);
  }
  expect(endpoints.size).toBeGreaterThan(10);
  const unguarded = [...endpoints].filter(([, isGuarded]) => !isGuarded).map(([key]) => key);
  expect(unguarded).toEqual([]);
});
