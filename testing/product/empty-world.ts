/** Before the browser tests: the state every product starts from is made once, and copied by each. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestProject } from "vitest/node";

import { builtWorker, migrate, runWorker } from "./built-worker.ts";
import type { Env } from "../../worker/env.ts";

export async function setup(project: TestProject): Promise<() => void> {
  const state = mkdtempSync(join(tmpdir(), "naturestrip-empty-"));
  const { miniflare } = await runWorker(builtWorker({}), { persist: state });
  await migrate((await miniflare.getBindings<Env>()).DB);
  await miniflare.dispose();
  project.provide("emptyWorld", state);
  return () => rmSync(state, { recursive: true, force: true });
}

declare module "vitest" {
  interface ProvidedContext {
    /** Where a migrated database lies that nobody has used. */
    emptyWorld: string;
  }
}
