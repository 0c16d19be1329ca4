/** Runs, lists and explains the operator commands. */
import { type CommandSpec, confirmProduction, readArguments, usage } from "../command.ts";
import { kindsOf, type OperatorCommand } from "./command-types.ts";
import { COMMANDS } from "./commands.ts";
import { TARGET_OPTIONS, targetOf } from "./d1.ts";

const TARGET_HELP: Readonly<Record<keyof typeof TARGET_OPTIONS, string>> = {
  remote: "works on production",
  local: "works on this machine, the default",
  config: "another wrangler.toml",
  port: "the product's port on this machine",
  yes: "asks nothing",
};

/** Aligns names and their descriptions in two columns. */
function columns(rows: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join("\n");
}

function specOf(name: string, command: OperatorCommand): CommandSpec {
  const options = { ...kindsOf(command.options), ...("work" in command ? TARGET_OPTIONS : {}) };
  return { name, isOperateCommand: true, options, positionalArgs: command.positionalArgs ?? [] };
}

/** Explains a command: what it does, its usage line and its options. */
function helpOf(name: string, command: OperatorCommand): string {
  const own = Object.entries(command.options ?? {}).map(([option, [, help]]) => [option, help] as const);
  const target = "work" in command ? Object.entries(TARGET_HELP) : [];
  const options = [...own, ...target].map(([option, help]) => [`--${option}`, help] as const);
  const about = command.more ? `${command.summary}. ${command.more}` : `${command.summary}.`;
  return `${about}\n\n${usage(specOf(name, command))}\n${columns(options)}`.trimEnd();
}

async function runCommand(
  name: string,
  command: OperatorCommand,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const args = readArguments(specOf(name, command), argv, env);
  if ("runLocally" in command) return void (await command.runLocally(args));
  const target = targetOf(args);
  const changesData = typeof command.changes === "function" ? command.changes(args) : command.changes;
  console.log(target.isRemote ? "In PRODUCTION:" : "On this machine:");
  if (target.isRemote && changesData) await confirmProduction(args.hasFlag("yes"));
  await command.work(target, args);
}

/**
 * Runs the command that the arguments name, explains it with `--help`, or lists all commands.
 *
 * @param env npm's settings show which options npm consumed
 * @throws Error in one sentence for unclear arguments; the command's errors
 */
export async function operate(given: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [name = "", ...argv] = given;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command && argv.includes("--help")) return console.log(helpOf(name, command));
  if (command) return runCommand(name, command, argv, env);
  const known = columns(Object.entries(COMMANDS).map(([key, { summary }]) => [key, summary]));
  if (name !== "" && name !== "--help")
    throw new Error(`Unknown command ${name}. The commands are:\n${known}`);
  console.log(`npm run operate -- <command> [--help]\n\n${known}`);
}
