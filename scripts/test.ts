/**
 * `npm test`: runs every check, quickest first. Ends with the line `N passed, N failed`. A failed step before
 * the tests counts as one failure. A step that is silent for five minutes is ended and fails.
 */
import { findOrInstallChromium } from "./chromium.ts";
import { type Outcome, runTests, show, summary } from "./test-run.ts";

const total: Outcome = { passed: 0, failed: 0, skipped: 0 };

async function check(name: string, work: () => Promise<number>): Promise<boolean> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const ok = (await work()) === 0;
  console.log(`${ok ? "✓" : "✗"} ${name}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (ok) total.passed += 1;
  else total.failed += 1;
  return ok;
}

await check("Format", () => show("oxfmt", ["--check", "."]));
await check("Lint and import boundaries", () => show("oxlint", ["--deny-warnings"]));
await check("Types", async () => (await show("react-router", ["typegen"])) || show("tsc", []));
const built = await check("Production build", () => show("react-router", ["build", "--logLevel", "warn"]));

let chromium = "";
const hasBrowser =
  built &&
  (await check("A browser for the browser tests", async () => {
    chromium = await findOrInstallChromium();
    console.log(chromium);
    return 0;
  }).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    total.failed += 1;
    return false;
  }));

const projects = ["unit", "workerd", ...(hasBrowser ? ["e2e"] : [])].flatMap((name) => ["--project", name]);
console.log("\n── Tests");
const tests = await runTests(projects, { CHROMIUM_PATH: chromium });
for (const key of ["passed", "failed", "skipped"] as const) total[key] += tests[key];

console.log(`\n${summary(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
