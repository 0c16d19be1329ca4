import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { afterAll, beforeEach, expect, test } from "vitest";

import { databaseFile, runOnFile } from "./local-d1.ts";

let state: string;
let file: string;
const made: string[] = [];

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "naturestrip-state-"));
  made.push(state);
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  mkdirSync(folder, { recursive: true });
  file = join(folder, "0123.sqlite");
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE names (name TEXT PRIMARY KEY); INSERT INTO names VALUES ('alex')");
  database.close();
});
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

test("the only database is found beside the runtime's metadata file; with several, none is chosen", () => {
  writeFileSync(join(file, "../metadata.sqlite"), "");
  expect(databaseFile(state)).toBe(file);
  writeFileSync(join(file, "../4567.sqlite"), "");
  expect(databaseFile(state)).toBeNull();
  expect(databaseFile(join(state, "nowhere"))).toBeNull();
});

test("each statement's rows are returned as plain objects", () => {
  expect(
    runOnFile(file, ["INSERT INTO names VALUES ('sam')", "SELECT name FROM names ORDER BY name"]),
  ).toEqual([[], [{ name: "alex" }, { name: "sam" }]]);
});

test("statements run together either all take effect or none", () => {
  const both = ["INSERT INTO names VALUES ('sam')", "INSERT INTO names VALUES ('alex')"];
  expect(() => runOnFile(file, both)).toThrow("UNIQUE constraint failed: names.name");
  expect(runOnFile(file, ["SELECT count(*) AS n FROM names"])).toEqual([[{ n: 1 }]]);
});

test("a second statement in one text is rejected, not skipped", () => {
  const hidden = "DELETE FROM names; INSERT INTO names VALUES ('sam')";
  expect(() => runOnFile(file, [hidden])).toThrow("Only one statement per text");
  expect(runOnFile(file, ["SELECT name FROM names"])).toEqual([[{ name: "alex" }]]);
});
