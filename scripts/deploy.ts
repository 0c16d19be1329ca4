/**
 * `npm run deploy`: builds, migrates the remote database and deploys. `--dry-run` proves the
 * configuration and prints the bundle's size without an account; `--built` takes the build that is there.
 */
import { readFileSync } from "node:fs";

import { ROOT, run } from "./local.ts";

const args = process.argv.slice(2);
const isDryRun = args.includes("--dry-run");
const config =
  args.find((arg) => arg.startsWith("--config="))?.slice("--config=".length) ?? "build/server/wrangler.json";

/**
 * What the built configuration would deploy.
 * @throws Error when it would hand leads over without a card and nobody said that is meant
 */
function checkPayments(): void {
  const { vars } = JSON.parse(readFileSync(`${ROOT}${config}`, "utf8")) as { vars: { PAYMENTS: string } };
  if (vars.PAYMENTS !== "stripe" && !args.includes("--allow-direct")) {
    throw new Error(
      `PAYMENTS is "${vars.PAYMENTS}": leads would be handed over without a card. Set it to "stripe" in wrangler.toml, or add --allow-direct if you mean it.`,
    );
  }
}

try {
  if (!args.includes("--built")) await run("react-router", ["build"]);
  checkPayments();
  if (!isDryRun) console.log(await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote"]));
  const dryRun = isDryRun ? ["--dry-run"] : [];
  console.log(await run("wrangler", ["deploy", "--config", config, ...dryRun]));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
