/** How operators' scripts reach D1: in production through wrangler, on this machine by its file where they can. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { ROOT } from "../../testing/tools.ts";
import { type Arguments, type CommandSpec, confirmProduction, main, readArguments } from "../command.ts";
import { STATE_DIR } from "../local.ts";
import { inOurWords, wrangler } from "../wrangler.ts";
import { databaseFile, type Row, runOnFile } from "./local-d1.ts";

export type { Row } from "./local-d1.ts";

/** Where a command works: in production, or on this machine, where wrangler keeps its state beside the configuration. */
export type Target = {
  isRemote: boolean;
  config: string;
  /** Where the product answers on this machine; null for where it usually does. */
  port: string | null;
};

const OWN_CONFIG = `${ROOT}wrangler.toml`;

const TARGET_OPTIONS = { remote: "flag", local: "flag", config: "text", port: "text", yes: "flag" } as const;

/** Where a command works, as it was told. @throws Error when it is told both, or the configuration is missing */
export function targetOf(args: Arguments): Target {
  const isRemote = args.has("remote");
  if (isRemote && args.has("local")) throw new Error("Choose one of --local and --remote.");
  const config = args.option("config") ?? OWN_CONFIG;
  if (!existsSync(config)) throw new Error(`There is no configuration ${config}.`);
  return { isRemote, config, port: args.option("port") };
}

/**
 * Runs an operator's command: reads what it was told, says where it works, and asks before production is
 * changed.
 * @param changes whether it changes anything, or which of its runs do
 */
export function operate(
  spec: CommandSpec,
  changes: boolean | ((args: Arguments) => boolean),
  work: (target: Target, args: Arguments) => Promise<unknown>,
): Promise<void> {
  return main(async () => {
    const args = readArguments({ ...spec, options: { ...spec.options, ...TARGET_OPTIONS } });
    const target = targetOf(args);
    const isChange = typeof changes === "function" ? changes(args) : changes;
    console.log(target.isRemote ? "In PRODUCTION:" : "On this machine:");
    if (target.isRemote && isChange) await confirmProduction(args.has("yes"));
    await work(target, args);
  });
}

/** Where a configuration of one's own keeps its state, as wrangler does it. */
const stateBeside = (config: string) => join(dirname(resolve(config)), ".wrangler/state");

/** Where this machine's D1 and objects keep their files: where `npm start` has them, or beside another configuration. */
export function stateDirOf({ config }: Target): string {
  return resolve(config) === resolve(OWN_CONFIG) ? STATE_DIR : stateBeside(config);
}

/** wrangler's flags for a target. */
export function targetFlags(target: Target): string[] {
  const { isRemote, config } = target;
  const where = isRemote ? ["--remote"] : ["--local", "--persist-to", stateDirOf(target)];
  return ["--config", config, ...where];
}

/**
 * The same for `wrangler d1 export`, which takes no word about where the state is: it gets a configuration that
 * has it beside itself.
 */
export async function withExportFlags<T>(target: Target, work: (flags: string[]) => Promise<T>): Promise<T> {
  const { isRemote, config } = target;
  const state = stateDirOf(target);
  if (isRemote || state === stateBeside(config))
    return work(["--config", config, isRemote ? "--remote" : "--local"]);
  const { unstable_readConfig } = await import("wrangler");
  const { name, compatibility_date, d1_databases } = unstable_readConfig({ config });
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-export-"));
  try {
    const own = join(folder, "wrangler.json");
    writeFileSync(own, JSON.stringify({ name, compatibility_date, d1_databases }));
    mkdirSync(join(folder, ".wrangler"));
    symlinkSync(state, join(folder, ".wrangler/state"));
    return await work(["--config", own, "--local"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A value as SQL text. Only for statements that wrangler takes as text; the Worker binds its values. */
export function quote(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/** Runs SQL statements through wrangler. @returns the rows of each @throws Error with what wrangler printed */
export async function queryByWrangler(target: Target, statements: readonly string[]): Promise<Row[][]> {
  const flags = [...targetFlags(target), "--yes", "--json"];
  const output = await wrangler(
    ["d1", "execute", "DB", ...flags, "--command", statements.join(";\n")],
    target.isRemote,
  );
  const answers = JSON.parse(output.slice(output.indexOf("["))) as { results: Row[] }[];
  return answers.map(({ results }) => results);
}

/** The same by the database's file. @throws Error in our words where we know what is wrong */
function queryByFile(file: string, statements: readonly string[]): Row[][] {
  try {
    return runOnFile(file, statements);
  } catch (error) {
    const words = inOurWords(String(error), false);
    if (words === null) throw error;
    throw new Error(words, { cause: error });
  }
}

/**
 * Runs SQL statements, one each, together.
 * @returns the rows of the last one
 * @throws Error in our words, SQLite's, or with what wrangler printed
 */
export async function query(target: Target, ...statements: readonly string[]): Promise<Row[]> {
  const file = target.isRemote ? null : databaseFile(stateDirOf(target));
  const answers = file ? queryByFile(file, statements) : await queryByWrangler(target, statements);
  return answers.at(-1) ?? [];
}

/** Runs a file of SQL. @throws Error with what wrangler printed */
export async function runFile(target: Target, file: string): Promise<void> {
  await wrangler(["d1", "execute", "DB", ...targetFlags(target), "--yes", "--file", file], target.isRemote);
}
