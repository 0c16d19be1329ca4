import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";

/** You cannot understand one file in an import cycle without the others. The limit is three files. */
const MAX_CYCLE_LENGTH = 3;

type Graph = ReadonlyMap<string, readonly string[]>;

/** Returns each file's imports, including type imports. */
function importsBelow(folder: string): Graph {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", folder], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const files = listed.split("\n").filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const source = readFileSync(join(ROOT, file), "utf8");
      const named = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g);
      const targets = [...named].map(([, name]) => join(dirname(file), name!));
      return [file, targets.filter((target) => known.has(target) && target !== file)] as const;
    }),
  );
}

/** Returns every file reachable from a file. Includes the file itself only if it is in a cycle. */
function reach(graph: Graph, from: string): Set<string> {
  const seen = new Set<string>();
  const waiting = [...(graph.get(from) ?? [])];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    waiting.push(...(graph.get(file) ?? []));
  }
  return seen;
}

/** Returns groups of files that can all reach each other, largest first. */
function findCycles(graph: Graph): string[][] {
  const reached = new Map([...graph.keys()].map((file) => [file, reach(graph, file)]));
  const cycles = new Map<string, string[]>();
  for (const [file, targets] of reached) {
    const cycle = [...targets].filter((target) => reached.get(target)!.has(file)).toSorted();
    if (cycle.length > 1) cycles.set(cycle.join(), cycle);
  }
  return [...cycles.values()].toSorted((a, b) => b.length - a.length);
}

test("import cycles are found in either direction", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["a", "d"]],
    ["d", []],
    ["e", ["f"]],
    ["f", ["e", "a"]],
  ]);
  expect(findCycles(graph)).toEqual([
    ["a", "b", "c"],
    ["e", "f"],
  ]);
});

test.each(["worker", "contract"])("no import cycle in %s exceeds the limit", (folder) => {
  const graph = importsBelow(folder);
  expect(graph.size).toBeGreaterThan(10);
  expect(findCycles(graph).filter(({ length }) => length > MAX_CYCLE_LENGTH)).toEqual([]);
});
