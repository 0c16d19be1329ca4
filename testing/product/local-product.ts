/** The product as `npm start` serves it, in its own folder: a running server for operator commands. */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { inject } from "vitest";

import { BUILD, ROOT, run, waitUntilUp } from "../tools.ts";
import { PASSWORD } from "../world.ts";

const BUILT = `${BUILD}wrangler.json`;

type Binding = { migrations_dir?: string };

/** Writes a configuration for commands: the build's own database, with its state in `folder`. */
export function writeConfig(folder: string): string {
  const built = JSON.parse(readFileSync(BUILT, "utf8")) as {
    compatibility_date: string;
    d1_databases: Binding[];
  };
  const config = join(folder, "wrangler.json");
  const d1_databases = built.d1_databases.map((database) => ({
    ...database,
    migrations_dir: `${ROOT}migrations`,
  }));
  const { compatibility_date } = built;
  writeFileSync(config, JSON.stringify({ name: "naturestrip-operated", compatibility_date, d1_databases }));
  return config;
}

/** Below the ports that the system assigns to browsers and other tests during a run. */
const FIRST_PORT = 15_000;
const PORTS = 15_000;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Returns a free port that the system will not assign to another process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (await isFree(port)) return port;
  }
}

/** Creates a provider's account at `url`. @returns its session cookie */
async function signUp(url: string, username: string): Promise<string> {
  const account = {
    firstName: "Pat",
    lastName: "Provider",
    phone: "0491 570 006",
    companyName: "Pat's Lawns",
    businessAddress: "1 Main Street",
    username,
    email: "",
    password: PASSWORD,
  };
  const response = await fetch(`${url}/api/auth/provider/signup`, {
    method: "POST",
    headers: { Origin: url, "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Signing up returned ${response.status}: ${text}`);
  return response.headers.getSetCookie()[0]!.split(";")[0]!;
}

export type LocalProduct = Awaited<ReturnType<typeof startLocalProduct>>;

/** Super admins' pages open without a passkey, as in `npm start`. */
const LOCAL = { ADMIN_PASSKEYS: "optional", SAMPLE_CLAIMS: "on" };

/** Serves the build in a process group of its own, so that we can end all of its processes. */
function spawnServer(port: number, stateDir: string, vars: Record<string, string>) {
  return spawn(
    `${ROOT}node_modules/.bin/wrangler`,
    [
      "dev",
      `--config=${BUILT}`,
      `--port=${port}`,
      // By default wrangler finds a free port and opens it a moment later, so one of two simultaneous starts
      // would fail.
      "--inspector-port=0",
      `--persist-to=${stateDir}`,
      "--show-interactive-dev-session=false",
      ...Object.entries(vars).map(([name, value]) => `--var=${name}:${value}`),
    ],
    { cwd: ROOT, detached: true, stdio: "ignore", env: { ...process.env, WRANGLER_SEND_METRICS: "false" } },
  );
}

/**
 * Starts the server on an empty database. The caller stops it.
 *
 * @param vars overrides of wrangler.toml's vars and the local ones
 * @param world the initial state; null for one that wrangler migrates, with its own table of migrations
 */
export async function startLocalProduct(
  vars: Record<string, string> = {},
  world: string | null = inject("emptyWorld"),
) {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-operated-"));
  const config = writeConfig(folder);
  if (world) cpSync(world, join(folder, ".wrangler/state/v3"), { recursive: true });
  else await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--config", config]);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const startServer = async () => {
    const child = spawnServer(port, join(folder, ".wrangler/state"), { ...LOCAL, ...vars });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await waitUntilUp(url);
    return { child, ended };
  };
  let server = await startServer();
  /** Ends the server. Its data stays, so that commands can read it. */
  const stopServer = async () => {
    const { exitCode, signalCode, pid } = server.child;
    if (exitCode === null && signalCode === null) process.kill(-pid!, "SIGTERM");
    await server.ended;
  };
  return {
    url,
    /** The configuration for operator commands on this product. */
    config,
    port,
    /** Creates a provider's account. @returns its session cookie */
    signUp: (username: string) => signUp(url, username),
    runSchedule: () => fetch(`${url}/cdn-cgi/handler/scheduled`),
    stopServer,
    /** Starts the server again, on the data that is there. */
    async restartServer() {
      server = await startServer();
    },
    async stop() {
      await stopServer();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
