import { createHash } from "node:crypto";

import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

import { markdown } from "./scripts/markdown-plugin.ts";
import { slowness, testLimitMs, waitLimitMs } from "./testing/patience.ts";

const migrations = await readD1Migrations("migrations");

/** The fraction of a million-request market against which query plans are tested. */
const marketPart = Number(process.env.MARKET_PART ?? 1 / 20);

const RUNTIME_STAND_IN = new URL("./testing/simulation/cloudflare-workers.ts", import.meta.url).pathname;

/** Bindings as deployed, except that leads may be sold without a card. */
const miniflare = {
  bindings: {
    PAYMENTS: "direct",
    DEPLOYMENT: "test",
    // Tests about passkeys set this to "required".
    ADMIN_PASSKEYS: "optional",
    // Tests send nothing to other companies.
    PWNED_PASSWORDS: "off",
    // `npm start` writes "on" into .dev.vars.
    SAMPLE_CLAIMS: "off",
    // Tests repeat the same request. Those about suspicious requests enable the checks.
    DUPLICATE_DAYS: "0",
    REQUESTS_PER_ADDRESS: "0",
    FASTEST_FORM_SECONDS: "0",
    // Tests of the nightly run start it themselves.
    NIGHTLY_AT: "",
    SUSPICION_POINTS: "0",
    // Tests about new providers set the share themselves.
    NEWCOMER_SHARE_PERCENT: "100",
    STRIPE_SECRET_KEY: "sk_test_naturestrip",
    STRIPE_WEBHOOK_SECRET: "whsec_naturestrip",
    STRIPE_PUBLISHABLE_KEY: "pk_test_naturestrip",
    BANK_DETAILS_KEYS: "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    // The stand-in in testing/stand-ins handles requests to this host. Otherwise nothing listens there.
    STRIPE_API_HOST: "http://stripe.test",
    // `npm start` writes these into .dev.vars, which Vitest also reads: clear them for tests.
    ORIGIN_HASH_KEY: "",
    PUSH_KEYS: "",
  },
};

/** Tests of the Worker's code that do not need the Workers runtime. */
const WITHOUT_RUNTIME = "worker/**/*.unit.test.ts";

/** Operators' drills run the whole product, so they are stored next to the scripts they test. */
const DRILLS = "scripts/drills/*.test.ts";

const isDrill = ({ moduleId }: TestSpecification) => moduleId.includes("/scripts/drills/");

/** Orders files at random, by the seed alone. */
function shuffled(files: readonly TestSpecification[], seed: string): TestSpecification[] {
  const placeOf = ({ project, moduleId }: TestSpecification) =>
    createHash("sha256").update(`${seed} ${project.name} ${moduleId}`).digest("hex");
  return files.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/**
 * Runs the drills first in their group. They take minutes, but the default order puts their short files last, where one
 * core would wait for them. FILE_ORDER, a seed, orders the others at random. Vitest's own option would shuffle the tests
 * of a file too. Files that share a process must pass in any order.
 */
class DrillsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seed = process.env.FILE_ORDER;
    // oxlint-disable-next-line unicorn/no-array-sort -- the tool's own order, not an array's
    const sorted = seed ? shuffled(files, seed) : await super.sort(files);
    return [...sorted.filter(isDrill), ...sorted.filter((file) => !isDrill(file))];
  }
}

/** Dependencies of the Worker and its tests. Each is bundled, since workerd requests every module of every file. */
const PACKAGES = [
  "@block65/webcrypto-web-push",
  "@simplewebauthn/server",
  "@simplewebauthn/server/helpers",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "hono",
  "isbot",
  "libphonenumber-js/min",
  "stripe",
  "tlds",
  "zod/mini",
];

/** Limits of every project. Tests set none of their own (scripts/limits.test.ts). */
const limits = {
  testTimeout: testLimitMs(),
  hookTimeout: testLimitMs(),
  expect: { poll: { timeout: waitLimitMs() } },
};

const inBrowsers = {
  ...limits,
  globalSetup: ["./testing/product/empty-world.ts"],
  // A busy machine's Chromium sometimes crashes, which says nothing about the product. Any other failure is a fault.
  retry: { count: 1, condition: /^The browser crashed$/ },
};

export default defineConfig({
  test: {
    // Tests inside workerd cannot read a cache from this machine's disk.
    fsModuleCache: false,
    silent: "passed-only",
    // By default Vitest leaves one core free for itself.
    maxWorkers: "100%",
    sequence: { sequencer: DrillsFirst },
    projects: [
      {
        // Simulated worlds run the Worker's code in Node, with a stand-in for the Workers runtime.
        resolve: { alias: { "cloudflare:workers": RUNTIME_STAND_IN } },
        plugins: [markdown()],
        test: {
          ...limits,
          name: "unit",
          sequence: { groupOrder: 0 },
          include: [
            "contract/**/*.test.ts",
            "web/**/*.test.ts",
            WITHOUT_RUNTIME,
            "testing/**/*.test.ts",
            "scripts/**/*.test.ts",
            "attack/**/*.test.ts",
          ],
          exclude: [DRILLS],
          // Rules and texts keep no state in modules. Files share a process, which halves their time.
          isolate: false,
        },
      },
      {
        // Vitest warns about every file of packages without sources.
        logLevel: "error",
        plugins: [
          cloudflareTest({
            main: "./testing/main.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare,
          }),
        ],
        test: {
          ...limits,
          name: "workerd",
          deps: { optimizer: { ssr: { enabled: true, include: PACKAGES } } },
          sequence: { groupOrder: 1 },
          include: ["worker/**/*.test.ts"],
          exclude: [WITHOUT_RUNTIME],
          setupFiles: ["./testing/setup.ts"],
          isolate: false,
          provide: {
            migrations,
            marketPart,
            slowness: String(slowness()),
            showLogs: process.env.LOGS === "1",
          },
        },
      },
      {
        test: {
          ...inBrowsers,
          name: "e2e",
          // Run after the others, since browsers and products need both cores.
          sequence: { groupOrder: 2 },
          include: ["e2e/**/*.test.ts", DRILLS],
          // Files share a process, with its modules, its browser and, unless they need their own, its product.
          isolate: false,
        },
      },
    ],
  },
});

declare module "vitest" {
  interface ProvidedContext {
    migrations: typeof migrations;
    marketPart: number;
    slowness: string;
    showLogs: boolean;
  }
}
