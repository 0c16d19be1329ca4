import { expect, test } from "vitest";

import { isKnown } from "./registry.ts";

const modules = Object.values(
  import.meta.glob<Record<string, unknown>>("../**/messages.ts", { eager: true }),
);

const isMessage = (value: unknown): value is { name: string } =>
  typeof value === "object" && value !== null && "name" in value && "lifetimeMs" in value;

test("the registry knows each message of the features, or it would fail when it is sent", () => {
  const names = modules
    .flatMap((module) => Object.values(module))
    .filter(isMessage)
    .map(({ name }) => name);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
});
