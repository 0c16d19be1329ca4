/** What every page is held to: it fits, complains of nothing, and anybody can use it. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Collects what a window complains about: errors of the page, of its console and of its policy. */
export function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // A page that answers 401 or 404 is reported by the browser as such; that is what it should answer.
    const isOwnStatus =
      message.text().startsWith("Failed to load resource") && message.location().url === page.url();
    if (!isOwnStatus) complaints.push(`${message.text()} (${message.location().url})`);
  });
  return complaints;
}

/** The document is no wider than the window, and nothing in it can be scrolled to sideways. */
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

/** Whether axe is in the page already. Frames come and go: a page with some is given it anew. */
async function hasAxe(page: Page): Promise<boolean> {
  return page.frames().length === 1 && page.evaluate(() => "axe" in globalThis);
}

/** No accessibility problem that axe knows, in the light and in the dark. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Card fields hear of it through script: they have turned when the page has been drawn once more.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    // Its half a megabyte is sent once for each document, not at every look.
    const axeSource = (await hasAxe(page)) ? "void axe" : undefined;
    // In this window: with a second one open, this one would be drawn once a second.
    const axe = new AxeBuilder({ page, ...(axeSource && { axeSource }) })
      .setLegacyMode(true)
      // What passes need not be described.
      .options({ resultTypes: ["violations"] });
    // In the dark only the colours differ.
    if (colorScheme === "dark") axe.withRules(["color-contrast", "link-in-text-block"]);
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    expect(found, `${where}, ${colorScheme}`).toEqual([]);
  }
}
