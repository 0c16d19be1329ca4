import { expect, test } from "vitest";

import { expectSoon, openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

let attemptCount = 0;

test("a test whose browser crashes runs again in a new browser", async () => {
  attemptCount += 1;
  const page = await openWindow(fixture);
  if (attemptCount === 1) {
    const devtools = await fixture.browser.newBrowserCDPSession();
    await devtools.send("Browser.crash");
  }
  await page.goto("/terms");
  expect(attemptCount).toBe(2);
});

test("a test that had passed before its browser crashed has passed", async () => {
  const page = await openWindow(fixture);
  await page.goto("/terms");
  const devtools = await fixture.browser.newBrowserCDPSession();
  // The browser ends before it can answer.
  await devtools.send("Browser.crash").catch(() => {});
  await expectSoon(() => fixture.browser.isConnected(), false);
});
