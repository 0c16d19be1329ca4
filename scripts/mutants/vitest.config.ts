/** The quick unit tests, with a mistake in one of the sources they load. */
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

import { mistake } from "./mistake.ts";

export default defineConfig({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  plugins: [mistake],
  test: {
    include: ["worker/**/*.unit.test.ts", "web/market/*.test.ts"],
    // No part of market and money; one of them compares times, and would call anything a mistake on a busy machine.
    exclude: ["worker/redaction/**"],
    bail: 1,
    fsModuleCache: false,
  },
});
