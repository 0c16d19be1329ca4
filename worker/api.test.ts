import { expect, test } from "vitest";

import { api } from "./api.ts";
import { guarded } from "./identity/access.ts";

test("every route declares who may call it", () => {
  const endpoints = new Map<string, boolean>();
  for (const { method, path, handler } of api.routes) {
    const key = `${method} ${path}`;
    endpoints.set(key, (endpoints.get(key) ?? false) || guarded.has(handler));
  }
  expect(endpoints.size).toBeGreaterThan(10);
  const unguarded = [...endpoints].filter(([, isGuarded]) => !isGuarded).map(([key]) => key);
  expect(unguarded).toEqual([]);
});
