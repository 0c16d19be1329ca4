import { createHash } from "node:crypto";

import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const migrations = await readD1Migrations("migrations");

/** How much of a market of a million requests query plans are looked at in. */
const marketPart = Number(process.env.MARKET_PART ?? 1 / 20);

/** How many rows operators' long jobs are carried out over; 5,000 of them take two minutes. */
const jobRows = Number(process.env.JOB_ROWS ?? 500);

const RUNTIME_STAND_IN = new URL("./testing/simulation/cloudflare-workers.ts", import.meta.url).pathname;

/** Bindings as deployed, except that leads may be handed over without a card. */
const miniflare = {
  bindings: {
    PAYMENTS: "direct",
    DEPLOYMENT: "test",
    // Tests about passkeys demand them.
    ADMIN_PASSKEYS: "optional",
    // Tests ask the same thing many times; those about suspicious requests switch the checks on.
    DUPLICATE_DAYS: "0",
    REQUESTS_PER_ADDRESS: "0",
    FASTEST_FORM_SECONDS: "0",
    // Tests about what happens at night begin it themselves.
    NIGHTLY_AT: "",
    SUSPICION_POINTS: "0",
    // Tests about new providers set the share themselves.
    NEWCOMER_SHARE_PERCENT: "100",
    STRIPE_SECRET_KEY: "sk_test_naturestrip",
    STRIPE_WEBHOOK_SECRET: "whsec_naturestrip",
    STRIPE_PUBLISHABLE_KEY: "pk_test_naturestrip",
    BANK_DETAILS_KEYS: "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    // Answered by the stand-in of testing/stand-ins; nothing listens there otherwise.
    STRIPE_API_HOST: "http://stripe.test",
    // `npm start` writes these into .dev.vars, which is read here as well: tests begin without them.
    ORIGIN_HASH_KEY: "",
    PUSH_KEYS: "",
  },
};

/** Tests of the Worker's code that need no Workers runtime. */
const WITHOUT_RUNTIME = "worker/**/*.unit.test.ts";

/** Browser tests that measure how long something takes: nothing else runs meanwhile. */
const MEASURING = ["e2e/pipeline.test.ts"];

/** Operators' drills run the whole product, beside the scripts they try. */
const DRILLS = "scripts/drills/*.test.ts";

const isDrill = ({ moduleId }: TestSpecification) => moduleId.includes("/scripts/drills/");

/** Files by a seed and by nothing else. */
function shuffled(files: readonly TestSpecification[], seed: number): TestSpecification[] {
  const placeOf = ({ project, moduleId }: TestSpecification) =>
    createHash("sha256").update(`${seed} ${project.name} ${moduleId}`).digest("hex");
  return files.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

/**
 * Drills first among their kind: they take minutes, though their files are short, and short files come last by
 * themselves; then one core would wait for them at the end. With `--sequence.shuffle` files are shuffled as well,
 * which the tool leaves to a sequencer of one's own: those that share a process must not care who came before.
 */
class DrillsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    // oxlint-disable-next-line unicorn/no-array-sort -- the tool's own order, not an array's
    const sorted = shuffle ? shuffled(files, seed) : await super.sort(files);
    return [...sorted.filter(isDrill), ...sorted.filter((file) => !isDrill(file))];
  }
}

/** What the Worker and its tests import: in one piece each, since workerd asks for every module of every file. */
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

const inBrowsers = {
  globalSetup: ["./testing/product/empty-world.ts"],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A browser and its Worker share a machine with others: as patient as `eventually`.
  expect: { poll: { timeout: 10_000 } },
};

export default defineConfig({
  test: {
    // Tests inside workerd cannot read a cache from this machine's disk.
    fsModuleCache: false,
    silent: "passed-only",
    // By default one core is left to the tool itself.
    maxWorkers: "100%",
    sequence: { sequencer: DrillsFirst },
    projects: [
      {
        // Simulated worlds run the Worker's code in Node: what stands in for its runtime answers to its name.
        resolve: { alias: { "cloudflare:workers": RUNTIME_STAND_IN } },
        test: {
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
          // Most take milliseconds; a machine that does other things may give them a fifth of itself.
          testTimeout: 30_000,
          exclude: [DRILLS],
          // Rules and texts leave nothing behind in a module: files share a process, which halves their time.
          isolate: false,
        },
      },
      {
        // Packages without their sources make the tool warn about every one of their files.
        logLevel: "error",
        plugins: [
          cloudflareTest({
            main: "./testing/main.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare,
          }),
        ],
        test: {
          name: "workerd",
          deps: { optimizer: { ssr: { enabled: true, include: PACKAGES } } },
          sequence: { groupOrder: 1 },
          include: ["worker/**/*.test.ts"],
          exclude: [WITHOUT_RUNTIME],
          setupFiles: ["./testing/setup.ts"],
          isolate: false,
          provide: { migrations, marketPart, jobRows, showLogs: process.env.LOGS === "1" },
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...inBrowsers,
          name: "e2e",
          // After the others: browsers and products want both cores.
          sequence: { groupOrder: 2 },
          include: ["e2e/**/*.test.ts", DRILLS],
          exclude: MEASURING,
          // Each file starts the whole product and a browser; while one waits, the others work.
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...inBrowsers,
          name: "e2e-alone",
          sequence: { groupOrder: 3 },
          include: MEASURING,
          fileParallelism: false,
        },
      },
    ],
  },
});

declare module "vitest" {
  interface ProvidedContext {
    migrations: typeof migrations;
    marketPart: number;
    jobRows: number;
    showLogs: boolean;
  }
}
