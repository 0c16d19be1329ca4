/**
 * Operators' access to D1: through wrangler in production, and directly through the file on this machine if
 * possible.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { ROOT } from "../../testing/tools.ts";
import type { Arguments } from "../command.ts";
import { STATE_DIR } from "../local.ts";
import { rewordError, wrangler } from "../wrangler.ts";
import { databaseFile, type Row, runOnFile } from "./local-d1.ts";

export type { Row } from "./local-d1.ts";

/**
 * A command's target: production or this machine. Locally, wrangler stores its state beside the
 * configuration.
 */
export type Target = {
  isRemote: boolean;
  config: string;
  /** The local product's port; null for the default. */
  port: string | null;
};

const DEFAULT_CONFIG = `${ROOT}wrangler.toml`;

/** The options of every command that works on D1. */
export const TARGET_OPTIONS = {
  remote: "flag",
  local: "flag",
  config: "text",
  port: "text",
  yes: "flag",
} as const;

/**
 * Returns the target from the arguments. @throws Error if they name both targets or the configuration is
 * missing
 */
export function targetOf(args: Arguments): Target {
  const isRemote = args.hasFlag("remote");
  if (isRemote && args.hasFlag("local")) throw new Error("Choose either --local or --remote.");
  const config = args.option("config") ?? DEFAULT_CONFIG;
  if (!existsSync(config)) throw new Error(`The configuration ${config} does not exist.`);
  return { isRemote, config, port: args.option("port") };
}

/** Returns wrangler's state folder for a custom configuration. */
const stateBeside = (config: string) => join(dirname(resolve(config)), ".wrangler/state");

/**
 * Returns the folder of the local D1 and R2 data: the one `npm start` uses, or the one beside a custom
 * configuration.
 */
export function stateDirOf({ config }: Target): string {
  return resolve(config) === resolve(DEFAULT_CONFIG) ? STATE_DIR : stateBeside(config);
}

/** Returns wrangler's flags for a target. */
function targetFlags(target: Target): string[] {
  const { isRemote, config } = target;
  const where = isRemote ? ["--remote"] : ["--local", "--persist-to", stateDirOf(target)];
  return ["--config", config, ...where];
}

/**
 * Passes `work` the flags for `wrangler d1 export`. That command has no flag for the state folder, so this
 * creates a temporary configuration beside the state.
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

/**
 * Quotes a value for an SQL statement. Only for statements sent to wrangler as text: the Worker binds its
 * values.
 */
export function quote(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/**
 * Runs SQL statements through wrangler. @returns the rows of each statement @throws Error with wrangler's
 * output
 */
export async function queryByWrangler(target: Target, statements: readonly string[]): Promise<Row[][]> {
  const flags = [...targetFlags(target), "--yes", "--json"];
  const output = await wrangler(
    ["d1", "execute", "DB", ...flags, "--command", statements.join(";\n")],
    target.isRemote,
  );
  const answers = JSON.parse(output.slice(output.indexOf("["))) as { results: Row[] }[];
  return answers.map(({ results }) => results);
}

/** Runs SQL statements on the database file. @throws Error in our wording if we know the cause */
function queryByFile(file: string, statements: readonly string[]): Row[][] {
  try {
    return runOnFile(file, statements);
  } catch (error) {
    const words = rewordError(String(error), false);
    if (words === null) throw error;
    throw new Error(words, { cause: error });
  }
}

/**
 * Runs several SQL statements together.
 *
 * @returns the rows of the last one
 * @throws Error in our wording if we know the cause, else with the output of SQLite or wrangler
 */
export async function query(target: Target, ...statements: readonly string[]): Promise<Row[]> {
  const file = target.isRemote ? null : databaseFile(stateDirOf(target));
  const answers = file ? queryByFile(file, statements) : await queryByWrangler(target, statements);
  return answers.at(-1) ?? [];
}

/** Runs an SQL file. @throws Error with wrangler's output */
export async function runFile(target: Target, file: string): Promise<void> {
  await wrangler(["d1", "execute", "DB", ...targetFlags(target), "--yes", "--file", file], target.isRemote);
}
