/**
 * Before the browser tests: the state every product starts from is made once, and copied by each; and what the
 * build says is read once.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { builtWorker, runWorker } from "./built-worker.ts";
import { type BuildOptions, migrate, readBuild } from "./read-build.ts";
import type { Env } from "../../worker/platform/env.ts";

export async function setup(project: TestProject): Promise<() => void> {
  const state = mkdtempSync(join(tmpdir(), "naturestrip-empty-"));
  const build = readBuild();
  const { miniflare } = await runWorker(builtWorker(build, {}), { persist: state });
  await migrate((await miniflare.getBindings<Env>()).DB);
  await miniflare.dispose();
  project.provide("emptyWorld", state);
  project.provide("build", build);
  return () => rmSync(state, { recursive: true, force: true });
}

declare module "vitest" {
  interface ProvidedContext {
    /** Where a migrated database lies that nobody has used. */
    emptyWorld: string;
    build: BuildOptions;
  }
}
