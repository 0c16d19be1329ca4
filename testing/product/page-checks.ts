/** Checks for every page: it fits its window, reports no errors and is accessible. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

import { IS_LONG } from "../long.ts";

/** Collects a window's errors: from the page, its console and its Content Security Policy. */
export function collectPageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The browser reports a page with status 401 or 404 as an error, but that response is correct.
    const isExpectedStatus =
      message.text().startsWith("Failed to load resource") && message.location().url === page.url();
    if (!isExpectedStatus) errors.push(`${message.text()} (${message.location().url})`);
  });
  return errors;
}

/** Checks that the document is no wider than the window and that nothing scrolls sideways. */
export async function expectFits(page: Page, where: string): Promise<void> {
  const { width, wide } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    wide: [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .slice(0, 5)
      .map((element) => `${element.tagName}.${element.className}`),
  }));
  expect(width, `${where}: ${wide.join(" ")}`).toBeLessThanOrEqual(page.viewportSize()!.width);
}

/** axe, minified: every document parses it once. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Adds axe to the page's frames that lack it. It is half a megabyte, so a document gets it once. */
async function addAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    try {
      if (!(await frame.evaluate(() => "axe" in globalThis))) await frame.evaluate(AXE);
    } catch (error) {
      // Frames come and go.
      if (!frame.isDetached()) throw error;
    }
  }
}

/** Attributes that style sheets use to change an element's colour. */
const STATES = [
  "class",
  "disabled",
  "open",
  "data-state",
  "aria-current",
  "aria-disabled",
  "aria-expanded",
  "aria-invalid",
  "aria-pressed",
  "aria-selected",
];

/** Returns what style sheets see of a page's elements: tag and states, below those of their parent. */
function listElementStates(page: Page): Promise<string[]> {
  return page.evaluate((states) => {
    const describeElement = (element: Element | null) =>
      element && [element.localName, ...states.map((name) => element.getAttribute(name))].join(" ");
    const all = [...document.body.querySelectorAll("*")];
    return [
      ...new Set(
        all.map((element) => `${describeElement(element.parentElement)} > ${describeElement(element)}`),
      ),
    ];
  }, STATES);
}

/** Looks that passed in dark mode, in this process. */
const passedInDark = new Set<string>();

async function expectColourSchemePasses(
  page: Page,
  colorScheme: "light" | "dark",
  where: string,
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // A script passes the colour scheme to the card fields. They change within two frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await addAxe(page);
  const options: RunOptions = {
    // We need no description of passed checks, and no media.
    resultTypes: ["violations"],
    preload: false,
    // The results of a frame are named by their selectors.
    selectors: page.frames().length > 1,
    // In dark mode only the colours differ.
    ...(colorScheme === "dark" && { runOnly: ["color-contrast", "link-in-text-block"] }),
  };
  const found = await page.evaluate(async (runOptions) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, runOptions);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }, options);
  expect(found, `${where}, ${colorScheme}`).toEqual([]);
}

/**
 * Checks that axe finds no accessibility problem, in light and dark mode. Skips dark mode if all of the
 * page's looks have already passed in dark mode. The long tests, and pages with frames, always check both.
 */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  await expectColourSchemePasses(page, "light", where);
  const looks = await listElementStates(page);
  const isKnown = page.frames().length === 1 && looks.every((look) => passedInDark.has(look));
  if (isKnown && !IS_LONG) return;
  await expectColourSchemePasses(page, "dark", where);
  for (const look of looks) passedInDark.add(look);
}
