import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";

import { insertUser } from "../testing/world.ts";
import {
  fillQuote,
  openContext,
  openDashboard,
  openWindow,
  record,
  OWN_PRODUCT,
  setUpFixture,
  signIn,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

const SURNAME = "Quillfeather";
const MAILBOX = "zz.markmail77";
const STREET = "Wombatgully";
const PHONE = "0491 570 313";

/** The customer's secrets again, obfuscated as customers do it. */
const FREE_TEXT = [
  "The lawn behind the pool is knee high.",
  "Ring 0491-570-313 or O491.57O.313 or ０４９１ ５７０ ３１３.",
  `Write to ${MAILBOX} (at) example [dot] org or ${MAILBOX} at example dot org.`,
  `It is 99 ${STREET} St, the ${STREET.toLowerCase()} side; ask for ${SURNAME.toUpperCase()}`,
  `or Quill\u200Bfeather, the ${SURNAME}s know.`,
].join(" ");

const CUSTOMER = {
  name: `Marta ${SURNAME}`,
  email: `${MAILBOX}@example.org`,
  address: `99 ${STREET} Street, Leichhardt NSW 2040`,
  phone: PHONE,
  requests: FREE_TEXT,
};

/** Secrets that must not occur, normalised to lower-case letters and digits. */
const SECRETS = ["quillfeather", "zzmarkmail77", "wombatgully", "491570313"];

/** Returns the secrets that a window received, in any spacing, spelling or escaping. */
function secretsIn(received: string): string[] {
  const plain = received
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .normalize("NFKC")
    .toLowerCase();
  const letters = plain.replaceAll(/[^\p{L}\p{N}]/gu, "");
  const digits = letters.replaceAll("o", "0");
  return SECRETS.filter((secret) => letters.includes(secret) || digits.includes(secret));
}

async function provider(firstName: string) {
  const user = await insertUser(fixture.product.db, {
    firstName,
    email: `${firstName.toLowerCase()}@example.com`,
  });
  const context = await openContext(fixture);
  const recording = record(context);
  await signIn(context, fixture, user.id);
  return { context, recording, page: await context.newPage() };
}

/** Holds the windows' purchase requests until every window has sent one, then releases them at once. */
async function startTogether(contexts: BrowserContext[]): Promise<void> {
  const waiting: (() => void)[] = [];
  for (const context of contexts) {
    await context.route("**/api/leads/*/purchase", async (route) => {
      await new Promise<void>((go) => {
        waiting.push(go);
        if (waiting.length === contexts.length) for (const start of waiting) start();
      });
      await route.continue();
    });
  }
}

/** Completes the quote form in the visitor's window, up to the thank-you page. */
async function askForQuote(): Promise<void> {
  const page = await openWindow(fixture);
  await page.goto("/get-quote");
  await fillQuote(page, CUSTOMER);
  await page.getByRole("button", { name: "Get My Quote" }).click();
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  await page.context().close();
}

const gone = (page: Page) =>
  page.getByText(/(got this one first|sold a moment ago)\. You have not been charged/);

test("two providers see a lead live, one buys it, and the other never receives the customer's details", async () => {
  const providers = await Promise.all([provider("Alex"), provider("Blair")]);
  await Promise.all(providers.map(({ page }) => openDashboard(page)));
  for (const { page } of providers) await page.evaluate(() => (document.title = "not reloaded"));

  await askForQuote();
  await Promise.all(
    providers.map(({ page }) => page.getByRole("listitem").filter({ hasText: "knee high" }).waitFor()),
  );
  for (const { page } of providers) expect(await page.title()).toBe("not reloaded");

  // A rival's other ways to see the same lead: a page's HTML and the API.
  for (const { context, page } of providers) {
    const second = await context.newPage();
    await openDashboard(second);
    await second.getByRole("listitem").filter({ hasText: "knee high" }).waitFor();
    await second.getByRole("button", { name: "Refresh" }).click();
    await second.getByText("Lead data updated").first().waitFor();
    // Keep this window open, since responses in flight to a closed window cannot be read. Bring the first one
    // to the front, so that it repaints.
    await page.bringToFront();
  }

  await startTogether(providers.map(({ context }) => context));
  for (const { page } of providers) {
    await page.getByRole("button", { name: "Buy for $50 the lead in Leichhardt" }).click();
  }
  await Promise.all(
    providers.map(({ page }) =>
      page.getByRole("dialog").getByRole("button", { name: "Buy for $50" }).click(),
    ),
  );
  const isWinner = await Promise.all(
    providers.map(async ({ page }) => {
      const won = page.getByRole("heading", { name: "It's yours" });
      await won.or(gone(page)).waitFor();
      return won.isVisible();
    }),
  );
  expect(isWinner.toSorted()).toEqual([false, true]);
  const winner = providers[isWinner.indexOf(true)]!;
  const loser = providers[isWinner.indexOf(false)]!;

  await winner.page.getByRole("button", { name: "Open in pipeline" }).click();
  const card = winner.page.locator(".detail");
  await card.waitFor();
  const shown = await card.innerText();
  for (const value of [CUSTOMER.name, CUSTOMER.phone, CUSTOMER.email, CUSTOMER.address]) {
    expect(shown).toContain(value);
  }
  expect(shown).toContain(FREE_TEXT);
  expect(await winner.page.title()).toBe("not reloaded");

  await gone(loser.page).waitFor();
  await loser.page.getByRole("button", { name: "Back to the leads" }).click();
  await loser.page.getByText("No leads in your regions right now.").waitFor();
  // Everything the loser may request again now that the lead is sold.
  await loser.page.getByRole("tab", { name: /^Leads/ }).click();
  await loser.page.getByRole("button", { name: "Refresh" }).click();
  await loser.page.getByText("Lead data updated").first().waitFor();

  const received = await loser.recording.text();
  expect(received).toContain("knee high");
  expect(loser.recording.frames()).toBeGreaterThan(2);
  expect(secretsIn(received)).toEqual([]);
  // The search does find the secrets where they belong.
  expect(secretsIn(await winner.recording.text())).toEqual(SECRETS);
});
