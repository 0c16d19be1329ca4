import { expect, test } from "vitest";

import { reconnectDelayMs } from "./live-socket.ts";

test("a window reconnects within half a second, or at its position in the spread", () => {
  expect(reconnectDelayMs(0, 1, 0)).toBe(500);
  expect(reconnectDelayMs(0, 0.25, 10_000)).toBe(2_500);
});

test("repeated failures increase the delay, which never drops below the spread", () => {
  expect(reconnectDelayMs(3, 1, 0)).toBe(4_000);
  expect(reconnectDelayMs(3, 1, 10_000)).toBe(10_000);
  expect(reconnectDelayMs(20, 1, 10_000)).toBe(30_000);
});
