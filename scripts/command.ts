/**
 * Parses a command's arguments and prints the target environment. Rejects unknown arguments: a misspelt
 * option must not be ignored, least of all in production.
 */
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";

/** The arguments a command accepts. */
export type CommandSpec = {
  /** The script's name in package.json, such as `deploy`, or the operator command, such as `backup`. */
  name: string;
  /** Whether it is one of the `npm run operate` commands. */
  isOperateCommand?: boolean;
  /** Options by name: `text` takes a value, `flag` takes none. */
  options?: Readonly<Record<string, "text" | "flag">>;
  /** Names of the positional arguments, in order. A name that ends in `?` is optional. */
  positionalArgs?: readonly string[];
};

/** A command's parsed arguments. */
export type Arguments = {
  /** An option's value; null if it was not given. */
  option(name: string): string | null;
  hasFlag(name: string): boolean;
  positionalArgs: readonly string[];
};

/**
 * Options that npm may consume harmlessly. Without `--yes` a command asks first. CI machines set it in npm's
 * configuration.
 */
const HARMLESS_OPTIONS = new Set(["yes"]);

/** Whether npm read a setting, such as an email, from a file instead of the command line. */
function isNpmSetting(name: string, value: string, env: NodeJS.ProcessEnv): boolean {
  const plain = Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("npm_config_")));
  const { stdout } = spawnSync("npm", ["config", "get", name], { env: plain, encoding: "utf8" });
  return stdout?.trim() === value;
}

/**
 * Finds options of ours that npm consumed. Without `--`, npm parses `--remote` itself and passes it on as a
 * setting.
 */
function findConsumedByNpm(
  names: readonly string[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): string[] {
  return names.filter((name) => {
    const value = env[`npm_config_${name.replaceAll("-", "_")}`];
    const isGiven = argv.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (HARMLESS_OPTIONS.has(name) || isGiven || value === undefined || value === "" || value === "false")
      return false;
    return !isNpmSetting(name, value, env);
  });
}

/** Settings that npm always passes, whatever the operator typed. */
const NPM_SETTINGS = new Set([
  "cache",
  "global_prefix",
  "globalconfig",
  "init_module",
  "local_prefix",
  "node_gyp",
  "noproxy",
  "npm_version",
  "prefix",
  "user_agent",
  "userconfig",
]);

/** Returns every setting npm knows, including those in its files. Empty if npm cannot run. */
function npmSettings(env: NodeJS.ProcessEnv): ReadonlySet<string> {
  const plain = Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("npm_config_")));
  const { stdout } = spawnSync("npm", ["config", "ls", "--long", "--json"], { env: plain, encoding: "utf8" });
  const names = Object.keys(JSON.parse(stdout || "{}") as object);
  return new Set(names.map((name) => name.replaceAll("-", "_")));
}

/** Finds options that npm consumed but that neither npm nor the command knows, such as misspelt ones. */
function findUnknownOptions(options: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const ours = new Set(options.map((name) => name.replaceAll("-", "_")));
  const unknownOptions = Object.keys(env)
    .filter((key) => key.startsWith("npm_config_") && env[key] !== "" && env[key] !== "false")
    .map((key) => key.slice("npm_config_".length))
    .filter((name) => !NPM_SETTINGS.has(name) && !ours.has(name) && !HARMLESS_OPTIONS.has(name));
  if (unknownOptions.length === 0) return [];
  const known = npmSettings(env);
  return known.size === 0 ? [] : unknownOptions.filter((name) => !known.has(name));
}

/** Returns the command line that runs a command with these arguments. */
function formatCommandLine({ name, isOperateCommand = false }: CommandSpec, args: readonly string[]): string {
  const given = isOperateCommand ? [name, ...args] : args;
  return ["npm run", isOperateCommand ? "operate" : name, ...(given.length > 0 ? ["--", ...given] : [])].join(
    " ",
  );
}

/** Returns a command's usage line, with all its arguments. */
export function usage(spec: CommandSpec): string {
  const { options = {}, positionalArgs = [] } = spec;
  const parts = [
    ...positionalArgs.map((word) => (word.endsWith("?") ? `[${word.slice(0, -1)}]` : word)),
    ...Object.entries(options).map(([option, kind]) =>
      kind === "text" ? `[--${option}=…]` : `[--${option}]`,
    ),
  ];
  return formatCommandLine(spec, parts);
}

/** Rewrites the argument parser's error in our wording. */
function rewriteError(error: unknown, spec: CommandSpec): Error {
  const message = error instanceof Error ? error.message : String(error);
  const first = /^[^.]*\./.exec(message)?.[0] ?? message;
  return new Error(`${first} The command is: ${usage(spec)}`, { cause: error });
}

/**
 * Checks that npm consumed none of the command's options.
 *
 * @throws Error in one sentence with the correct command line
 */
export function checkNpmArguments(
  spec: CommandSpec,
  argv: readonly string[] = process.argv.slice(2),
  env: NodeJS.ProcessEnv = process.env,
): void {
  const names = Object.keys(spec.options ?? {});
  const swallowed = findConsumedByNpm(names, argv, env);
  if (swallowed.length > 0) {
    const typed = swallowed
      .map((name) => {
        const value = env[`npm_config_${name.replaceAll("-", "_")}`];
        return value === "true" ? `--${name}` : `--${name}="${value}"`;
      })
      .join(" ");
    throw new Error(
      `npm consumed ${typed}, so nothing was done. Put -- before it: ${formatCommandLine(spec, [typed, ...argv])}`,
    );
  }
  const [unknown] = findUnknownOptions(names, env);
  if (unknown !== undefined)
    throw new Error(
      `npm consumed --${unknown.replaceAll("_", "-")}, an unknown option, so nothing was done. The command is: ${usage(spec)}`,
    );
}

/**
 * Parses a command's arguments.
 *
 * @throws Error in one sentence if an argument is unknown or npm consumed it
 */
export function readArguments(
  spec: CommandSpec,
  argv: readonly string[] = process.argv.slice(2),
  env: NodeJS.ProcessEnv = process.env,
): Arguments {
  const { options = {}, positionalArgs = [] } = spec;
  checkNpmArguments(spec, argv, env);
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, kind]) => [
          name,
          { type: kind === "text" ? ("string" as const) : ("boolean" as const) },
        ]),
      ),
    });
  } catch (error) {
    throw rewriteError(error, spec);
  }
  const { values, positionals } = parsed;
  if (positionals.length > positionalArgs.length)
    throw new Error(
      `"${positionals[positionalArgs.length]}" is an extra argument. The command is: ${usage(spec)}`,
    );
  return {
    option: (name) => (typeof values[name] === "string" ? values[name] : null),
    hasFlag: (name) => values[name] === true,
    positionalArgs: positionals,
  };
}

/**
 * Asks for confirmation before a change to production.
 *
 * @param isConfirmed whether `--yes` was given
 * @throws Error if the operator declines or there is no terminal
 */
export async function confirmProduction(isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY)
    throw new Error(
      "Nothing was changed: there is no terminal to confirm in. Add --yes to change PRODUCTION.",
    );
  const confirmStep = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await confirmStep.question("This changes PRODUCTION. Type production to continue: ");
  confirmStep.close();
  if (answer.trim() !== "production") throw new Error("Nothing was changed.");
}

/**
 * Returns a function that asks for confirmation before each step of a command.
 *
 * @param isConfirmed whether `--yes` was given: then it never asks
 * @returns asks one question; throws an Error if there is no terminal
 */
export function confirmStep(isConfirmed: boolean): (question: string) => Promise<boolean> {
  return async (question) => {
    console.log(`\n${question}`);
    if (isConfirmed) return true;
    if (!process.stdin.isTTY)
      throw new Error("Stopped here: there is no terminal to confirm in. Add --yes to run every step.");
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question("Go on? Type yes: ");
    terminal.close();
    return answer.trim().toLowerCase() === "yes";
  };
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file",
  EACCES: "No permission to read or write this file",
  EISDIR: "This is a folder, not a file",
};

/** Describes an error in one sentence if we know the cause. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "", path } = error as NodeJS.ErrnoException;
  return path !== undefined && code in FILE_ERRORS ? `${FILE_ERRORS[code]}: ${path}` : error.message;
}

/** Runs a command and reports any error in one sentence. */
export async function main(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}

/** Runs a command that keeps serving until it is stopped. An error at startup ends the process. */
export async function runUntilStopped(work: () => Promise<unknown>): Promise<void> {
  await main(work);
  if (process.exitCode) process.exit();
}
