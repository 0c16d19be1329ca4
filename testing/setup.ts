/** Runs before each test file inside workerd. */
import { applyD1Migrations, reset } from "cloudflare:test";
import { afterEach, inject, vi } from "vitest";

import { useStripeStandIn } from "./cards.ts";
import { testEnv } from "./client.ts";
import { useCheapHashes } from "./world.ts";

/**
 * Drop log lines unless `LOGS=1`. The pool buffers an object's output until the test itself sends something,
 * and waits for that output at the end of a file. An object's last line once hung the whole run.
 */
if (!inject("showLogs")) {
  for (const method of ["debug", "log", "info", "warn", "error"] as const) console[method] = () => {};
}

// Files share a process, which halves the run time. So clear the storage before each file.
await reset();
await applyD1Migrations(testEnv.DB, inject("migrations"));
useStripeStandIn();
useCheapHashes();

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
