/** Installing the application on a home screen: what browsers require, and its shortcuts. */
import { expect, test } from "vitest";

import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  openContext,
  setUpFixture,
  signIn,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";
import { insertUser } from "../testing/world.ts";

const fixture = setUpFixture();

type Manifest = {
  start_url: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
  shortcuts: { name: string; url: string }[];
};

const get = (path: string) => fetch(fixture.product.url + path);

/** Reads the width and height from a PNG's header. */
async function sizeOf(path: string): Promise<string> {
  const response = await get(path);
  expect([response.status, response.headers.get("Content-Type")], path).toEqual([200, "image/png"]);
  const bytes = new DataView(await response.arrayBuffer());
  return `${bytes.getUint32(16)}x${bytes.getUint32(20)}`;
}

async function phone(user: { id: string }) {
  const context = await openContext(fixture, { viewport: { width: 390, height: 844 } });
  await signIn(context, fixture, user.id);
  return context.newPage();
}

test("nothing prevents installing the application; each shortcut opens its page, and Back does not return to its form", async () => {
  const response = await get("/app.webmanifest");
  expect(response.headers.get("Content-Type")).toBe("application/manifest+json");
  const manifest = (await response.json()) as Manifest;
  for (const { src, sizes } of manifest.icons) expect(await sizeOf(src), src).toBe(sizes);
  expect(manifest.icons.map(({ purpose = "any" }) => purpose).toSorted()).toEqual([
    "any",
    "any",
    "maskable",
    "monochrome",
  ]);

  const page = await phone(await insertUser(fixture.product.db));
  await page.goto(manifest.start_url);
  const browser = await page.context().newCDPSession(page);
  const { url, errors } = await browser.send("Page.getAppManifest");
  expect([new URL(url).pathname, errors]).toEqual(["/app.webmanifest", []]);
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // Test windows are incognito, where browsers do not install applications.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual(
    [],
  );

  const urlOf = (name: string) => manifest.shortcuts.find((shortcut) => shortcut.name === name)!.url;
  await page.goto(urlOf("Leads"));
  await page.getByRole("heading", { name: "Lead Dashboard" }).waitFor();
  await page.goto(urlOf("Today"));
  await page.getByRole("heading", { name: "Today", exact: true }).first().waitFor();
  await page.goto(urlOf("Add Lead"));
  const form = page.getByRole("dialog", { name: "Add Lead" });
  await form.waitFor();
  expect(new URL(page.url()).search).toBe("");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "detached" });
  await waitForHistoryCleanup(page);
  await page.reload();
  await page.getByRole("button", { name: "Add Lead" }).waitFor();
  expect(await form.count()).toBe(0);
});

test("visitors' pages are not installable", async () => {
  for (const path of ["/", "/get-quote", "/login"])
    expect(await (await get(path)).text(), path).not.toContain("webmanifest");
});

test("the settings show how this browser stores the application, and ask to install it if the browser allows it", async () => {
  const page = await phone(await insertUser(fixture.product.db));
  await page.goto("/settings?tab=alerts");
  const part = page.getByRole("region", { name: "On your home screen" });
  await part.getByText("In your browser's menu, choose Install app").waitFor();
  await page.evaluate(() => {
    const question = new Event("beforeinstallprompt", { cancelable: true });
    Object.assign(question, { prompt: async () => ({ outcome: "accepted" }) });
    dispatchEvent(question);
  });
  await part.getByRole("button", { name: "Install Naturestrip" }).click();
  await page.evaluate(() => dispatchEvent(new Event("appinstalled")));
  await part.getByText("Naturestrip is installed on this device.").waitFor();
  await expectFits(page, "install");
  await expectAccessible(page, "install");
});

test("an iPhone user sees the two install steps in Safari", async () => {
  const user = await insertUser(fixture.product.db);
  const context = await openContext(fixture, {
    viewport: { width: 390, height: 664 },
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  });
  await signIn(context, fixture, user.id);
  const page = await context.newPage();
  await page.goto("/settings?tab=alerts");
  const steps = page.getByRole("region", { name: "On your home screen" }).getByRole("listitem");
  await steps.first().waitFor();
  expect(await steps.allInnerTexts()).toEqual([
    expect.stringContaining("Press Share"),
    expect.stringContaining("Add to Home Screen"),
  ]);
  await expectFits(page, "install by hand");
});
