/** Before each file of tests inside workerd. */
import { applyD1Migrations } from "cloudflare:test";
import { afterEach, inject, vi } from "vitest";

import { beginWithCards } from "./cards.ts";
import { testEnv } from "./client.ts";
import { hashCheaply } from "./world.ts";

await applyD1Migrations(testEnv.DB, inject("migrations"));
beginWithCards();
hashCheaply();

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
