/** The unsubscribe page that every email about a quote links to, in a browser and as mail clients use it. */
import { expect, test } from "vitest";

import { messageStops } from "../worker/tables.ts";
import { addressHash, signStop } from "../worker/messages/stop-rules.ts";
import { insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const KEY = "a long random text for tests";
const fixture = setUpFixture({ ORIGIN_HASH_KEY: KEY });

/** Returns a recipient's unsubscribe link, and whether they are unsubscribed. */
function signUnsubscribeLink(name: string) {
  const email = `${name}@example.com`;
  const path = `/stop-emails/${signStop(KEY, email)}`;
  const isStopped = async () => {
    const rows = await fixture.product.db.select().from(messageStops);
    return rows.some((row) => row.recipientHash === addressHash(email));
  };
  return { path, isStopped };
}

test("one press unsubscribes, and one resubscribes; each step fits a phone and a desktop", async () => {
  const { path, isStopped } = signUnsubscribeLink("pressed");
  // The page has no script.
  const page = await openWindow(fixture);
  const checkPage = async (where: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectFits(page, `${where} at ${width}`);
      if (width === 360) await expectAccessible(page, where);
    }
  };
  await page.goto(path);
  await page.getByRole("heading", { name: "Stop emails about quote requests?" }).waitFor();
  expect(await page.locator("script").count()).toBe(0);
  expect(await isStopped(), "looking stops nothing").toBe(false);
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await page.getByRole("heading", { name: "We've stopped these emails" }).waitFor();
  expect(await isStopped()).toBe(true);
  await page.goto(path);
  await checkPage("stopped");
  await page.getByRole("button", { name: "Start them again" }).click();
  await page.getByRole("heading", { name: "You'll get these emails again" }).waitFor();
  expect(await isStopped()).toBe(false);
  await checkPage("allowed");
});

test("a signed-in visitor gets the unsubscribe page too, and it is never stored, indexed or logged", async () => {
  const { path } = signUnsubscribeLink("signed-in");
  const user = await insertUser(fixture.product.db);
  const answer = await (await fixture.product.callerFor(user.id))("GET", path);
  const { headers } = answer;
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("Referrer-Policy")).toBe("same-origin");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Content-Security-Policy")).toContain("form-action 'self'");
  expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  const html = await answer.text();
  expect(html).toContain("Stop emails about quote requests?");
  expect(html).toContain('<meta name="robots" content="noindex"');
  const token = path.split("/").at(-1)!;
  expect(fixture.product.logs().filter(({ message }) => message.includes(token))).toEqual([]);
});

test("a mail program's own button unsubscribes without a page or redirect (RFC 8058)", async () => {
  const { path, isStopped } = signUnsubscribeLink("one-click");
  const url = `${fixture.product.url}${path}`;
  for (const method of ["GET", "HEAD"]) {
    const answer = await fetch(url, { method, redirect: "manual" });
    expect(answer.status, method).toBe(200);
    await answer.text();
  }
  expect(await isStopped(), "what only looks stops nothing").toBe(false);
  const asForm = new FormData();
  asForm.append("List-Unsubscribe", "One-Click");
  for (const body of [new URLSearchParams({ "List-Unsubscribe": "One-Click" }), asForm]) {
    await fixture.product.db.delete(messageStops);
    const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
    expect(answer.status).toBe(200);
    await answer.text();
    expect(await isStopped()).toBe(true);
  }
});

test("an invalid link gets the same page as a valid one, and changes nothing", async () => {
  const right = signUnsubscribeLink("right").path.slice("/stop-emails/".length);
  const press = async (token: string) => {
    const body = new URLSearchParams({ act: "stop" });
    const answer = await fetch(`${fixture.product.url}/stop-emails/${token}`, { method: "POST", body });
    return [answer.status, (await answer.text()).replaceAll(token, "")];
  };
  const response = await press(right);
  await fixture.product.db.delete(messageStops);
  for (const token of ["made-up", right.slice(0, -2), "x".repeat(4_000), "%00", "%E0%A4%A"])
    expect(await press(token), token).toEqual(response);
  expect(await fixture.product.db.$count(messageStops)).toBe(0);
});
