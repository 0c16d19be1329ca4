/** The layers of `worker/`: a file imports only from its own folder and from folders in lower layers. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

/** The folders of `worker/`, lowest layer first. Files outside a folder and `middleware/` are the top layer. */
const ROOMS = [
  "platform",
  "outbox",
  "live",
  "identity",
  "exchange",
  "leads",
  "selling",
  "pipeline",
  "customer",
  "operations",
  "messages",
  "durable-objects",
];

/** All tables, for drizzle-kit, scripts and tests. Product code imports a table from the file that has it. */
const ALL_TABLES = "worker/tables.ts";

function floorOf(file: string): { floor: number; room: string } {
  const [, room = ""] = file.split("/");
  const floor = ROOMS.indexOf(room);
  return floor < 0 ? { floor: ROOMS.length, room: "entry" } : { floor, room };
}

test("every file of worker/ is in a layer, and imports only from its own folder or a lower layer", () => {
  const files = globSync("worker/**/*.ts", { cwd: ROOT }).filter((file) => !file.includes(".test."));
  expect(files.length, "the test sees the files").toBeGreaterThan(250);
  const folders = new Set(files.map((file) => file.split("/")[1]!).filter((name) => !name.endsWith(".ts")));
  expect([...folders].filter((name) => ![...ROOMS, "middleware"].includes(name))).toEqual([]);
  const upward = new Set<string>();
  for (const file of files) {
    const from = floorOf(file);
    const source = readFileSync(join(ROOT, file), "utf8");
    for (const [, path] of source.matchAll(/(?:from|import|import\()\s*"(\.[^"?]+\.ts)"/g)) {
      const target = join(dirname(file), path!);
      const to = target.startsWith("worker/") ? floorOf(target) : null;
      if (target === ALL_TABLES) upward.add(`${file} → ${target} (only for tools and tests)`);
      if (to && to.floor > from.floor) upward.add(`${file} → ${target} (${from.room} → ${to.room})`);
    }
  }
  expect([...upward].toSorted()).toEqual([]);
});
