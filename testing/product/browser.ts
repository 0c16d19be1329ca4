/** The tests' browser: any Chromium on this machine, driven by Playwright's library. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { type Browser, chromium } from "playwright-core";

/** Prefer the headless shell. It renders the same pages with a third less CPU and memory. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

const MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Disables background requests and HTTP/3, so that only the page uses the network. */
const ARGUMENTS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--no-first-run",
  "--disable-gpu",
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/**
 * Returns the path of a Chromium: CHROMIUM_PATH, else one on the PATH, else Playwright's download.
 *
 * @returns null if there is none
 * @throws if CHROMIUM_PATH is not an executable file
 */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (isExecutable(given)) return given;
    throw new Error(`CHROMIUM_PATH says "${given}", which is no program: correct it or unset it.`);
  }
  const found = onPath() ?? [MAC_CHROME].find(isExecutable);
  if (found) return found;
  const downloaded = chromium.executablePath();
  return existsSync(downloaded) ? downloaded : null;
}

/** Starts a headless Chromium. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) {
    throw new Error(
      "The browser tests need Chromium: install it (`npx playwright-core install chromium`, or your system's package) or name its program in CHROMIUM_PATH.",
    );
  }
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    headless: true,
    args: isRoot ? [...ARGUMENTS, "--no-sandbox"] : ARGUMENTS,
  });
}
