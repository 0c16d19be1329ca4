/** Regression tests for small usability faults. */
import { expect, test } from "vitest";

import { UNCLEAR_SUBURB } from "../contract/address.ts";
import { SERVICE_AREAS } from "../web/service-pages/service-areas.ts";
import { openWindow, setUpFixture, waitForHydration } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

test("browsers that request an icon by its old names get an image", async () => {
  for (const [path, type] of [
    ["/favicon.ico", /^image\/(?:x-icon|vnd\.microsoft\.icon)$/],
    ["/apple-touch-icon.png", /^image\/png$/],
  ] as const) {
    const response = await fetch(fixture.product.url + path);
    expect([response.status, response.headers.get("Content-Type")], path).toEqual([
      200,
      expect.stringMatching(type),
    ]);
    expect((await response.arrayBuffer()).byteLength, path).toBeLessThan(5000);
  }
});

test("each service area links to a page with content", async () => {
  const services = await (await fetch(`${fixture.product.url}/services`)).text();
  for (const { name, href } of SERVICE_AREAS) {
    expect(services).toContain(`href="${href}"`);
    const response = await fetch(fixture.product.url + href);
    expect(response.status, href).toBe(200);
    expect(await response.text(), name).not.toContain("No matches");
  }
});

test("on paper every answer is readable, and in a form no figure is split across pages", async () => {
  const page = await openWindow(fixture, { viewport: { width: 320, height: 700 } });
  await page.goto("/location/parramatta");
  const readable = () =>
    page.locator(".faq p").evaluateAll((answers) => answers.map((response) => response.checkVisibility()));
  expect(new Set(await readable())).toEqual(new Set([false]));
  await page.emulateMedia({ media: "print" });
  expect(new Set(await readable())).toEqual(new Set([true]));

  await page.goto("/get-quote");
  const torn = await page
    .locator(".choice__figures")
    .evaluateAll((figures) =>
      figures.filter((figure) => figure.getClientRects().length > 1).map((figure) => figure.textContent),
    );
  expect(torn).toEqual([]);
});

test("the phone number can be called from the header of a page of any width", async () => {
  const page = await openWindow(fixture);
  await page.goto("/services");
  const call = page.locator("header").getByRole("link", { name: /^Call, / });
  for (const width of [320, 360, 479, 700]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await call.isVisible(), `${width} px wide`).toBe(true);
    expect(await call.getAttribute("href")).toMatch(/^tel:/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("on a phone the sticky bar hides while the visitor types, and suggestions do not cover the Search button", async () => {
  const page = await openWindow(fixture, { viewport: { width: 360, height: 480 } });
  await page.goto("/");
  await waitForHydration(page);
  const bar = page.locator(".sticky-bar");
  await page.mouse.wheel(0, 600);
  await bar.waitFor();
  const field = page.getByPlaceholder("Enter your address or postcode...").first();
  await field.focus();
  expect(await bar.isVisible()).toBe(false);
  await field.fill("Leichh");
  const [list, search] = await Promise.all(
    [page.locator(".suggestions").first(), page.getByRole("button", { name: "Search", exact: true })].map(
      async (part) => {
        await part.waitFor();
        return (await part.boundingBox())!;
      },
    ),
  );
  expect(list!.y).toBeGreaterThanOrEqual(search!.y + search!.height);
});

test("no page shows a city's distance from itself, or empty neighbours", async () => {
  const sydney = await (await fetch(`${fixture.product.url}/location/sydney`)).text();
  expect(sydney).not.toContain("0.0 km");
  const { results } = await fixture.product.d1
    .prepare(
      `SELECT here.slug FROM suburbs here WHERE EXISTS (
         SELECT 1 FROM json_each(here.near) near JOIN suburbs there ON there.slug = near.value
         WHERE there.population = 0
       ) LIMIT 3`,
    )
    .all<{ slug: string }>();
  expect(results).toHaveLength(3);
  for (const { slug } of results)
    expect(await (await fetch(`${fixture.product.url}/location/${slug}`)).text(), slug).not.toMatch(
      /\b0 people/,
    );
});

test("a service form shows all its errors at once, also that of an unclear suburb", async () => {
  const { url } = fixture.product;
  const typed = { customerName: "", customerPhone: "", customerAddress: "12 Banksia St", serviceNeed: "" };
  const response = await fetch(`${url}/service/lawn-mowing`, {
    method: "POST",
    headers: { Origin: url },
    body: new URLSearchParams({ submissionId: "", ...typed }),
  });
  const html = await response.text();
  expect(html).toContain(UNCLEAR_SUBURB);
  expect(html.match(/class="field__error"/g)).toHaveLength(4);
});
