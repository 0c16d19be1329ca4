/**
 * How a command of ours reads what it is told, and says where it works. Nothing that was typed is passed over:
 * a misspelt option must never run the command without it, least of all against production.
 */
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";

/** What a command takes. */
export type CommandSpec = {
  /** As in package.json, such as `backup`. */
  name: string;
  /** Options by name: `text` takes a value, `flag` takes none. */
  options?: Readonly<Record<string, "text" | "flag">>;
  /** Names of the words it takes besides, in their order; one that ends in `?` may be left out. */
  words?: readonly string[];
};

/** What a command was told. */
export type Arguments = {
  /** An option's value; null when it was not given. */
  option(name: string): string | null;
  has(name: string): boolean;
  words: readonly string[];
};

/** Asks before anything is changed when npm keeps it, and machines that never ask have it set for good. */
const HARMLESS = new Set(["yes"]);

/** Whether npm has a setting from a file, such as an email, rather than from what was just typed. */
function isNpmSetting(name: string, value: string, env: NodeJS.ProcessEnv): boolean {
  const plain = Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("npm_config_")));
  const { stdout } = spawnSync("npm", ["config", "get", name], { env: plain, encoding: "utf8" });
  return stdout?.trim() === value;
}

/** npm takes `--remote` for itself when `--` does not stand before it, and hands it over as a setting. */
function swallowedByNpm(names: readonly string[], argv: readonly string[], env: NodeJS.ProcessEnv): string[] {
  return names.filter((name) => {
    const value = env[`npm_config_${name.replaceAll("-", "_")}`];
    const isGiven = argv.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (HARMLESS.has(name) || isGiven || value === undefined || value === "" || value === "false")
      return false;
    return !isNpmSetting(name, value, env);
  });
}

/** What npm hands over of itself, whatever was typed. */
const NPMS_OWN = new Set([
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

/** Every setting npm knows, and those of its files; none when npm cannot be asked. */
function npmSettings(env: NodeJS.ProcessEnv): ReadonlySet<string> {
  const plain = Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("npm_config_")));
  const { stdout } = spawnSync("npm", ["config", "ls", "--long", "--json"], { env: plain, encoding: "utf8" });
  const names = Object.keys(JSON.parse(stdout || "{}") as object);
  return new Set(names.map((name) => name.replaceAll("-", "_")));
}

/** Options that npm kept and neither it nor the command knows, such as a misspelt one. */
function unknownToBoth(options: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const ours = new Set(options.map((name) => name.replaceAll("-", "_")));
  const kept = Object.keys(env)
    .filter((key) => key.startsWith("npm_config_") && env[key] !== "" && env[key] !== "false")
    .map((key) => key.slice("npm_config_".length))
    .filter((name) => !NPMS_OWN.has(name) && !ours.has(name) && !HARMLESS.has(name));
  if (kept.length === 0) return [];
  const known = npmSettings(env);
  return known.size === 0 ? [] : kept.filter((name) => !known.has(name));
}

function usage({ name, options = {}, words = [] }: CommandSpec): string {
  const parts = [
    ...words.map((word) => (word.endsWith("?") ? `[${word.slice(0, -1)}]` : word)),
    ...Object.entries(options).map(([option, kind]) =>
      kind === "text" ? `[--${option}=…]` : `[--${option}]`,
    ),
  ];
  return `npm run ${name}${parts.length > 0 ? ` -- ${parts.join(" ")}` : ""}`;
}

/** Why arguments cannot be read, in our words. */
function inWords(error: unknown, spec: CommandSpec): Error {
  const message = error instanceof Error ? error.message : String(error);
  const first = /^[^.]*\./.exec(message)?.[0] ?? message;
  return new Error(`${first} The command is: ${usage(spec)}`, { cause: error });
}

/**
 * Makes sure that npm has kept nothing that was meant for a command.
 * @throws Error in one sentence that says how it is spelt
 */
export function checkNothingKept(
  spec: CommandSpec,
  argv: readonly string[] = process.argv.slice(2),
  env: NodeJS.ProcessEnv = process.env,
): void {
  const names = Object.keys(spec.options ?? {});
  const swallowed = swallowedByNpm(names, argv, env);
  if (swallowed.length > 0) {
    const typed = swallowed
      .map((name) => {
        const value = env[`npm_config_${name.replaceAll("-", "_")}`];
        return value === "true" ? `--${name}` : `--${name}="${value}"`;
      })
      .join(" ");
    throw new Error(
      `npm kept ${typed} for itself, and nothing was done. Put -- before it: npm run ${spec.name} -- ${[typed, ...argv].join(" ")}`,
    );
  }
  const [unknown] = unknownToBoth(names, env);
  if (unknown !== undefined)
    throw new Error(
      `npm kept --${unknown.replaceAll("_", "-")} for itself, which nobody knows, and nothing was done. The command is: ${usage(spec)}`,
    );
}

/**
 * Reads a command's arguments.
 * @throws Error in one sentence for an argument the command does not know, or that npm has kept for itself
 */
export function readArguments(
  spec: CommandSpec,
  argv: readonly string[] = process.argv.slice(2),
  env: NodeJS.ProcessEnv = process.env,
): Arguments {
  const { options = {}, words = [] } = spec;
  checkNothingKept(spec, argv, env);
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
    throw inWords(error, spec);
  }
  const { values, positionals } = parsed;
  if (positionals.length > words.length)
    throw new Error(`"${positionals[words.length]}" is one word too many. The command is: ${usage(spec)}`);
  return {
    option: (name) => (typeof values[name] === "string" ? values[name] : null),
    has: (name) => values[name] === true,
    words: positionals,
  };
}

/**
 * Asks before production is changed.
 * @param isSure whether `--yes` was given
 * @throws Error when the answer is no, or nobody can be asked
 */
export async function confirmProduction(isSure: boolean): Promise<void> {
  if (isSure) return;
  if (!process.stdin.isTTY)
    throw new Error("Nothing was changed: nobody can be asked here. Add --yes to change PRODUCTION.");
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asking.question("This changes PRODUCTION. Type production to go on: ");
  asking.close();
  if (answer.trim() !== "production") throw new Error("Nothing was changed.");
}

/**
 * Asks before each step of a command that has several.
 * @param isSure whether `--yes` was given: then nobody is asked
 * @returns asks one question; it throws an Error when nobody can be asked
 */
export function asking(isSure: boolean): (question: string) => Promise<boolean> {
  return async (question) => {
    console.log(`\n${question}`);
    if (isSure) return true;
    if (!process.stdin.isTTY)
      throw new Error("Stopped here: nobody can be asked. Add --yes to go on through every step.");
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question("Go on? Type yes: ");
    terminal.close();
    return answer.trim().toLowerCase() === "yes";
  };
}

const FILE_TROUBLE: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file",
  EACCES: "This file may not be read or written",
  EISDIR: "This is a folder, and a file is needed",
};

/** What went wrong, in one sentence where the cause is known. */
function inSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "", path } = error as NodeJS.ErrnoException;
  return path !== undefined && code in FILE_TROUBLE ? `${FILE_TROUBLE[code]}: ${path}` : error.message;
}

/** Runs a command's work; what goes wrong is said in one sentence. */
export async function main(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(inSentence(error));
    process.exitCode = 1;
  }
}

/** The same for a command that serves until it is stopped: what goes wrong at its start ends it. */
export async function mainUntilStopped(work: () => Promise<unknown>): Promise<void> {
  await main(work);
  if (process.exitCode) process.exit();
}
