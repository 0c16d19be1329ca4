/** Finds a Chromium for the browser tests, or installs one where that is possible. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { chromium } from "playwright-core";

import { ROOT } from "./local.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Path of a Chromium on this machine: CHROMIUM_PATH, the system's, or Playwright's; null when none is there. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named && existsSync(named)) return named;
  for (const folder of (process.env.PATH ?? "").split(":")) {
    for (const name of NAMES) {
      if (folder && existsSync(`${folder}/${name}`)) return `${folder}/${name}`;
    }
  }
  if (existsSync(MAC_CHROME)) return MAC_CHROME;
  const downloaded = chromium.executablePath();
  return existsSync(downloaded) ? downloaded : null;
}

function attempt(command: string, args: string[]): boolean {
  console.log(`$ ${command} ${args.join(" ")}`);
  return spawnSync(command, args, { stdio: "inherit", timeout: 10 * 60_000 }).status === 0;
}

/**
 * A Chromium's path, installing one if need be: Playwright's download first, then the system's package
 * manager where we may use it.
 * @throws Error that says in one sentence what to do
 */
export async function findOrInstallChromium(): Promise<string> {
  const found = findChromium();
  if (found) return found;
  attempt(`${ROOT}node_modules/.bin/playwright-core`, ["install", "chromium-headless-shell", "chromium"]);
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  if (process.platform === "linux" && existsSync("/usr/bin/apt-get")) {
    const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
    const [command, ...rest] = [...sudo, "apt-get"];
    if (attempt(command!, [...rest, "update"])) {
      attempt(command!, [...rest, "install", "-y", "--no-install-recommends", "chromium"]);
    }
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    "The browser tests need a Chromium: install one, or set CHROMIUM_PATH to its executable, and run `npm test` again.",
  );
}
