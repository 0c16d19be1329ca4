/** The runtime unloads idle objects. What they stored must still be gone when the next test file starts. */
import { evictAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { db, rowCounts, testEnv } from "../testing/client.ts";
import { exchangeIn, roomOf } from "../testing/facts.ts";
import { renewStorage } from "../testing/fresh-storage.ts";
import { insertUser } from "../testing/world.ts";

const isPaused = () =>
  runInDurableObject(exchangeIn("macarthur"), (_, { storage }) => {
    const rows = storage.sql.exec("SELECT 1 FROM meta WHERE key = 'paused'").toArray();
    return rows.length > 0;
  });

test("the next file finds nothing of objects that were unloaded", async () => {
  await insertUser(db);
  await testEnv.FILES.put("left", "by this file");
  await exchangeIn("macarthur").pause({ reason: "Storm", at: 1 });
  await runInDurableObject(roomOf("user_left"), (_, { storage }) => storage.put("left", 1));
  expect(await isPaused()).toBe(true);
  await evictAllDurableObjects();
  await renewStorage();
  expect((await rowCounts()).users).toBe(0);
  expect(await testEnv.FILES.head("left")).toBeNull();
  expect(await isPaused()).toBe(false);
  const left = await runInDurableObject(roomOf("user_left"), (_, { storage }) => storage.get("left"));
  expect(left).toBeUndefined();
});
