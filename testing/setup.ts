/** Runs before each test file inside workerd. */
import { afterAll, afterEach, inject, vi } from "vitest";

import { finishBackgroundWork } from "./background-work.ts";
import { useStripeStandIn } from "./cards.ts";
import { useRisingClock } from "./clock.ts";
import { renewStorage } from "./fresh-storage.ts";
import { useCheapHashes } from "./world.ts";

/**
 * Drop log lines unless `LOGS=1`. The pool buffers an object's output until the test itself sends something,
 * and waits for that output at the end of a file. An object's last line once hung the whole run.
 */
if (!inject("showLogs")) {
  for (const method of ["debug", "log", "info", "warn", "error"] as const) console[method] = () => {};
}

// The test run measured it in Node.
process.env.SLOWNESS = inject("slowness");

// Files share a process, which halves the run time.
await renewStorage();
useStripeStandIn();
useCheapHashes();
useRisingClock();

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

// Otherwise this work would write into the next file's storage.
afterAll(finishBackgroundWork);
