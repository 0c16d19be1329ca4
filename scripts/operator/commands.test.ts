/**
 * Every operator command rejects unclear input: unknown arguments, options that npm consumed, and production
 * without a terminal. None of these may reach a database.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

import { expect, test, vi } from "vitest";

import { ROOT } from "../../testing/tools.ts";
import { main } from "../command.ts";
import { COMMANDS } from "./commands.ts";
import { operate } from "./operate.ts";

type Package = { scripts: Record<string, string> };
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as Package;

/** Read-only commands. They need no confirmation in production. */
const READING: Readonly<Record<string, string[]>> = {
  backup: [],
};

/** The required arguments of each command, apart from the target. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  admin: ["--username=alex"],
  erase: ["--phone=0491570006"],
  "load-suburbs": ["data/nsw-suburbs.csv"],
  region: ["pause", "inner-west", "--reason=test"],
  reconcile: ["--fix"],
};

/** Commands that read or change data. The others have no target. */
const ON_DATA = Object.entries(COMMANDS).flatMap(([name, command]) => ("work" in command ? [name] : []));

const ENV = { PATH: process.env.PATH!, HOME: process.env.HOME! };

/** Runs a script in a process of its own, as npm would. */
function runScript(file: string, args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(`${ROOT}node_modules/.bin/node`, [file, ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...ENV, ...env },
  });
  return { status, output: stdout + stderr };
}

/** Runs an operator command in this process. @returns its exit code and what it prints */
async function runHere(args: readonly string[], env: Record<string, string> = {}) {
  const lines: string[] = [];
  const print = (text: unknown) => void lines.push(`${String(text)}\n`);
  const prints = [
    vi.spyOn(console, "log").mockImplementation(print),
    vi.spyOn(console, "error").mockImplementation(print),
  ];
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await main(() => operate(args, { ...ENV, ...env }));
    return { status: process.exitCode ?? 0, output: lines.join("") };
  } finally {
    process.exitCode = before;
    for (const spied of prints) spied.mockRestore();
  }
}

test("every operator command is in these tables", () => {
  expect(ON_DATA.toSorted()).toEqual([...Object.keys(READING), ...Object.keys(ARGUMENTS)].toSorted());
});

test("no command parses its own arguments", () => {
  const files = readdirSync(`${ROOT}scripts/operator`).filter((file) => !file.endsWith(".test.ts"));
  const texts = files.map((file) => readFileSync(`${ROOT}scripts/operator/${file}`, "utf8"));
  expect(files.filter((_, i) => texts[i]!.includes("process.argv"))).toEqual([]);
});

test.for(ON_DATA)("%s rejects unknown options, and options that npm consumed", async (name) => {
  const given = [name, ...(ARGUMENTS[name] ?? [])];
  const unknown = await runHere([...given, "--remotte"]);
  expect([unknown.status, unknown.output]).toEqual([
    1,
    expect.stringContaining("Unknown option '--remotte'"),
  ]);
  const withNpmOption = await runHere(given, { npm_config_remote: "true" });
  expect([withNpmOption.status, withNpmOption.output]).toEqual([
    1,
    expect.stringContaining(`npm run operate -- ${name} --remote`),
  ]);
});

test.for(Object.keys(ARGUMENTS))(
  "%s says that it works on production, and asks before it changes anything",
  async (name) => {
    const { status, output } = await runHere([name, ...ARGUMENTS[name]!, "--remote"]);
    expect(output).toMatch(/^In PRODUCTION:\n/);
    expect([status, output]).toEqual([
      1,
      expect.stringContaining("Nothing was changed: there is no terminal to confirm in."),
    ]);
  },
);

test.for([
  ["reconcile", ["--since=2199-01-01T00:00:00Z"], "--since=2199-01-01T00:00:00Z is in the future."],
  ["reconcile", ["--since=2199-01-01"], "--since=2199-01-01 is not a time"],
  ["reconcile", ["--region=atlantis"], "Name one of: "],
  ["erase", ["--phone=123"], "This doesn't identify one person: give a whole phone number"],
  ["backup", ["--check=package.json"], "package.json is not a backup: its first line has no checksum"],
  ["load-suburbs", ["no-such.csv"], "There is no such file: no-such.csv"],
  ["backup", ["--config=no-such.toml"], "The configuration no-such.toml does not exist."],
] as const)("%s %j is rejected in one sentence", async ([name, args, message]) => {
  const { status, output } = await runHere([name, ...args]);
  expect([status, output.split("\n").at(-2)]).toEqual([1, expect.stringContaining(message)]);
  expect(output.trim().split("\n").length).toBeLessThanOrEqual(2);
});

test("without a command, each is listed on one line; an unknown one is rejected with the same list", async () => {
  const listed = await runHere([]);
  expect(listed.status).toBe(0);
  for (const [name, { summary }] of Object.entries(COMMANDS))
    expect(listed.output).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
  const unknown = await runHere(["toString"]);
  expect([unknown.status, unknown.output]).toEqual([1, expect.stringContaining("Unknown command toString")]);
  expect(unknown.output).toContain(COMMANDS["reconcile"]!.summary);
});

test("--help explains a command and every option, and does nothing else", async () => {
  const { status, output } = await runHere(["reconcile", "--fix", "--help"]);
  expect(status).toBe(0);
  expect(output).toContain("npm run operate -- reconcile [--fix] [--region=…] [--since=…] [--remote]");
  for (const option of ["--region", "--fix", "--remote", "--yes"])
    expect(output).toMatch(new RegExp(`^  ${option} +\\S`, "m"));
  expect(output).not.toContain("On this machine:");
});

/** Commands that take no arguments and change nothing. */
const WITHOUT_ARGUMENTS = new Set(["test", "audit"]);

test("every command checks what npm consumed before it begins", () => {
  const ours = Object.entries(scripts)
    .map(([name, command]) => ({ name, file: /^node .*?(\S+\.ts)$/.exec(command)?.[1] }))
    .filter(({ name, file }) => file !== undefined && !WITHOUT_ARGUMENTS.has(name));
  expect(ours.length).toBeGreaterThan(5);
  const looks = /\b(?:readArguments|checkNpmArguments|operate|serveLocally)\(/;
  expect(
    ours.filter(({ file }) => !looks.test(readFileSync(ROOT + file, "utf8"))).map(({ name }) => name),
  ).toEqual([]);
});

test("the simulation rejects options that npm consumed", () => {
  const withNpmOption = runScript("scripts/simulate.ts", [], { npm_config_schedules: "5" });
  expect([withNpmOption.status, withNpmOption.output]).toEqual([
    2,
    expect.stringContaining('npm run simulate -- --schedules="5"'),
  ]);
});
