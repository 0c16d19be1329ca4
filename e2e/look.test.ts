/** The site's look: the font arrives on documents and in the application, and a screen has at most one yellow button. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { IS_LONG } from "../testing/long.ts";
import { openWindow, openWindowAs, setUpFixture } from "../testing/product/browser-fixture.ts";
import { insertUser } from "../testing/world.ts";

const fixture = setUpFixture();

async function expectFont(page: Page, path: string) {
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const font = page.waitForResponse(/\.woff2$/);
  await page.goto(path);
  expect((await font).headers()["cache-control"]).toBe("public, max-age=31536000, immutable");
  await page.waitForFunction(() =>
    [...document.fonts].some((face) => face.family === "Bricolage" && face.status === "loaded"),
  );
  expect(
    await page
      .locator("h1")
      .first()
      .evaluate((title) => getComputedStyle(title).fontFamily),
  ).toMatch(/^Bricolage/);
  expect(errors).toEqual([]);
}

test("headings are in our font, on documents and in the application", async () => {
  await expectFont(await openWindow(fixture), "/");
  const user = await insertUser(fixture.product.db);
  await expectFont(await openWindowAs(fixture, user.id), "/dashboard");
});

/** Returns the texts of the yellow buttons in the window. */
function findYellow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const probe = document.createElement("i");
    probe.style.color = "var(--wattle)";
    document.body.appendChild(probe);
    const wattle = getComputedStyle(probe).color;
    probe.remove();
    return [...document.querySelectorAll<HTMLElement>("a, button")]
      .filter((element) => element.checkVisibility() && getComputedStyle(element).backgroundColor === wattle)
      .filter((element) => {
        const { top, bottom, width } = element.getBoundingClientRect();
        return width > 0 && bottom > 0 && top < innerHeight;
      })
      .map((element) => element.innerText.trim());
  });
}

const SHORT_PATHS = [
  "/",
  "/location/parramatta",
  "/services",
  "/service/hedge-trimming",
  "/locations",
  "/get-quote",
];

/** Pages with few buttons. Only the long tests look at them. */
const LONG_PATHS = [
  "/providers",
  "/success",
  "/no-such-page",
  "/login",
  "/provider-signup",
  "/privacy-policy",
];

const PATHS = IS_LONG ? [...SHORT_PATHS, ...LONG_PATHS] : SHORT_PATHS;

/** Documents of the same template differ in their texts, so the quick tests look at a few of them in a wide window. */
const WIDE_PATHS = new Set(IS_LONG ? PATHS : ["/", "/location/parramatta", "/get-quote"]);

const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

test.each(PATHS)("%s has at most one yellow button in any window's height", async (path) => {
  const page = await openWindow(fixture, { viewport: PHONE });
  for (const size of WIDE_PATHS.has(path) ? [PHONE, WIDE] : [PHONE]) {
    await page.setViewportSize(size);
    await page.goto(path);
    const end = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    for (let top = 0; top <= end; top += size.height / 2) {
      await page.evaluate((y) => scrollTo({ top: y, behavior: "instant" }), top);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const found = await findYellow(page);
      expect(found.length, `${path} at ${top}, ${size.width} px wide`).toBeLessThanOrEqual(1);
    }
  }
});

test("on the home page, Search becomes the yellow button when the visitor types", async () => {
  const page = await openWindow(fixture);
  await page.goto("/");
  expect(await findYellow(page)).toEqual(["Get Free Quote"]);
  await page.getByLabel("Your address or postcode").fill("2150");
  await expect.poll(() => findYellow(page)).toEqual(["Search"]);
  await page.getByLabel("Your address or postcode").fill("  ");
  await expect.poll(() => findYellow(page)).toEqual(["Get Free Quote"]);
});
