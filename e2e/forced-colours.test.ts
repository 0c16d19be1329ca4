/** With forced colours (high contrast), selected options and progress stay visible. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

async function open(path: string): Promise<Page> {
  const page = await openWindow(fixture, { forcedColors: "active", viewport: { width: 360, height: 740 } });
  await page.goto(path);
  return page;
}

/** Returns the visible ticks and the ticks of the selected options. */
function ticks(page: Page) {
  return page.evaluate(() => {
    const inputs = [...document.querySelectorAll<HTMLInputElement>(".choice input")];
    const seen = inputs.filter((input) => {
      const tick = input.parentElement!.querySelector("svg")!;
      return getComputedStyle(tick).visibility === "visible";
    });
    return { seen: seen.map(({ id }) => id), chosen: inputs.filter((i) => i.checked).map(({ id }) => id) };
  });
}

test.each(["/get-quote", "/services"])("on %s only selected options look ticked", async (path) => {
  const page = await open(path);
  if (path === "/services") await page.getByLabel("Yard cleanup").check();
  const { seen, chosen } = await ticks(page);
  expect(chosen.length).toBeGreaterThan(0);
  expect(seen).toEqual(chosen);
});

test("a bar, a street name, a price and the tapped place keep an edge without their colours, and a list its arrow", async () => {
  const EDGES = {
    "/": [".sticky-bar", "borderTopStyle"],
    "/location/parramatta": [".blade", "borderTopStyle"],
    "/service/lawn-mowing": [".price-plate", "outlineStyle"],
    "/locations?search=2095#manly": [".place:target", "outlineStyle"],
  } as const;
  for (const [path, [part, property]] of Object.entries(EDGES)) {
    const page = await open(path);
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

test("the quote form shows the visitor's progress", async () => {
  const page = await open("/get-quote");
  const colours = await page.evaluate(() =>
    [".progress__strip", ".progress__mown"].map(
      (part) => getComputedStyle(document.querySelector(part)!).backgroundColor,
    ),
  );
  expect(colours[0]).not.toBe(colours[1]);
});
