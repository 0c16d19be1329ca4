import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { inRestorableOrder, splitStatements } from "./dump-order.ts";

const DUMP = `PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE \`children\` (
	\`id\` text PRIMARY KEY NOT NULL, -- refers; to parents
	\`parent_id\` text NOT NULL,
	FOREIGN KEY (\`parent_id\`) REFERENCES \`parents\`(\`id\`)
);
INSERT INTO "children" ("id","parent_id") VALUES('c;1','it''s; odd');
CREATE TABLE \`parents\` (\`id\` text PRIMARY KEY NOT NULL);
INSERT INTO "parents" ("id") VALUES('it''s; odd');
CREATE INDEX \`children_parent\` ON \`children\` (\`parent_id\`);
CREATE TRIGGER \`kept\` BEFORE DELETE ON \`parents\` BEGIN SELECT RAISE(ABORT, 'no; never'); END;`;

test("a dump is split only at the ends of its statements", () => {
  const statements = splitStatements(DUMP);
  expect(statements).toHaveLength(7);
  expect(statements[2]).toBe(`INSERT INTO "children" ("id","parent_id") VALUES('c;1','it''s; odd');`);
  expect(statements[6]).toMatch(/^CREATE TRIGGER .* END;$/);
});

test("a reordered dump can be loaded into an empty database, with every constraint intact", () => {
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  expect(() => database.exec(DUMP)).toThrow("no such table");
  const fresh = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  fresh.exec(inRestorableOrder(DUMP));
  expect(fresh.prepare("SELECT id, parent_id FROM children").all()).toEqual([
    { id: "c;1", parent_id: "it's; odd" },
  ]);
  expect(() => fresh.exec("DELETE FROM parents")).toThrow("no; never");
});
