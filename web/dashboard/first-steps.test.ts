import { expect, test } from "vitest";

import { firstSteps, type SetUp } from "./first-steps.ts";

const NEW: SetUp = {
  takesCards: true,
  regions: 0,
  services: 0,
  cards: 0,
  devices: 0,
  obstacle: null,
  mates: 0,
};
const idsOf = (setUp: SetUp) => firstSteps(setUp)?.map(({ id }) => id);
const doneOf = (setUp: SetUp) =>
  firstSteps(setUp)
    ?.filter(({ isDone }) => isDone)
    .map(({ id }) => id);

test("a new business has five setup steps, each completed separately", () => {
  expect(idsOf(NEW)).toEqual(["regions", "services", "notifications", "card", "team"]);
  expect(doneOf(NEW)).toEqual([]);
  expect(doneOf({ ...NEW, regions: 2 })).toEqual(["regions"]);
  expect(doneOf({ ...NEW, services: 1 })).toEqual(["services"]);
  expect(doneOf({ ...NEW, devices: 1 })).toEqual(["notifications"]);
  expect(doneOf({ ...NEW, cards: 1 })).toEqual(["card"]);
  expect(doneOf({ ...NEW, mates: 1 })).toEqual(["team"]);
});

const stepWith = (obstacle: SetUp["obstacle"]) =>
  firstSteps({ ...NEW, obstacle })?.find(({ id }) => id === "notifications");

test("one tap turns on notifications, unless the browser needs something first", () => {
  expect(stepWith(null)?.href).toBeNull();
  expect(stepWith("denied")?.href).toBe("/settings?tab=alerts");
  expect(stepWith("home_screen")?.href).toBe("/settings?tab=alerts");
  expect(stepWith("home_screen")?.why).toContain("Add Naturestrip to your home screen first");
});

test("omits unavailable steps, and returns null while settings load", () => {
  expect(idsOf({ ...NEW, takesCards: false, cards: undefined, devices: null })).toEqual([
    "regions",
    "services",
    "team",
  ]);
  expect(firstSteps({ ...NEW, cards: undefined })).toBeNull();
  expect(firstSteps({ ...NEW, devices: undefined })).toBeNull();
  expect(firstSteps({ ...NEW, mates: undefined })).toBeNull();
});
