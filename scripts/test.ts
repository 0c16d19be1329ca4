/**
 * `npm test`: runs every check. Ends with the line `N passed, N failed`. A failed step beside the tests counts as
 * one failure. A step that is silent for five minutes is ended and fails.
 */
import { findOrInstallChromium } from "./chromium.ts";
import { type Outcome, runTests, show, summary } from "./test-run.ts";

const total: Outcome = { passed: 0, failed: 0, skipped: 0 };

type Run = (command: string, args: string[]) => Promise<number>;

/** Runs a step beside others, so it prints its output when it ends. */
async function check(name: string, work: (run: Run) => Promise<number>): Promise<boolean> {
  const started = performance.now();
  let output = "";
  const run: Run = (command, args) => show(command, args, {}, undefined, (text) => (output += text));
  const ok = (await work(run)) === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\n── ${name}\n${output}${ok ? "✓" : "✗"} ${name}, ${seconds} s`);
  if (ok) total.passed += 1;
  else total.failed += 1;
  return ok;
}

async function checkSource(): Promise<void> {
  await check("Format", (run) => run("oxfmt", ["--check", "."]));
  await check("Lint and import boundaries", (run) => run("oxlint", ["--deny-warnings"]));
  await check("Types", async (run) => (await run("react-router", ["typegen"])) || run("tsc", []));
}

/** Returns the path of a browser for the browser tests; null if there is none. */
async function findBrowser(): Promise<string | null> {
  try {
    const chromium = await findOrInstallChromium();
    console.log(`\n✓ A browser for the browser tests: ${chromium}`);
    total.passed += 1;
    return chromium;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    total.failed += 1;
    return null;
  }
}

// The tests need the build. They do not need the other checks, so those run beside the build and the tests.
const source = checkSource();
const isBuilt = await check("Production build", (run) =>
  run("react-router", ["build", "--logLevel", "warn"]),
);
const chromium = isBuilt ? await findBrowser() : null;

const projects = ["unit", "workerd", ...(chromium ? ["e2e"] : [])].flatMap((name) => ["--project", name]);
console.log("\n── Tests");
const tests = await runTests(projects, { CHROMIUM_PATH: chromium ?? "" });
await source;
for (const key of ["passed", "failed", "skipped"] as const) total[key] += tests[key];

console.log(`\n${summary(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
