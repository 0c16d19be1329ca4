/**
 * How long tests and tools wait before they give up. A limit ends what hangs. It says nothing about speed, so each one is
 * generous, and grows with a factor that the test run measures once at its start.
 */
import { createHash } from "node:crypto";
import { availableParallelism, loadavg } from "node:os";

import { MINUTE_MS } from "../contract/durations.ts";

/** The environment variable with the factor. Set it to skip the measurement. */
const VARIABLE = "SLOWNESS";

/** Time of one `work()` on a quiet machine like those in docs/quality.md. */
const QUIET_MS = 150;

function work(): void {
  const block = Buffer.alloc(1024 * 1024);
  for (let i = 0; i < 150; i++) createHash("sha256").update(block).digest();
}

/** Returns how much slower this machine is now than a quiet one, at least 1. */
function measureSlowness(): number {
  const started = performance.now();
  work();
  const factor = Math.max((performance.now() - started) / QUIET_MS, loadavg()[0]! / availableParallelism());
  return Math.round(Math.max(1, factor) * 10) / 10;
}

/** Returns the factor of this run. The first call measures it and passes it on to child processes. */
export function slowness(): number {
  process.env[VARIABLE] ??= String(measureSlowness());
  return Number(process.env[VARIABLE]);
}

/** Limit of a test or hook. Some long tests take minutes on any machine. */
export const testLimitMs = () => (process.env.LONG_TESTS === "1" ? 40 : 4) * MINUTE_MS * slowness();

/** Limit of waiting for one condition, such as the effect of a response. */
export const waitLimitMs = () => MINUTE_MS * slowness();
