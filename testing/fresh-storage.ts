/** Gives each test file empty storage, although files share a process. */
import { applyD1Migrations, listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import { inject } from "vitest";

import { testEnv } from "./client.ts";

/** Loads every stored object into memory. D1 and R2 are objects of the runtime, so a call loads them. */
async function loadAllObjects(): Promise<void> {
  const { DB, FILES, LEAD_EXCHANGE, BUSINESS_ROOM } = testEnv;
  await Promise.all([DB.prepare("SELECT 1").run(), FILES.head("none")]);
  for (const namespace of [LEAD_EXCHANGE, BUSINESS_ROOM] as DurableObjectNamespace[]) {
    const ids = await listDurableObjectIds(namespace);
    await Promise.all(ids.map((id) => runInDurableObject(namespace.get(id), () => {})));
  }
}

/**
 * Deletes all storage and migrates D1 again. `reset` deletes only the objects in memory, and the runtime unloads an
 * object after ten idle seconds. A slow file would otherwise leave objects to the next one.
 */
export async function renewStorage(): Promise<void> {
  await loadAllObjects();
  await reset();
  await applyD1Migrations(testEnv.DB, inject("migrations"));
}
