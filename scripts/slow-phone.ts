/**
 * `npm run slow-phone`: requests a quote from a phone on a slow connection (400 kbit/s, 400 ms latency, a CPU
 * six times slower). The street address is in no list. The input must survive a reload, a translation and the
 * Back button. Prints the time of each step in seconds, and fails if any input was lost.
 *
 * `--built` uses the existing build.
 */
import type { CDPSession, Page } from "playwright-core";

import { UNCLEAR_SUBURB } from "../contract/address.ts";
import { leads } from "../worker/platform/db/schema.ts";
import { launchBrowser } from "../testing/product/browser.ts";
import { startProduct } from "../testing/product/product.ts";
import { run, step } from "../testing/tools.ts";
import { main, readArguments } from "./command.ts";
import { translate } from "../testing/product/translators.ts";

const BYTES_A_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const CPU_SLOWDOWN = 6;
/** A page takes seconds on such a connection, but no step takes minutes. */
const TIMEOUT_MS = 60_000;

const STREET = "Lot 7 Numbat Track";
const WORDS = "The side gate sticks";
const PHONE = "02 5550 0123";

async function slowDown(session: CDPSession): Promise<void> {
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_A_SECOND,
    uploadThroughput: BYTES_A_SECOND,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
}

/** @throws Error if a field has lost its input */
async function expectUnchanged(page: Page, field: string, typed: string, after: string): Promise<void> {
  const value = await page.locator(field).inputValue();
  if (value !== typed) throw new Error(`${field} contains "${value}" instead of "${typed}" after ${after}.`);
}

const waitForStep = (page: Page, number: number) =>
  page.locator(`[role="progressbar"][aria-valuenow="${number}"]`).waitFor();
const go = (page: Page) => page.getByRole("button", { name: "Continue" }).click();
const waitForHydration = (page: Page) => page.locator("[data-island][data-alive]").waitFor();

/** The visitor's steps. Each is printed with its duration. */
function listSteps(page: Page, url: string): Record<string, () => Promise<unknown>> {
  return {
    "the home page is readable": () => page.goto(url, { waitUntil: "domcontentloaded" }),
    "the form has loaded with the address": async () => {
      await page.locator("#search-address").fill(STREET);
      await page.getByRole("button", { name: "Search" }).click();
      await page.waitForURL("**/get-quote?address=**", { waitUntil: "domcontentloaded" });
      await expectUnchanged(page, "#customerAddress", STREET, "the home page");
    },
    "the form asks for the suburb": async () => {
      await page.locator("#customerAddress").fill(`${STREET} parramata`);
      await waitForHydration(page);
      await go(page);
      await page.getByText(UNCLEAR_SUBURB).waitFor();
    },
    "suburb chosen, step 2": async () => {
      await page.getByRole("button", { name: "Parramatta NSW 2150" }).click();
      await go(page);
      await waitForStep(page, 2);
      await page.locator("#specificRequests").fill(WORDS);
    },
    "reloaded and translated, still step 2": async () => {
      await page.reload({ waitUntil: "domcontentloaded" });
      await page.evaluate(translate);
      await waitForHydration(page);
      await waitForStep(page, 2);
      await expectUnchanged(page, "#specificRequests", WORDS, "a reload and a translation");
    },
    "step 3, Back, and step 3 again": async () => {
      await go(page);
      await waitForStep(page, 3);
      await page.locator("[name=customerName]").fill("Sol Slow");
      await page.goBack();
      await waitForStep(page, 2);
      await expectUnchanged(page, "#specificRequests", WORDS, "a Back");
      await go(page);
      await waitForStep(page, 3);
      await expectUnchanged(page, "[name=customerName]", "Sol Slow", "a Back");
    },
    "sent, with a recap": async () => {
      await page.locator("[name=customerPhone]").fill(PHONE);
      await page.getByRole("button", { name: "Get My Quote" }).click();
      await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
    },
  };
}

await main(async () => {
  const options = readArguments({ name: "slow-phone", options: { built: "flag" } });
  if (!options.hasFlag("built"))
    await step("building", () => run("react-router", ["build", "--logLevel", "warn"]));
  const product = await startProduct({}, null);
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: "en-AU" });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const wrong: string[] = [];
    page.on("pageerror", ({ message }) => wrong.push(message));
    await slowDown(await context.newCDPSession(page));
    for (const [name, walk] of Object.entries(listSteps(page, product.url))) await step(name, walk);
    const recap = await page.locator(".recap dd").allTextContents();
    const [lead] = await product.db.select().from(leads);
    console.log(`Recap: ${recap.join(" · ")}`);
    console.log(`Stored: ${lead?.customerAddress}, ${lead?.suburbName}, "${lead?.specificRequests}"`);
    if (recap.length !== 3 || recap[0] !== PHONE || lead?.suburbName !== "Parramatta")
      throw new Error("The sent request differs from the input.");
    if (wrong.length > 0) throw new Error(`The page threw: ${wrong.join("; ")}`);
  } finally {
    await browser.close();
    await product.stop();
  }
});
