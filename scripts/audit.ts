/**
 * `npm run audit`: reports known vulnerabilities in packages that ship. If the registry gives no answer, it reports
 * that nothing was checked.
 */
import { spawnSync } from "node:child_process";

import { readAudit } from "./audit-rules.ts";
import { ROOT } from "../testing/tools.ts";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: ROOT, encoding: "utf8" });
const { words, isSound } = readAudit(stdout);
console.log(words);
process.exitCode = isSound === false ? 1 : 0;
