import { expect, test } from "vitest";

import { readArguments } from "./command.ts";

const SPEC = {
  name: "backup",
  isOperateCommand: true,
  options: { remote: "flag", output: "text" },
  positionalArgs: ["file?"],
} as const;
const read = (argv: string[], env: Record<string, string> = {}) => readArguments(SPEC, argv, env);

test("options are parsed with = and with a space, arguments stay in order, and missing ones are null", () => {
  const args = read(["some.sql", "--output=a.sql", "--remote"]);
  expect([args.option("output"), args.hasFlag("remote"), args.positionalArgs]).toEqual([
    "a.sql",
    true,
    ["some.sql"],
  ]);
  expect(read(["--output", "b c.sql"]).option("output")).toBe("b c.sql");
  expect([read([]).option("output"), read([]).hasFlag("remote")]).toEqual([null, false]);
});

test.each([
  [["--remot"], "Unknown option '--remot'"],
  [["--output"], "argument missing"],
  [["--remote=yes"], "does not take an argument"],
  [["one", "two"], '"two" is an extra argument'],
])("%j is rejected, with the correct command", (argv, message) => {
  expect(() => read(argv)).toThrow(message);
  expect(() => read(argv)).toThrow("npm run operate -- backup [file] [--remote] [--output=…]");
});

test("an option that npm consumed is an error with the correct spelling", () => {
  expect(() => read([], { npm_config_remote: "true" })).toThrow("npm run operate -- backup --remote");
  expect(() => read(["x.sql"], { npm_config_output: "a.sql" })).toThrow(
    'npm run operate -- backup --output="a.sql" x.sql',
  );
  expect(read(["--remote"], { npm_config_remote: "true" }).hasFlag("remote")).toBe(true);
  expect(read([], { npm_config_yes: "true" }).positionalArgs).toEqual([]);
  const deploy = { name: "deploy", options: { "dry-run": "flag" } } as const;
  expect(() => readArguments(deploy, [], { npm_config_dry_run: "true" })).toThrow(
    "npm run deploy -- --dry-run",
  );
  expect(read([], { npm_config_remote: "", npm_config_cache: "/somewhere" }).hasFlag("remote")).toBe(false);
});

test("a misspelt option that npm consumed is rejected, but npm's own options are not", () => {
  const path = { PATH: process.env.PATH!, HOME: process.env.HOME! };
  expect(() => read([], { ...path, npm_config_remotte: "true" })).toThrow(
    "npm consumed --remotte, an unknown option, so nothing was done.",
  );
  expect(
    read([], { ...path, npm_config_loglevel: "silent", npm_config_user_agent: "npm" }).positionalArgs,
  ).toEqual([]);
});
