/**
 * `npm run deploy`: builds, checks the preconditions, saves D1's bookmark and migrates the remote database.
 * Then it deploys the code, tagged with its commit, and checks the site's health.
 *
 * `--dry-run` needs no account: it validates the configuration and ends with a checklist of what is missing.
 * `--built` uses the existing build.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import {
  type AccountFacts,
  bucketsOf,
  type DeployConfig,
  deployChecks,
  formatChecklist,
  isMissing,
  queuesOf,
  zonesOf,
} from "./deploy-rules.ts";
import { release } from "./deploy-release.ts";
import { confirmProduction, main, readArguments } from "./command.ts";
import { wrangler } from "./wrangler.ts";
import { ROOT, run } from "../testing/tools.ts";

const OPTIONS = {
  "dry-run": "flag",
  built: "flag",
  config: "text",
  "allow-direct": "flag",
  yes: "flag",
} as const;

const readConfig = (config: string) => JSON.parse(readFileSync(`${ROOT}${config}`, "utf8")) as DeployConfig;

/** Returns the names of the secrets in Cloudflare; none before the first deploy. */
async function secretNames(config: string): Promise<string[]> {
  const output = await wrangler(["secret", "list", "--config", config, "--format", "json"], true).catch(
    (error: unknown) => {
      if (/not found|does not exist|10007/i.test(String(error))) return "[]";
      throw error;
    },
  );
  const list = JSON.parse(output.slice(output.indexOf("["))) as { name: string }[];
  return list.map(({ name }) => name);
}

/** Returns those of the names that exist in the account. @param command shows one of them, or fails */
async function existing(names: readonly string[], ...command: string[]): Promise<string[]> {
  const checks = names.map(async (name) => {
    try {
      await wrangler([...command, name], true);
      return [name];
    } catch (error) {
      if (/does not exist/i.test(String(error))) return [];
      throw error;
    }
  });
  return (await Promise.all(checks)).flat();
}

/** Returns those of the domains that are zones of the account. wrangler has no command for zones. */
async function existingZones(names: readonly string[]): Promise<string[]> {
  const token = (await wrangler(["auth", "token"], true)).trim().split("\n").at(-1);
  const checks = names.map(async (name) => {
    const url = `https://api.cloudflare.com/client/v4/zones?name=${name}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`Cloudflare did not list the domain ${name}: ${response.status}`);
    return ((await response.json()) as { result: object[] }).result.length > 0 ? [name] : [];
  });
  return (await Promise.all(checks)).flat();
}

async function readAccount(config: string): Promise<AccountFacts> {
  const built = readConfig(config);
  // The first call fails with one sentence if the operator is not signed in.
  const secrets = await secretNames(config);
  const [queues, buckets, zones] = await Promise.all([
    existing(queuesOf(built), "queues", "info"),
    existing(bucketsOf(built), "r2", "bucket", "info"),
    existingZones(zonesOf(built)),
  ]);
  return { secrets, queues, buckets, zones };
}

/** Returns the deployed commit, marked if the work tree has changes; null outside a Git repository. */
function currentCommit(): string | null {
  const args = ["describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=-changed"];
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

await main(async () => {
  const args = readArguments({ name: "deploy", options: OPTIONS });
  const isDryRun = args.hasFlag("dry-run");
  const config = args.option("config") ?? "build/server/wrangler.json";
  console.log(isDryRun ? "Dry run on this machine:" : "In PRODUCTION:");
  if (!isDryRun) await confirmProduction(args.hasFlag("yes"));
  if (!args.hasFlag("built")) await run("react-router", ["build"]);
  const built = readConfig(config);
  if (isDryRun) {
    const bundle = await wrangler(["deploy", "--config", config, "--dry-run"], false);
    console.log(/Total Upload:.*/.exec(bundle)?.[0] ?? bundle);
  }
  // A dry run works without an account.
  const account = await readAccount(config).catch((error: unknown) => {
    if (isDryRun) return null;
    throw error;
  });
  const checks = deployChecks(built, account, { allowDirect: args.hasFlag("allow-direct") });
  console.log(formatChecklist(checks));
  if (checks.some(isMissing)) {
    process.exitCode = 1;
    return;
  }
  if (isDryRun) return;
  await release(
    { config, commit: currentCommit(), host: String(built.vars?.SITE_HOST) },
    { wrangler: (wranglerArgs) => wrangler(wranglerArgs, true), fetch, print: console.log },
  );
});
