/** Checks of every page: it fits its window, reports no errors and is accessible. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Collects a window's errors: of the page, of its console and of its policy. */
export function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // The browser reports a page that answers 401 or 404 as an error, but that answer is correct.
    const isOwnStatus =
      message.text().startsWith("Failed to load resource") && message.location().url === page.url();
    if (!isOwnStatus) complaints.push(`${message.text()} (${message.location().url})`);
  });
  return complaints;
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

/** Returns whether the page has axe already. Frames come and go, so a page with frames gets it again. */
async function hasAxe(page: Page): Promise<boolean> {
  return page.frames().length === 1 && page.evaluate(() => "axe" in globalThis);
}

/** Checks that axe finds no accessibility problem, in light and in dark mode. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Script notifies the card fields. They have changed once the page has been drawn again.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    // Send its half a megabyte once per document, not at every check.
    const axeSource = (await hasAxe(page)) ? "void axe" : undefined;
    // Run in this window: with a second one open, this one would be drawn only once a second.
    const axe = new AxeBuilder({ page, ...(axeSource && { axeSource }) })
      .setLegacyMode(true)
      // Passed checks need no description.
      .options({ resultTypes: ["violations"] });
    // In dark mode only the colours differ.
    if (colorScheme === "dark") axe.withRules(["color-contrast", "link-in-text-block"]);
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
  }
}
