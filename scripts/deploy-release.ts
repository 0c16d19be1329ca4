/** The release itself: D1's bookmark, migrations, code and a look at the health answer, in this order. */
import { setTimeout as wait } from "node:timers/promises";

import { SECOND_MS } from "../contract/durations.ts";
import type { Health } from "../contract/health.ts";

/** Looks at every table, and only at a part of each: bounded work, however large they are. */
const OPTIMIZE = "PRAGMA optimize = 0x10002";

/** A new version reaches Cloudflare's places within seconds, a new domain within a minute or two. */
const MAX_HEALTH_TRIES = 24;
const HEALTH_RETRY_MS = 5 * SECOND_MS;

export type Release = {
  config: string;
  /** The commit that is released, for people; null outside a repository. */
  commit: string | null;
  /** The site's host. */
  host: string;
  domainArguments: readonly string[];
};

/** What a release uses; tests give their own. */
export type Tools = {
  wrangler: (args: string[]) => Promise<string>;
  fetch: (url: string) => Promise<Response>;
  say: (text: string) => void;
  wait?: (ms: number) => Promise<unknown>;
};

/** Notes where D1 stands, so that it can be taken back to before the migrations. */
async function noteBookmark({ config }: Release, { wrangler, say }: Tools): Promise<void> {
  const since = new Date().toISOString();
  const output = await wrangler(["d1", "time-travel", "info", "DB", "--config", config, "--json"]);
  const { bookmark } = JSON.parse(output.slice(output.indexOf("{"))) as { bookmark: string };
  say(
    `D1 before this release is at bookmark ${bookmark}. To take it back: npm run restore:production -- --bookmark=${bookmark} --since=${since} --remote`,
  );
}

/** Waits until the new version says that it is well. @throws Error with what it said last */
async function checkHealth({ host, commit }: Release, tools: Tools): Promise<void> {
  const url = `https://${host}/api/health`;
  let last = "nothing";
  for (let tries = 0; tries < MAX_HEALTH_TRIES; tries++) {
    if (tries > 0) await (tools.wait ?? wait)(HEALTH_RETRY_MS);
    const answer = await tools.fetch(url).catch(() => null);
    const text = (await answer?.text()) ?? "nothing";
    last = answer ? `${answer.status} ${text}` : text;
    if (!answer?.ok) continue;
    const { version } = JSON.parse(text) as Health;
    if (commit === null || version.tag === commit)
      return tools.say(`${url} says that all is well${commit ? ` with ${commit}` : ""}.`);
  }
  throw new Error(
    `Deployed, but ${url} does not say that ${commit ?? "this release"} is well. It said: ${last}\nLook at npm run logs. To take the code back: npx wrangler rollback --durable-objects-code-update-mode immediate`,
  );
}

/** Migrates D1, deploys the code and asks the site how it is. @throws Error of the step that failed */
export async function release(what: Release, tools: Tools): Promise<void> {
  const { config, commit, domainArguments } = what;
  const { wrangler, say } = tools;
  const database = ["DB", "--config", config, "--remote"];
  await noteBookmark(what, tools);
  say(await wrangler(["d1", "migrations", "apply", ...database]));
  // SQLite counts what its indexes have: without, it may take one that nearly every row is in.
  await wrangler(["d1", "execute", ...database, "--yes", "--command", OPTIMIZE]);
  const tag = commit === null ? [] : ["--tag", commit];
  say(await wrangler(["deploy", "--config", config, ...domainArguments, ...tag]));
  await checkHealth(what, tools);
}
