/** A test file's path and suffix decide which project runs it. Every file must match exactly one project. */
import { execFileSync } from "node:child_process";
import { matchesGlob } from "node:path/posix";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import config from "../vitest.config.ts";

type Project = { name: string; include: string[]; exclude?: string | string[] };

const projects = (config.test!.projects as { test: Project }[]).map(({ test }) => test);

/** Returns the names of the projects that run a file. */
function runners(file: string): string[] {
  const isIn = (globs: string | string[]) => [globs].flat().some((glob) => matchesGlob(file, glob));
  return projects
    .filter(({ include, exclude = [] }) => isIn(include) && !isIn(exclude))
    .map(({ name }) => name);
}

test("every test file belongs to exactly one project", () => {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const files = listed.split("\n").filter((file) => /[._-](test|spec)s?\.[cm]?[jt]sx?$/.test(file));
  expect(files.length, "the test sees the files").toBeGreaterThan(150);
  const astray = files
    .map((file) => [file, runners(file)] as const)
    .filter(([, names]) => names.length !== 1);
  expect(astray).toEqual([]);
});

test.each([
  ["worker/leads/views.unit.test.ts", "unit"],
  ["worker/leads/list.test.ts", "workerd"],
  ["scripts/drills/restore.test.ts", "e2e"],
  ["e2e/pipeline.test.ts", "e2e"],
])("%s is run by %s", (file, project) => {
  expect(runners(file)).toEqual([project]);
});
