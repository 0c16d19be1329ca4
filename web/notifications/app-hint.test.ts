import { expect, test } from "vitest";

import { hintWords } from "./app-hint.tsx";

test("the hint promises alerts only if this browser can receive them", () => {
  expect(hintWords("ask", "now")).toContain("as soon as someone asks");
  expect(hintWords("by_hand", "from_home_screen")).toContain("then your phone can ring");
  for (const way of ["ask", "by_hand"] as const)
    expect(hintWords(way, "no")).not.toMatch(/ring|let you know|someone asks/);
  expect(hintWords("ask", "no")).not.toContain("home screen");
});
