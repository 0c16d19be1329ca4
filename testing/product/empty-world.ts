/**
 * Runs before the browser tests. Creates every product's initial state once, for each product to copy, and
 * reads the build's configuration once.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { builtWorker, runWorker } from "./built-worker.ts";
import { type BuildOptions, migrate, readBuild } from "./read-build.ts";
import type { Bindings } from "../../worker/platform/env.ts";

export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-products-"));
  const state = join(folder, "empty");
  const build = readBuild();
  const { miniflare } = await runWorker(builtWorker(build, {}), { persist: state });
  await migrate((await miniflare.getBindings<Bindings>()).DB);
  await miniflare.dispose();
  project.provide("emptyWorld", state);
  project.provide("build", build);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of a migrated, unused database. The products' folders are beside it. */
    emptyWorld: string;
    build: BuildOptions;
  }
}
