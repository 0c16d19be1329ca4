/**
 * Every operator's command rejects unclear input: unknown arguments, options that npm consumed, and production without
 * a terminal to confirm in. None of these may reach a database.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../../testing/tools.ts";

/** Each run is a process that loads the command's dependencies. */
const LIMIT = { timeout: 60_000 };

type Package = { scripts: Record<string, string> };
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as Package;

/** Read-only commands. They need no confirmation in production. */
const READING: Readonly<Record<string, string[]>> = {
  backup: [],
  "check:data": [],
};

/** The required arguments of each, apart from the target. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  "make-admin": ["--username=alex"],
  erase: ["--phone=0491570006"],
  "exchange:relist": ["--all"],
  "exchange:reproject": ["--since=2026-11-01T00:00:00Z"],
  "exchange:rewind": ["--region=inner-west", "--to=2026-11-21T03:00:00Z"],
  "suburbs:load": ["data/nsw-suburbs.csv"],
  restore: ["no-such-file.sql"],
  "restore:production": ["--to=2026-11-01T00:00:00Z"],
  region: ["pause", "inner-west", "--reason=test"],
  "figures:recount": [],
  reconcile: [],
  "redact:again": [],
  release: ["--lead=lead_00000000000000000000"],
  "passkeys:remove": ["--username=alex"],
  "keys:rotate": [],
};

const OPERATORS = Object.entries(scripts)
  .filter(([, command]) => command.includes("scripts/operator/"))
  .map(([name, command]) => ({ name, file: /scripts\/operator\/\S+/.exec(command)![0] }));

/** Runs a command as npm would. */
function attempt(file: string, args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(`${ROOT}node_modules/.bin/node`, [file, ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH!, HOME: process.env.HOME!, ...env },
  });
  return { status, output: stdout + stderr };
}

test("every operator's command is in these tables", () => {
  expect(OPERATORS.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(READING), ...Object.keys(ARGUMENTS)].toSorted(),
  );
});

test("no command reads its arguments by itself", () => {
  const files = readdirSync(`${ROOT}scripts/operator`).filter((file) => !file.endsWith(".test.ts"));
  const texts = files.map((file) => readFileSync(`${ROOT}scripts/operator/${file}`, "utf8"));
  expect(files.filter((_, i) => texts[i]!.includes("process.argv"))).toEqual([]);
});

test.for(OPERATORS)(
  "$name refuses what it does not know, and what npm kept for itself",
  LIMIT,
  ({ name, file }) => {
    const given = ARGUMENTS[name] ?? [];
    const unknown = attempt(file, [...given, "--remotte"]);
    expect([unknown.status, unknown.output]).toEqual([
      1,
      expect.stringContaining("Unknown option '--remotte'"),
    ]);
    const kept = attempt(file, given, { npm_config_remote: "true" });
    expect([kept.status, kept.output]).toEqual([1, expect.stringContaining(`npm run ${name} -- --remote`)]);
  },
);

test.for(Object.keys(ARGUMENTS))(
  "%s says that it is about production, and asks before it changes anything",
  (name) => {
    const { file } = OPERATORS.find((operator) => operator.name === name)!;
    const { status, output } = attempt(file, [...ARGUMENTS[name]!, "--remote"]);
    expect(output).toMatch(/^In PRODUCTION:\n/);
    expect([status, output]).toEqual([
      1,
      expect.stringContaining("Nothing was changed: this terminal cannot ask."),
    ]);
  },
);

test.for([
  ["reconcile", ["--since=2199-01-01T00:00:00Z"], "--since=2199-01-01T00:00:00Z is still to come."],
  ["reconcile", ["--since=2199-01-01"], "--since=2199-01-01 is no moment"],
  ["figures:recount", ["--since=2199-01-01"], "--since=2199-01-01 is still to come."],
  ["suburbs:load", ["no-such.csv"], "There is no such file: no-such.csv"],
  ["backup", ["--config=no-such.toml"], "There is no configuration no-such.toml."],
] as const)("%s %j is refused in one sentence", LIMIT, ([name, args, says]) => {
  const { file } = OPERATORS.find((operator) => operator.name === name)!;
  const { status, output } = attempt(file, [...args]);
  expect([status, output.split("\n").at(-2)]).toEqual([1, expect.stringContaining(says)]);
  expect(output.trim().split("\n").length).toBeLessThanOrEqual(2);
});

/** Commands that take no arguments and change nothing. */
const WITHOUT_ARGUMENTS = new Set(["test", "audit"]);

test("every command of ours looks at what npm has kept before it begins", () => {
  const ours = Object.entries(scripts)
    .map(([name, command]) => ({ name, file: /^node .*?(\S+\.ts)$/.exec(command)?.[1] }))
    .filter(({ name, file }) => file !== undefined && !WITHOUT_ARGUMENTS.has(name));
  expect(ours.length).toBeGreaterThan(30);
  const looks = /\b(?:readArguments|checkNothingKept|operate|serveLocally)\(/;
  expect(
    ours.filter(({ file }) => !looks.test(readFileSync(ROOT + file, "utf8"))).map(({ name }) => name),
  ).toEqual([]);
});

test("schedules meant for the simulation are not passed over when npm has kept them", LIMIT, () => {
  const kept = attempt("scripts/simulate.ts", [], { npm_config_schedules: "5" });
  expect([kept.status, kept.output]).toEqual([
    2,
    expect.stringContaining('npm run simulate -- --schedules="5"'),
  ]);
});
