import { expect, test } from "vitest";

import { createLazyPart } from "./lazy-part.ts";

const Part = () => null;

test("fetches a late part's code once for all callers", async () => {
  let loads = 0;
  const part = createLazyPart(() => {
    loads += 1;
    return Promise.resolve(Part);
  });
  let notifications = 0;
  const stop = part.subscribe(() => (notifications += 1));
  expect(part.read()).toBeNull();
  expect(await Promise.all([part.fetch(), part.fetch()])).toEqual([Part, Part]);
  stop();
  expect([await part.fetch(), part.read(), loads, notifications]).toEqual([Part, Part, 1, 1]);
});

test("the next call retries a failed fetch", async () => {
  const answers = [Promise.reject(new TypeError("offline")), Promise.resolve(Part)];
  const part = createLazyPart(() => answers.shift()!);
  await expect(part.fetch()).rejects.toThrow("offline");
  expect(part.read()).toBeNull();
  expect(await part.fetch()).toBe(Part);
});
