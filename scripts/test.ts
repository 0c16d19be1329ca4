/**
 * `npm test`: everything that proves correctness, in the order in which it fails soonest. Ends with the
 * line `N passed, N failed`; a failed step before the tests counts as one failure.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findOrInstallChromium } from "./chromium.ts";
import { ROOT, TOOLS_ENV } from "../testing/tools.ts";

/** Runs a command with its output shown. Returns its exit code. */
function show(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(`${ROOT}node_modules/.bin/${command}`, args, {
      cwd: ROOT,
      env: { ...process.env, ...TOOLS_ENV, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number; success: boolean };

let passed = 0;
let failed = 0;

async function check(name: string, work: () => Promise<number>): Promise<boolean> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const ok = (await work()) === 0;
  console.log(`${ok ? "✓" : "✗"} ${name}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (ok) passed += 1;
  else failed += 1;
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
    failed += 1;
    return false;
  }));

const folder = mkdtempSync(join(tmpdir(), "naturestrip-test-"));
const outputFile = join(folder, "report.json");
const projects = ["unit", "workerd", ...(hasBrowser ? ["e2e", "e2e-alone"] : [])].flatMap((name) => [
  "--project",
  name,
]);
console.log("\n── Tests");
const code = await show(
  "vitest",
  ["run", ...projects, "--reporter=default", "--reporter=json", `--outputFile.json=${outputFile}`],
  { CHROMIUM_PATH: chromium },
);
let skipped = 0;
try {
  const report = JSON.parse(readFileSync(outputFile, "utf8")) as Report;
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  skipped = report.numPendingTests;
  if (code !== 0 && report.numFailedTests === 0) failed += 1; // an error outside any test
} catch {
  failed += 1; // the runner ended without a report
}
rmSync(folder, { recursive: true, force: true });

console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;
