/** Serves the production build locally, for `npm start` and `npm run dev:cards`. */
import { randomBytes } from "node:crypto";
import { cpSync, rmSync } from "node:fs";

import { DEMO_ACCOUNTS } from "../testing/demo.ts";
import { PASSWORD } from "../testing/world.ts";
import { allowDemoNotifications, type BuyDemoLead, fillLocalWorld, tradeDemoLeads } from "./demo.ts";
import { ensureLocalSettings, localPushKeys, migrate, portOf, STATE_DIR } from "./local.ts";
import { start } from "./processes.ts";
import { readArguments } from "./command.ts";
import { announceServing, checkCanServe } from "./running-server.ts";
import { LOCAL_SMS_KEYS, MessageBox } from "../testing/stand-ins/message-box.ts";
import { PushStandIn } from "../testing/stand-ins/push-stand-in.ts";
import { serveStandIn } from "../testing/stand-ins/stand-in-server.ts";
import { ROOT, run, step, waitUntilUp } from "../testing/tools.ts";

const CRON_MS = 60_000;

/** Returns the port: PORT, or the default. @throws Error if it is not a valid port */
export const readPort = () => portOf(process.env.PORT);

/** The folder to serve from: a copy, so that a rebuild or a test does not change a running server's files. */
const SERVED = `${STATE_DIR}.served`;

/** Copies the build and the local settings to the folder to serve from. */
function copyBuild(): void {
  rmSync(SERVED, { recursive: true, force: true });
  cpSync(`${ROOT}build`, SERVED, { recursive: true });
  cpSync(`${ROOT}.dev.vars`, `${SERVED}/server/.dev.vars`);
}

/** Triggers the cron, since the local runtime does not. */
async function runSchedule(url: string): Promise<void> {
  const response = await fetch(`${url}/cdn-cgi/handler/scheduled`);
  if (!response.ok) console.warn(`The scheduled handler returned ${response.status}.`);
}

type ServeOptions = {
  /** The script's name in package.json. */
  name: string;
  /** Overrides of the local settings. */
  vars?: Record<string, string>;
  /** How the demo buys its leads. */
  buy?: BuyDemoLead;
};

/**
 * Builds the product and serves it in the Workers runtime, with D1, Durable Objects and WebSockets. Fills the
 * demo world on the first start.
 *
 * @returns its URL
 * @throws Error if it is already running or its port is in use
 */
export async function serveLocally(options: ServeOptions): Promise<string> {
  const args = readArguments({ name: options.name, options: { built: "flag", verbose: "flag" } });
  const command = options.name === "start" ? "npm start" : `npm run ${options.name}`;
  const port = readPort();
  const url = `http://localhost:${port}`;
  await checkCanServe(command, [port]);
  announceServing(url);
  console.log("\nNaturestrip\n");
  ensureLocalSettings();
  const push = new PushStandIn(localPushKeys());
  const smsWebhookSecret = randomBytes(24).toString("base64url");
  const box = new MessageBox(push, (word) =>
    fetch(`${url}/api/sms/webhook/${smsWebhookSecret}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(word),
    }),
  );
  const { url: standIn } = await serveStandIn((request) => box.fetch(request));
  const vars = {
    // For the links in messages.
    SITE_HOST: `localhost:${port}`,
    EMAIL_FROM: "hello@naturestrip.example",
    MESSAGE_STAND_IN: standIn,
    PUSH_STAND_IN: standIn,
    SMS_GATEWAY: "mobilemessage",
    SMS_SENDER: "+61491570006",
    SMS_KEYS: LOCAL_SMS_KEYS,
    SMS_WEBHOOK_SECRET: smsWebhookSecret,
    ...options.vars,
  };
  if (!args.hasFlag("built")) await step("Build", () => run("react-router", ["build"]));
  copyBuild();
  await step("Database and 4,509 suburbs", migrate);
  await step("Demo world", fillLocalWorld);

  const verbose = args.hasFlag("verbose");
  start(
    "wrangler",
    [
      "dev",
      `--config=${SERVED}/server/wrangler.json`,
      `--port=${port}`,
      // By default wrangler picks a free port before it binds it, so one of two simultaneous starts would
      // fail.
      "--inspector-port=0",
      `--persist-to=${STATE_DIR}`,
      "--show-interactive-dev-session=false",
      "--log-level=log",
      ...Object.entries(vars).map(([name, value]) => `--var=${name}:${value}`),
    ],
    {},
    (line) => (verbose || /"level":"(warn|error)"|\[ERROR\]|✘|Error:/.test(line) ? line : null),
  );
  await step("Server", () => waitUntilUp(url));
  await step("Market opens", async () => {
    await runSchedule(url);
    await tradeDemoLeads(url, options.buy);
    await allowDemoNotifications(url, await push.subscribe());
  });
  setInterval(() => void runSchedule(url).catch((error: unknown) => console.warn(String(error))), CRON_MS);
  return url;
}

/** Prints the URL and the demo accounts. */
export function printWelcome(url: string): void {
  console.log(`\n  ${url}\n\n  Accounts, all with the password ${PASSWORD}:`);
  for (const { username, what } of DEMO_ACCOUNTS) console.log(`    ${username.padEnd(14)} ${what}`);
  console.log(`\n  Emails and notifications appear at ${url}/dev/messages.`);
  console.log("\n  Stop with Ctrl+C. `npm run db:reset` empties the world.\n");
}
