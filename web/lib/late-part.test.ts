import { expect, test } from "vitest";

import { latePart } from "./late-part.ts";

const Part = () => null;

test("the code of a late part is fetched once, and resolves for every caller that waits", async () => {
  let loads = 0;
  const part = latePart(() => {
    loads += 1;
    return Promise.resolve(Part);
  });
  let told = 0;
  const stop = part.subscribe(() => (told += 1));
  expect(part.component).toBeNull();
  expect(await Promise.all([part.fetch(), part.fetch()])).toEqual([Part, Part]);
  stop();
  expect([await part.fetch(), part.component, loads, told]).toEqual([Part, Part, 1, 1]);
});

test("code that did not come is asked for anew the next time", async () => {
  const answers = [Promise.reject(new TypeError("offline")), Promise.resolve(Part)];
  const part = latePart(() => answers.shift()!);
  await expect(part.fetch()).rejects.toThrow("offline");
  expect(part.component).toBeNull();
  expect(await part.fetch()).toBe(Part);
});
