import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { readBuild } from "./read-build.ts";

test("readBuild ignores the files that npm start leaves beside a build", () => {
  const folder = `${mkdtempSync(join(tmpdir(), "naturestrip-build-"))}/`;
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    `${folder}wrangler.json`,
    JSON.stringify({ name: "naturestrip", vars: { PAYMENTS: "stripe", GST: "yes" } }),
  );
  writeFileSync(`${folder}.dev.vars`, 'PAYMENTS="direct"\nPUSH_KEYS="left.over"\n');
  expect(readBuild(folder).bindings).toEqual({ PAYMENTS: "stripe", GST: "yes" });
});
