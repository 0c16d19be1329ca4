/**
 * Reads from the build what only wrangler can parse. Loading it takes 1.5 s of CPU, so browser tests read it
 * once for all files (empty-world.ts).
 */
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

import { BUILD, ROOT } from "../tools.ts";

export type BuildOptions = Record<string, unknown>;

/**
 * Returns the runtime's options from the build's configuration, as plain data. Ignores this machine's secrets
 * and settings (.dev.vars), which `npm start` creates. So a test that passes on a clean clone also passes
 * after `npm start`.
 *
 * @param folder the build's folder, with a trailing slash
 */
export function readBuild(folder = BUILD): BuildOptions {
  const config = `${folder}wrangler.json`;
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  // We pass each file's module type separately.
  const { modulesRules: _, ...options } = workerOptions;
  return { ...options, bindings: unstable_readConfig({ config }).vars };
}

/** Migrates an empty database, including suburbs. @param folder the folder with the migrations */
export async function migrate(d1: D1Database, folder = `${ROOT}migrations`): Promise<void> {
  for (const { queries } of await readD1Migrations(folder)) {
    await d1.batch(queries.map((query) => d1.prepare(query)));
  }
}
