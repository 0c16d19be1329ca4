/** The description of an `npm run operate` command. */
import type { Arguments } from "../command.ts";
import type { Target } from "./d1.ts";

/** An option's kind (`text` takes a value, `flag` takes none), and one line of help. */
type OptionWithHelp = readonly [kind: "text" | "flag", help: string];

type CommandDescription = {
  /** One line for the command list. */
  summary: string;
  /** What else an operator should know before running it. */
  more?: string;
  options?: Readonly<Record<string, OptionWithHelp>>;
  /** Names of the positional arguments, in order. A name that ends in `?` is optional. */
  positionalArgs?: readonly string[];
};

export type OperatorCommand = CommandDescription &
  (
    | {
        /**
         * Whether the command changes anything, or a function that decides it from the arguments. In
         * production such runs ask first.
         */
        changes: boolean | ((args: Arguments) => boolean);
        work: (target: Target, args: Arguments) => Promise<unknown>;
      }
    /** For a command that has no target. */
    | { runLocally: (args: Arguments) => Promise<unknown> }
  );

/** Commands by the name that an operator types. */
export type OperatorCommands = Readonly<Record<string, OperatorCommand>>;

/** Returns each option's kind, in the argument parser's format. */
export function kindsOf(options: CommandDescription["options"] = {}): Record<string, "text" | "flag"> {
  return Object.fromEntries(Object.entries(options).map(([name, [kind]]) => [name, kind]));
}
