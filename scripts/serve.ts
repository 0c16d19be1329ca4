/** What `npm start` and `npm run dev:cards` share: the production build, served for real on this machine. */
import { DEMO_ACCOUNTS } from "../testing/demo.ts";
import { PASSWORD } from "../testing/world.ts";
import { type BuyDemoLead, fillLocalWorld, tradeDemoLeads } from "./demo.ts";
import { DEFAULT_PORT, ensureLocalSettings, migrate, STATE_DIR, start } from "./local.ts";
import { run, step, waitUntilUp } from "../testing/tools.ts";

const CRON_MS = 60_000;

/** Where the product is served: PORT, or its usual one. */
export const port = Number(process.env.PORT ?? DEFAULT_PORT);
const url = `http://localhost:${port}`;

/** The local runtime knows the schedule but does not keep it. */
async function runSchedule(): Promise<void> {
  const response = await fetch(`${url}/cdn-cgi/handler/scheduled`);
  if (!response.ok) console.warn(`The scheduled handler answered ${response.status}.`);
}

/**
 * Builds the product and serves it in the Workers runtime, with D1, Durable Objects and WebSockets, and a
 * demo world on the first start.
 * @param options `vars` override the settings of this machine; `buy` is how the demo's own sales are made
 * @returns where it is served
 */
export async function serveLocally(
  options: { vars?: Record<string, string>; buy?: BuyDemoLead } = {},
): Promise<string> {
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
      ...Object.entries(options.vars ?? {}).map(([name, value]) => `--var=${name}:${value}`),
    ],
    {},
    (line) => (verbose || /"level":"(warn|error)"|\[ERROR\]|✘|Error:/.test(line) ? line : null),
  );
  await step("Server", () => waitUntilUp(url));
  await step("Market opens", async () => {
    await runSchedule();
    await tradeDemoLeads(url, options.buy);
  });
  setInterval(() => void runSchedule().catch((error: unknown) => console.warn(String(error))), CRON_MS);
  return url;
}

/** Says where it is and who may sign in. */
export function greet(url: string): void {
  console.log(`\n  ${url}\n\n  Accounts, all with the password ${PASSWORD}:`);
  for (const { username, what } of DEMO_ACCOUNTS) console.log(`    ${username.padEnd(14)} ${what}`);
  console.log("\n  Stop with Ctrl+C. `npm run db:reset` empties the world.\n");
}
