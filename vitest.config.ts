import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const migrations = await readD1Migrations("migrations");

/** Bindings as deployed, except that leads may be handed over without a card. */
const miniflare = {
  bindings: {
    PAYMENTS: "direct",
    DEPLOYMENT: "test",
    // Tests ask the same thing many times; those about suspicious requests switch the checks on.
    DUPLICATE_DAYS: "0",
    REQUESTS_PER_ADDRESS: "0",
    FASTEST_FORM_SECONDS: "0",
    STRIPE_SECRET_KEY: "sk_test_naturestrip",
    STRIPE_WEBHOOK_SECRET: "whsec_naturestrip",
    STRIPE_PUBLISHABLE_KEY: "pk_test_naturestrip",
    BANK_DETAILS_KEYS: "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    // Answered by the stand-in of worker/testing; nothing listens there otherwise.
    STRIPE_API_HOST: "http://stripe.test",
  },
};

export default defineConfig({
  test: {
    // Tests inside workerd cannot read a cache from this machine's disk.
    fsModuleCache: false,
    silent: "passed-only",
    // By default one core is left to the tool itself; loading a Worker anew for each file keeps both busy.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          sequence: { groupOrder: 0 },
          include: [
            "contract/**/*.test.ts",
            "web/**/*.test.ts",
            "worker/**/*rules.test.ts",
            "worker/testing/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
        },
      },
      {
        // Packages without their sources make the tool warn about every one of their files.
        logLevel: "error",
        plugins: [
          cloudflareTest({
            main: "./worker/testing/main.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare,
          }),
        ],
        test: {
          name: "workerd",
          sequence: { groupOrder: 1 },
          include: ["worker/**/*.test.ts"],
          exclude: ["worker/**/*rules.test.ts", "worker/testing/**/*.test.ts"],
          setupFiles: ["./worker/testing/setup.ts"],
          provide: { migrations },
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          // After the others: browser and product together want both cores.
          sequence: { groupOrder: 2 },
          include: ["e2e/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Each file starts the whole product; two cores are enough for one at a time.
          fileParallelism: false,
        },
      },
    ],
  },
});

declare module "vitest" {
  interface ProvidedContext {
    migrations: typeof migrations;
  }
}
