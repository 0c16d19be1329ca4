/** Before each file of tests inside workerd. */
import { applyD1Migrations, reset } from "cloudflare:test";
import { afterEach, inject, vi } from "vitest";

import { beginWithCards } from "./cards.ts";
import { testEnv } from "./client.ts";
import { hashCheaply } from "./world.ts";

/**
 * Log lines stay inside workerd unless `LOGS=1` asks for them. The pool holds back what an object writes until the
 * test itself sends something, but waits for it at the end of a file: an object's last line hung the whole run.
 */
if (!inject("showLogs")) {
  for (const method of ["debug", "log", "info", "warn", "error"] as const) console[method] = () => {};
}

// Files share a process, which halves their time: each begins with empty storage.
await reset();
await applyD1Migrations(testEnv.DB, inject("migrations"));
beginWithCards();
hashCheaply();

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
