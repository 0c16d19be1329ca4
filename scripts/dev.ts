/** `npm run dev`: serves the same demo world as `npm start`, with hot reload. */
import { fillLocalWorld, tradeDemoLeads } from "./demo.ts";
import { ensureLocalSettings, migrate, portOf } from "./local.ts";
import { start } from "./processes.ts";
import { runUntilStopped, readArguments } from "./command.ts";
import { announceServing, checkCanServe } from "./running-server.ts";
import { step, waitUntilUp } from "../testing/tools.ts";

const CRON_MS = 60_000;

async function runSchedule(url: string): Promise<void> {
  await fetch(`${url}/cdn-cgi/handler/scheduled`);
}

await runUntilStopped(async () => {
  readArguments({ name: "dev" });
  const port = portOf(process.env.PORT);
  const url = `http://localhost:${port}`;
  await checkCanServe("npm run dev", [port]);
  announceServing(url);
  ensureLocalSettings();
  await step("Database and suburbs", migrate);
  await step("Demo world", fillLocalWorld);
  start("react-router", ["dev", "--port", String(port), "--strictPort"], {}, (line) => line);
  await waitUntilUp(url);
  await runSchedule(url);
  await tradeDemoLeads(url);
  setInterval(() => void runSchedule(url).catch((error: unknown) => console.warn(String(error))), CRON_MS);
});
