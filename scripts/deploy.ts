/**
 * `npm run deploy`: builds, checks the preconditions, saves D1's bookmark and migrates the remote database.
 * Then it deploys the code, tagged with its commit, and checks the site's health.
 *
 * `--dry-run` needs no account: it validates the configuration, lists what is missing and prints the bundle's
 * size. `--built` uses the existing build.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { readDecisions, undecidedClaims } from "./claims-file.ts";
import {
  claimProblem,
  createQueue,
  type DeployConfig,
  deployProblems,
  deployWarnings,
  domainArguments,
  NEEDED_SECRETS,
  queuesOf,
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

/** Returns the queues that do not exist in the account. */
async function missingQueues(config: string): Promise<string[]> {
  const checks = queuesOf(readConfig(config)).map(async (queue) => {
    try {
      await wrangler(["queues", "info", queue, "--config", config], true);
      return [];
    } catch (error) {
      if (/does not exist/i.test(String(error))) return [queue];
      throw error;
    }
  });
  return (await Promise.all(checks)).flat();
}

/** @throws Error that lists everything that blocks the deploy */
async function checkCanDeploy(config: string, isDryRun: boolean, allowDirect: boolean): Promise<void> {
  // A dry run works without an account. Then we do not know which secrets are set.
  const secrets = await secretNames(config).catch((error: unknown) => {
    if (isDryRun) return null;
    throw error;
  });
  const claims = claimProblem(undecidedClaims(readDecisions()));
  const built = readConfig(config);
  const missing = secrets === null ? [] : await missingQueues(config);
  const problems = deployProblems(built, secrets, { allowDirect, missingQueues: missing });
  if (claims) problems.push(claims);
  // A dry run also works without a database.
  const [blocking, rest] = isDryRun
    ? [problems.filter((problem) => problem.startsWith("PAYMENTS")), problems]
    : [problems, []];
  if (secrets === null) {
    console.warn(
      `Before the first deploy, set these secrets: ${Object.keys(NEEDED_SECRETS).join(", ")}. You are not signed in to wrangler, so we cannot check which are set. Run \`npx wrangler secret put\` with each name.`,
    );
    for (const queue of queuesOf(built))
      console.warn(`Before the first deploy: the queue ${queue} must exist. Run \`${createQueue(queue)}\`.`);
  }
  for (const warning of deployWarnings(built)) console.warn(`Warning: ${warning}`);
  for (const problem of rest) console.warn(`Before the first deploy: ${problem}`);
  if (blocking.length > 0) throw new Error(`Not deployed.\n- ${blocking.join("\n- ")}`);
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
  await checkCanDeploy(config, isDryRun, args.hasFlag("allow-direct"));
  const domain = domainArguments(readConfig(config));
  if (isDryRun)
    return console.log(await wrangler(["deploy", "--config", config, ...domain, "--dry-run"], false));
  await release(
    {
      config,
      commit: currentCommit(),
      host: String(readConfig(config).vars?.SITE_HOST),
      domainArguments: domain,
    },
    { wrangler: (wranglerArgs) => wrangler(wranglerArgs, true), fetch, print: console.log },
  );
});
