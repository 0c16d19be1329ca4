/** Runs the steps of a release: save D1's bookmark, migrate, deploy the code, check the health endpoint. */
import { setTimeout as wait } from "node:timers/promises";

import { SECOND_MS } from "../contract/durations.ts";
import type { Health } from "../contract/health.ts";

/** Analyses only a sample of each table, to limit the cost. */
const OPTIMIZE = "PRAGMA optimize = 0x10002";

/** A new version reaches Cloudflare's locations within seconds. A new domain takes a minute or two. */
const MAX_HEALTH_TRIES = 24;
const HEALTH_RETRY_MS = 5 * SECOND_MS;

export type Release = {
  config: string;
  /** The released commit, for display; null outside a Git repository. */
  commit: string | null;
  host: string;
};

/** A release's dependencies. Tests pass fakes. */
export type Tools = {
  wrangler: (args: string[]) => Promise<string>;
  fetch: (url: string) => Promise<Response>;
  print: (text: string) => void;
  wait?: (ms: number) => Promise<unknown>;
};

/** Prints D1's bookmark, so that an operator can restore D1 to its state before the migrations. */
async function printBookmark({ config }: Release, { wrangler, print }: Tools): Promise<void> {
  const output = await wrangler(["d1", "time-travel", "info", "DB", "--config", config, "--json"]);
  const { bookmark } = JSON.parse(output.slice(output.indexOf("{"))) as { bookmark: string };
  print(
    `D1 before this release is at bookmark ${bookmark}. To return to it, follow docs/operations.md: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}`,
  );
}

/** Waits until the new version reports that it is healthy. @throws Error with its last response */
async function checkHealth({ host, commit }: Release, tools: Tools): Promise<void> {
  const url = `https://${host}/api/health`;
  let last = "nothing";
  for (let tries = 0; tries < MAX_HEALTH_TRIES; tries++) {
    if (tries > 0) await (tools.wait ?? wait)(HEALTH_RETRY_MS);
    const healthResponse = await tools.fetch(url).catch(() => null);
    const text = (await healthResponse?.text()) ?? "nothing";
    last = healthResponse ? `${healthResponse.status} ${text}` : text;
    if (!healthResponse?.ok) continue;
    const { version } = JSON.parse(text) as Health;
    if (commit === null || version.tag === commit)
      return tools.print(`${url} is healthy${commit ? ` with ${commit}` : ""}.`);
  }
  throw new Error(
    `Deployed, but ${url} does not report ${commit ?? "this release"} as healthy. Its last response: ${last}\nRun npx wrangler tail. To roll the code back: npx wrangler rollback --durable-objects-code-update-mode immediate`,
  );
}

/** Migrates D1, deploys the code and checks the site's health. @throws Error from the step that failed */
export async function release(what: Release, tools: Tools): Promise<void> {
  const { config, commit } = what;
  const { wrangler, print } = tools;
  const database = ["DB", "--config", config, "--remote"];
  await printBookmark(what, tools);
  print(await wrangler(["d1", "migrations", "apply", ...database]));
  // Collect index statistics. Without them SQLite may choose an index that contains nearly every row.
  await wrangler(["d1", "execute", ...database, "--yes", "--command", OPTIMIZE]);
  const tag = commit === null ? [] : ["--tag", commit];
  print(await wrangler(["deploy", "--config", config, ...tag]));
  await checkHealth(what, tools);
}
