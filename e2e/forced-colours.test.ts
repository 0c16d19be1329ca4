/** With forced colours (high contrast), selected options and progress stay visible. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const openForced = () =>
  openWindow(fixture, { forcedColors: "active", viewport: { width: 360, height: 740 } });

/** Checks that some options are selected, and that exactly those show a tick. */
async function expectTicks(page: Page): Promise<void> {
  const { seen, chosen } = await page.evaluate(() => {
    const inputs = [...document.querySelectorAll<HTMLInputElement>(".choice input")];
    const seen = inputs.filter((input) => {
      const tick = input.parentElement!.querySelector("svg")!;
      return getComputedStyle(tick).visibility === "visible";
    });
    return { seen: seen.map(({ id }) => id), chosen: inputs.filter((i) => i.checked).map(({ id }) => id) };
  });
  expect(chosen.length).toBeGreaterThan(0);
  expect(seen).toEqual(chosen);
}

test("only selected options look ticked, and the quote form shows the visitor's progress", async () => {
  const page = await openForced();
  await page.goto("/get-quote");
  await expectTicks(page);
  const colours = await page.evaluate(() =>
    [".progress__strip", ".progress__mown"].map(
      (part) => getComputedStyle(document.querySelector(part)!).backgroundColor,
    ),
  );
  expect(colours[0]).not.toBe(colours[1]);
  await page.goto("/services");
  await page.getByLabel("Yard cleanup").check();
  await expectTicks(page);
});

test("a bar, a street name, a price and the tapped place keep an edge without their colours, and a list its arrow", async () => {
  const EDGES = {
    "/": [".sticky-bar", "borderTopStyle"],
    "/location/parramatta": [".blade", "borderTopStyle"],
    "/service/lawn-mowing": [".price-plate", "outlineStyle"],
    "/locations?search=2095#manly": [".place:target", "outlineStyle"],
  } as const;
  const page = await openForced();
  for (const [path, [part, property]] of Object.entries(EDGES)) {
    await page.goto(path);
    const edge = await page
      .locator(part)
      .first()
      .evaluate((element, name) => getComputedStyle(element)[name], property);
    expect(edge, `${path} ${part}`).toBe("solid");
    if (path !== "/location/parramatta") continue;
    const list = page.getByLabel("Service type");
    expect(await list.evaluate((element) => getComputedStyle(element).appearance)).toBe("auto");
  }
});
