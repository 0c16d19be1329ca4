/** How operators' scripts reach D1: through wrangler, on this machine or in production. */
import { ROOT, run } from "../../testing/tools.ts";

/**
 * `--remote` means production; everything else stays on this machine, where wrangler keeps its state
 * beside the configuration.
 */
export type Target = { isRemote: boolean; config: string };

/** The value of `--name=value` or `--name value`; null when it is not given. */
export function option(name: string, args = process.argv.slice(2)): string | null {
  const inline = args.find((arg) => arg.startsWith(`--${name}=`));
  if (inline) return inline.slice(name.length + 3);
  const at = args.indexOf(`--${name}`);
  const next = at < 0 ? undefined : args[at + 1];
  return next === undefined || next.startsWith("--") ? null : next;
}

/** Where a script works, from its arguments. @throws Error when it is told both */
export function targetOf(args = process.argv.slice(2)): Target {
  const isRemote = args.includes("--remote");
  if (isRemote && args.includes("--local")) throw new Error("Choose one of --local and --remote.");
  return { isRemote, config: option("config", args) ?? `${ROOT}wrangler.toml` };
}

/** wrangler's flags for a target. */
export function targetFlags({ isRemote, config }: Target): string[] {
  return ["--config", config, isRemote ? "--remote" : "--local"];
}

/** A value as SQL text. Only for statements that wrangler takes as text; the Worker binds its values. */
export function quote(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

export type Row = Record<string, string | number | null>;

/**
 * Runs SQL statements, each start of wrangler taking a second or more.
 * @returns the rows of each statement
 * @throws Error with what wrangler printed
 */
export async function queryAll(target: Target, sql: string): Promise<Row[][]> {
  const output = await run("wrangler", [
    "d1",
    "execute",
    "DB",
    ...targetFlags(target),
    "--yes",
    "--json",
    "--command",
    sql,
  ]);
  const answers = JSON.parse(output.slice(output.indexOf("["))) as { results: Row[] }[];
  return answers.map(({ results }) => results);
}

/** Runs SQL statements. @returns the rows of the last one */
export async function query(target: Target, sql: string): Promise<Row[]> {
  return (await queryAll(target, sql)).at(-1) ?? [];
}

/** Runs a file of SQL. @throws Error with what wrangler printed */
export async function runFile(target: Target, file: string): Promise<void> {
  await run("wrangler", ["d1", "execute", "DB", ...targetFlags(target), "--yes", "--file", file]);
}

/** Runs a script's work; what goes wrong is said in one sentence. */
export async function main(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
