import { afterEach, expect, test, vi } from "vitest";

import type { Settled } from "./purchase-api.ts";
import { pollUntilDecided } from "./late-payment.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const OPEN = { status: "open" } as Settled;
const SOLD = { status: "sold" } as Settled;

/** Replaces `addEventListener`. @returns the listeners that are active */
function spyOnListeners() {
  const active = new Set<() => void>();
  vi.stubGlobal("addEventListener", (_: string, take: () => void, { signal }: { signal?: AbortSignal }) => {
    active.add(take);
    signal?.addEventListener("abort", () => active.delete(take));
  });
  return active;
}

test("polling a payment uses one listener and removes it at the end", async () => {
  vi.useFakeTimers();
  const active = spyOnListeners();
  let answer = OPEN;
  const end = pollUntilDecided("hold", () => Promise.resolve(answer));
  for (let polls = 0; polls < 5; polls++) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect(active.size).toBe(1);
  }
  answer = SOLD;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await end).toBe(SOLD);
  expect(active.size).toBe(0);
});

test("polls a payment as soon as the connection returns", async () => {
  vi.useFakeTimers();
  const active = spyOnListeners();
  let answer = OPEN;
  const end = pollUntilDecided("hold", () => Promise.resolve(answer));
  await vi.advanceTimersByTimeAsync(0);
  answer = SOLD;
  for (const online of active) online();
  expect(await end).toBe(SOLD);
});
