/**
 * `npm start`: builds the product and serves it for real on this machine: the production build in the
 * Workers runtime, with D1, Durable Objects and WebSockets, and a demo world on the first start.
 */
import { DEMO_ACCOUNTS } from "../worker/testing/demo.ts";
import { PASSWORD } from "../worker/testing/world.ts";
import { fillLocalWorld, tradeDemoLeads } from "./demo.ts";
import {
  DEFAULT_PORT,
  ensureLocalSettings,
  migrate,
  run,
  STATE_DIR,
  start,
  step,
  waitUntilUp,
} from "./local.ts";

const CRON_MS = 60_000;

const port = Number(process.env.PORT ?? DEFAULT_PORT);
const url = `http://localhost:${port}`;

/** The local runtime knows the schedule but does not keep it. */
async function runSchedule(): Promise<void> {
  const response = await fetch(`${url}/cdn-cgi/handler/scheduled`);
  if (!response.ok) console.warn(`The scheduled handler answered ${response.status}.`);
}

console.log("\nNaturestrip\n");
ensureLocalSettings();
await step("Build", () => run("react-router", ["build"]));
await step("Database and 4,499 suburbs", migrate);
await step("Demo world", fillLocalWorld);

const verbose = process.argv.includes("--verbose");
start(
  "wrangler",
  [
    "dev",
    "--config=build/server/wrangler.json",
    `--port=${port}`,
    `--persist-to=${STATE_DIR}`,
    "--show-interactive-dev-session=false",
    "--log-level=log",
  ],
  {},
  (line) => (verbose || /"level":"(warn|error)"|\[ERROR\]|✘|Error:/.test(line) ? line : null),
);
await step("Server", () => waitUntilUp(url));
await step("Market opens", async () => {
  await runSchedule();
  await tradeDemoLeads(url);
});
setInterval(() => void runSchedule().catch((error: unknown) => console.warn(String(error))), CRON_MS);

console.log(`\n  ${url}\n\n  Accounts, all with the password ${PASSWORD}:`);
for (const { username, what } of DEMO_ACCOUNTS) console.log(`    ${username.padEnd(14)} ${what}`);
console.log("\n  Stop with Ctrl+C. `npm run db:reset` empties the world.\n");
