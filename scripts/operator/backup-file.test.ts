import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { ROOT } from "../../testing/tools.ts";
import { backupText, readBackup, writeWhole } from "./backup-file.ts";

const BACKUP = {
  takenAt: 1_000,
  rows: { users: 2 },
  sql: "CREATE TABLE users (id TEXT);\nSELECT 1;\nSELECT 2;\n",
};

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a backup is read as it was written", () => {
  const file = join(makeFolder(), "whole.sql");
  writeFileSync(file, backupText(BACKUP));
  expect(readBackup(file)).toEqual(BACKUP);
});

const CUT_OFF = "is truncated or was changed: its checksum does not match. Use another backup.";

test.for([
  ["cut in the middle", (text: string) => text.slice(0, text.length * 0.7), CUT_OFF],
  ["cut between two statements", (text: string) => text.replace("SELECT 2;\n", ""), CUT_OFF],
  ["changed", (text: string) => text.replace("SELECT 1", "SELECT 3"), CUT_OFF],
  [
    "without its first line",
    (text: string) => text.slice(text.indexOf("\n") + 1),
    "is not a backup: its first line",
  ],
] as const)("a backup %s is refused", ([, damage, message]) => {
  const file = join(makeFolder(), "damaged.sql");
  writeFileSync(file, damage(backupText(BACKUP)));
  expect(() => readBackup(file)).toThrow(message);
});

test("a file is private, and a failure leaves nothing behind", async () => {
  const folder = makeFolder();
  const file = join(folder, "new.sql");
  const failing = writeWhole(file, async (dump) => {
    writeFileSync(dump, "people");
    throw new Error("D1 is away");
  });
  await expect(failing).rejects.toThrow("D1 is away");
  expect(readdirSync(folder)).toEqual([]);
  await writeWhole(file, async () => "people");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["people", 0o600]);
  expect(readdirSync(folder)).toEqual(["new.sql"]);
});

test.for(["SIGINT", "SIGTERM"] as const)(
  "a backup that is ended by %s leaves nothing behind",
  async (signal) => {
    const folder = makeFolder();
    const program = `
    import { writeFileSync } from "node:fs";
    import { writeWhole } from "${ROOT}scripts/operator/backup-file.ts";
    await writeWhole("${folder}/new.sql", async (dump) => {
      writeFileSync(dump, "people");
      console.log("ready");
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
    const child = spawn(`${ROOT}node_modules/.bin/node`, ["--input-type=module", "--eval", program]);
    await once(child.stdout, "data");
    child.kill(signal);
    await once(child, "exit");
    expect(readdirSync(folder)).toEqual([]);
  },
);
