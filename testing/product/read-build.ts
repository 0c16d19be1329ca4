/**
 * Reads from the build what only wrangler knows. Loading it takes 1.5 s of CPU, so browser tests read it once for
 * all files (empty-world.ts).
 */
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

import { BUILD, ROOT } from "../tools.ts";

export type BuildOptions = Record<string, unknown>;

/**
 * Returns the runtime's options from the build's configuration, as plain data. It ignores the secrets and settings
 * that `npm start` left on this machine (.dev.vars). So a test that passes on a clean clone also passes after `npm
 * start`.
 * @param folder the build's folder, with a trailing slash
 */
export function readBuild(folder = BUILD): BuildOptions {
  const config = `${folder}wrangler.json`;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  // Each file's module type is given separately.
  const { modulesRules: _, ...options } = workerOptions;
  return { ...options, bindings: unstable_readConfig({ config }).vars };
}

/** Migrates an empty database, including suburbs. @param folder where the migrations are */
export async function migrate(d1: D1Database, folder = `${ROOT}migrations`): Promise<void> {
  for (const { queries } of await readD1Migrations(folder)) {
    await d1.batch(queries.map((query) => d1.prepare(query)));
  }
}
