import { expect, test } from "vitest";

import { createLazyPart } from "./lazy-part.ts";

const Part = () => null;

test("fetches a late part's code once for all callers", async () => {
  let loads = 0;
  const part = createLazyPart(() => {
    loads += 1;
    return Promise.resolve(Part);
  });
  expect(part.component).toBeNull();
  expect(await Promise.all([part.fetch(), part.fetch()])).toEqual([Part, Part]);
  expect([await part.fetch(), part.component, loads]).toEqual([Part, Part, 1]);
});

test("the next call retries a failed fetch", async () => {
  const answers = [Promise.reject(new TypeError("offline")), Promise.resolve(Part)];
  const part = createLazyPart(() => answers.shift()!);
  await expect(part.fetch()).rejects.toThrow("offline");
  expect(part.component).toBeNull();
  expect(await part.fetch()).toBe(Part);
});
