/**
 * `npm run operate` lists the operator commands. `npm run operate -- <command>` runs one, and `--help`
 * explains it. Commands that read or change data work on this machine. With `--remote` they work on
 * production and ask before each change.
 */
import { main } from "./command.ts";
import { operate } from "./operator/operate.ts";

await main(() => operate(process.argv.slice(2), process.env));
