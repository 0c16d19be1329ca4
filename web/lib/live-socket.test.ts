import { expect, test } from "vitest";

import { reconnectDelayMs } from "./live-socket.ts";

test("a lone window is back within half a second; one of thousands takes its part of their time", () => {
  expect(reconnectDelayMs(0, 1, 0)).toBe(500);
  expect(reconnectDelayMs(0, 0.25, 10_000)).toBe(2_500);
});

test("who fails again waits longer, but never less than all the others take", () => {
  expect(reconnectDelayMs(3, 1, 0)).toBe(4_000);
  expect(reconnectDelayMs(3, 1, 10_000)).toBe(10_000);
  expect(reconnectDelayMs(20, 1, 10_000)).toBe(30_000);
});
