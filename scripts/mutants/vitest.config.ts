/** The quick unit tests, with a mistake in one of the sources they load. */
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

import { mistake } from "./mistake.ts";

export default defineConfig({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  plugins: [mistake],
  test: {
    // Rooms of market and money only: others compare times, and would call anything a mistake on a busy machine.
    include: [
      "worker/{exchange,leads,operations/market-figures,messages,selling/payments}/**/*.unit.test.ts",
      "web/market/*.test.ts",
    ],
    fsModuleCache: false,
  },
});
