/** The quick unit tests, with one mutated source. */
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

import { mistake } from "./mistake.ts";

export default defineConfig({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  plugins: [mistake],
  test: {
    // Market and money only: other tests measure time and would fail on a busy machine.
    include: [
      "worker/{exchange,leads,operations/market-figures,messages,selling/payments}/**/*.unit.test.ts",
      "web/market/*.test.ts",
    ],
    fsModuleCache: false,
  },
});
