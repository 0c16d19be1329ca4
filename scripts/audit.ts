/**
 * `npm run audit`: whether the registry knows of a hole in a package that ships. Says so when the registry
 * gives no answer: then nothing was checked.
 */
import { spawnSync } from "node:child_process";

import { readAudit } from "./audit-rules.ts";
import { ROOT } from "../testing/tools.ts";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: ROOT, encoding: "utf8" });
const { words, isSound } = readAudit(stdout);
console.log(words);
process.exitCode = isSound === false ? 1 : 0;
