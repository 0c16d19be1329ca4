/** The unit tests of the pure rules, for Stryker (scripts/stryker.json). */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // A busy machine takes seconds for the schedules of random commands.
    testTimeout: 60_000,
    include: [
      "contract/call-clock.test.ts",
      "worker/exchange/*rules.unit.test.ts",
      "worker/customer/calls/rules.unit.test.ts",
      "worker/pipeline/guarantee/rules.unit.test.ts",
    ],
  },
});
