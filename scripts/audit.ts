/**
 * `npm run audit`: reports known vulnerabilities in runtime dependencies. If the registry does not respond,
 * it says that it checked nothing.
 */
import { spawnSync } from "node:child_process";

import { readAudit } from "./audit-rules.ts";
import { ROOT } from "../testing/tools.ts";

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: ROOT, encoding: "utf8" });
const { words, hasNoVulnerabilities } = readAudit(stdout);
console.log(words);
process.exitCode = hasNoVulnerabilities === false ? 1 : 0;
