/** Finds or installs Chromium for the browser tests. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { findChromium } from "../testing/product/browser.ts";
import { ROOT } from "../testing/tools.ts";

function attempt(command: string, args: string[]): boolean {
  console.log(`$ ${command} ${args.join(" ")}`);
  return spawnSync(command, args, { stdio: "inherit", timeout: 10 * 60_000 }).status === 0;
}

/**
 * Returns the path of a Chromium, installing one if necessary. Tries Playwright's download first, then the
 * system's package manager if we may run it.
 *
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
      const install = (name: string) =>
        attempt(command!, [...rest, "install", "-y", "--no-install-recommends", name]);
      // Some Linux releases do not package the headless shell.
      if (!install("chromium-headless-shell")) install("chromium");
    }
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    "The browser tests need Chromium: install it, or set CHROMIUM_PATH to its executable, and run `npm test` again.",
  );
}
