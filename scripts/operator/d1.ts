/** How operators' scripts reach D1: through wrangler, on this machine or in production. */
import { ROOT, run } from "../../testing/tools.ts";
import { type Arguments, type CommandSpec, confirmProduction, main, readArguments } from "../command.ts";

/** Where a command works: in production, or on this machine, where wrangler keeps its state beside the configuration. */
export type Target = {
  isRemote: boolean;
  config: string;
  /** Where the product answers on this machine; null for where it usually does. */
  port: string | null;
};

const TARGET_OPTIONS = { remote: "flag", local: "flag", config: "text", port: "text", yes: "flag" } as const;

/** Where a command works, as it was told. @throws Error when it is told both */
export function targetOf(args: Arguments): Target {
  const isRemote = args.has("remote");
  if (isRemote && args.has("local")) throw new Error("Choose one of --local and --remote.");
  return { isRemote, config: args.option("config") ?? `${ROOT}wrangler.toml`, port: args.option("port") };
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
