/**
 * What only wrangler knows of the build: a second and a half of processor to load. Browser tests have it read
 * once for all of them (empty-world.ts).
 */
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

import { BUILD, ROOT } from "../tools.ts";

export type BuildOptions = Record<string, unknown>;

/**
 * What the runtime is told by the build's configuration; plain data. The secrets and settings of this machine that
 * `npm start` left beside it (.dev.vars) are not: a test that passes on a clean clone passes after it as well.
 * @param folder where the build is, with a slash at its end
 */
export function readBuild(folder = BUILD): BuildOptions {
  const config = `${folder}wrangler.json`;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  // Which files are modules is said file by file.
  const { modulesRules: _, ...options } = workerOptions;
  return { ...options, bindings: unstable_readConfig({ config }).vars };
}

/** Brings an empty database up to date, suburbs included. @param folder where the migrations are */
export async function migrate(d1: D1Database, folder = `${ROOT}migrations`): Promise<void> {
  for (const { queries } of await readD1Migrations(folder)) {
    await d1.batch(queries.map((query) => d1.prepare(query)));
  }
}
