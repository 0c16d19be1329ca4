import { expect, test } from "vitest";

import { getHintText } from "./app-hint.tsx";

test("the hint promises alerts only if this browser can receive them", () => {
  expect(getHintText("ask", "now")).toContain("as soon as someone asks");
  expect(getHintText("by_hand", "from_home_screen")).toContain("Then you can get alerts");
  for (const way of ["ask", "by_hand"] as const)
    expect(getHintText(way, "no")).not.toMatch(/ring|let you know|someone asks/);
  expect(getHintText("ask", "no")).not.toContain("home screen");
});
