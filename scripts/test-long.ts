/**
 * `npm run test:long`: builds, and runs every test that is too slow for `npm test`. Prints the duration of
 * each part. `--only=NAME` runs one part; docs/quality.md lists them. A failed part does not stop the others.
 */
import { MINUTE_MS } from "../contract/durations.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { main, readArguments } from "./command.ts";
import { PART_NAMES, type PartName, PARTS } from "./long-parts.ts";
import { runTests, show } from "./test-run.ts";

/** Scripts print only at the end, so silence does not mean that they hang. The workflow limits their time. */
const UNWATCHED = { pulse: () => performance.now(), describeWaiting: () => "" };

/** @throws Error if there is no such part */
function chosenParts(only: string | null): readonly PartName[] {
  if (only === null) return PART_NAMES;
  const chosen = PART_NAMES.filter((name) => name === only);
  if (chosen.length === 0)
    throw new Error(`There is no part "${only}". Choose one of ${PART_NAMES.join(", ")}.`);
  return chosen;
}

/** Runs a part and shows its output. @returns whether it passed */
async function passes(name: PartName, chromium: string): Promise<boolean> {
  const part = PARTS[name];
  const env = { CHROMIUM_PATH: chromium, ...("env" in part && part.env) };
  if ("vitest" in part) return (await runTests([...part.vitest], env)).failed === 0;
  const args = ["--disable-warning=ExperimentalWarning", ...part.script];
  return (await show("node", args, env, UNWATCHED)) === 0;
}

await main(async () => {
  const args = readArguments({ name: "test:long", options: { only: "text" } });
  const names = chosenParts(args.option("only"));
  if ((await show("react-router", ["build", "--logLevel", "warn"])) !== 0)
    throw new Error("The build failed.");
  const chromium = await findOrInstallChromium();
  const lines: string[] = [];
  for (const name of names) {
    console.log(`\n── ${name}`);
    const started = performance.now();
    const hasPassed = await passes(name, chromium);
    if (!hasPassed) process.exitCode = 1;
    const minutes = ((performance.now() - started) / MINUTE_MS).toFixed(1);
    lines.push(`${hasPassed ? "✓" : "✗"} ${name.padEnd(14)}${minutes.padStart(6)} min`);
  }
  console.log(`\n${lines.join("\n")}`);
});
