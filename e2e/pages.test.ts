import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";

import { expect, test } from "vitest";

import { insertManualPurchase, insertPendingLead, insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  openDashboard,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

const fetchPage = (path: string) => fetch(`${fixture.product.url}${path}`, { redirect: "manual" });

/** Every page a visitor can open, with its status. */
const PAGES: Record<string, number> = {
  "/": 200,
  "/location/parramatta": 200,
  "/location/atlantis": 404,
  "/get-quote": 200,
  "/success": 200,
  "/login": 200,
  "/signup": 200,
  "/provider-signup": 200,
  "/dashboard": 401,
  "/no-such-page": 404,
};

test("every URL responds with its status and the security headers, and an unknown one with the not-found message", async () => {
  for (const [path, status] of Object.entries(PAGES)) {
    const answer = await fetchPage(path);
    const { headers } = answer;
    expect(answer.status, path).toBe(status);
    await answer.body?.cancel();
    expect(headers.get("X-Content-Type-Options"), path).toBe("nosniff");
    expect(headers.get("Referrer-Policy"), path).toBe("strict-origin-when-cross-origin");
    expect(headers.get("Permissions-Policy"), path).toContain("geolocation=()");
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy, path).toContain("default-src 'self'");
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).toContain("object-src 'none'");
    const scripts = policy.split("; ").find((rule) => rule.startsWith("script-src"));
    expect(scripts, path).not.toContain("unsafe");
  }
  const redirects = {
    "/location/Parramatta": "/location/parramatta",
    "/auth/login": "/login",
  };
  for (const [path, target] of Object.entries(redirects)) {
    const answer = await fetchPage(path);
    expect([answer.status, answer.headers.get("Location")], path).toEqual([301, target]);
  }
  const unknown = await (await fetchPage("/no-such-page")).text();
  expect(unknown).toContain("404 Page Not Found");
  expect(unknown).toContain("Did you forget to add the page to the router?");
});

/** Every page that accepts a form post. */
const FORM_PAGES = [
  "/login",
  "/signup",
  "/provider-signup",
  "/forgot-password",
  `/reset-password/${"t".repeat(43)}`,
  `/confirm-email/${"t".repeat(43)}`,
  "/stop-emails/made-up",
  "/my-requests",
  "/my-requests/made-up",
  "/choose-password",
  "/get-quote",
  "/services",
  "/service/lawn-mowing",
  "/location/parramatta",
];

test("every page rejects an unreadable form as a client error", async () => {
  const { url } = fixture.product;
  const headers = { Origin: url, "Content-Type": "multipart/form-data; boundary=b" };
  for (const path of FORM_PAGES.flatMap((page) => [page, `${page}.data`])) {
    const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: "username=anna" });
    expect(answer.status, path).toBe(400);
    expect(await answer.json(), path).toMatchObject({ code: "malformed_form" });
  }
});

test("a photo in place of a form's list is a validation error, shown on the page", async () => {
  const { url } = fixture.product;
  const body = new FormData();
  body.append("servicesWanted", new Blob(["x"]));
  for (const path of ["/services", "/services.data"]) {
    const answer = await fetch(`${url}${path}`, { method: "POST", headers: { Origin: url }, body });
    expect(answer.status, path).toBe(400);
    expect((await answer.text()).includes("Please select at least one service"), path).toBe(true);
  }
});

test("a URL with an unknown position in the list shows the start of the list", async () => {
  const caller = await fixture.product.callerFor((await insertUser(fixture.product.db)).id);
  for (const cursor of ["x", "%00", "1", encodeURIComponent("🌿".repeat(40)), "x".repeat(500)]) {
    const answer = await caller("GET", `/receipts?cursor=${cursor}`);
    expect([answer.status, answer.url], cursor).toEqual([200, `${fixture.product.url}/receipts`]);
    await answer.body?.cancel();
  }
});

test("every file served without the Worker has the headers of a page, the right content type and cache lifetime", async () => {
  const types: Record<string, RegExp> = {
    js: /^text\/javascript/,
    css: /^text\/css/,
    svg: /^image\/svg/,
    png: /^image\/png/,
    json: /^application\/(speculationrules\+)?json/,
    woff2: /^font\/woff2/,
  };
  const files = readdirSync("build/client", { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !/^[._]/.test(file.name))
    .map((file) => `${file.parentPath}/${file.name}`.replace("build/client", ""));
  expect(files.length).toBeGreaterThan(20);
  const page = await fetchPage("/login");
  await page.body?.cancel();
  for (const file of files) {
    const answer = await fetchPage(file);
    await answer.body?.cancel();
    expect(answer.status, file).toBe(200);
    expect(answer.headers.get("Content-Type"), file).toMatch(types[file.split(".").at(-1)!]!);
    for (const name of [
      "X-Content-Type-Options",
      "Referrer-Policy",
      "Permissions-Policy",
      "Cross-Origin-Opener-Policy",
      "X-Frame-Options",
    ]) {
      expect(answer.headers.get(name), `${file} ${name}`).toBe(page.headers.get(name));
    }
    expect(answer.headers.get("Content-Security-Policy"), file).toContain("default-src 'none'");
    // Files in this folder are named by their content.
    if (file.startsWith("/assets/"))
      expect(answer.headers.get("Cache-Control"), file).toBe("public, max-age=31536000, immutable");
    if (file === "/favicon.svg") expect(answer.headers.get("Cache-Control")).toBe("public, max-age=86400");
  }
});

/** Returns the log lines that the runtime has printed. */
const printed = () => fixture.product.logs().map(({ message }) => message);

test("a URL or form that React Router rejects leaves our own log line, without the path", async () => {
  const { url } = fixture.product;
  const from = printed().length;
  const form = { Origin: url, "Content-Type": "application/x-www-form-urlencoded" };
  const requests: [path: string, status: number, init?: RequestInit][] = [
    ["/%E0%A4%A/0491570313", 404],
    ["/location/0491570313%", 404],
    ["/location/0491570313%.data", 404],
    ["/quillfeather-0491570313", 404],
    ["/og/0491570313.png", 405, { method: "POST", headers: form, body: "a=1" }],
    ["/location/manly/0491570313", 405, { method: "POST", headers: form, body: "a=1" }],
    ["/dashboard.data?0491570313", 405, { method: "POST", headers: form, body: "a=1" }],
    ["/location/0491570313", 405, { method: "PROPFIND", headers: form, body: "a=1" }],
  ];
  for (const [path, status, init] of requests) {
    const answer = await fetch(`${url}${path}`, init);
    expect(answer.status, path).toBe(status);
    // Read the whole body: the runtime logs an extra line when a reader disconnects.
    await answer.text();
  }
  // A log line may arrive after its response.
  const lines = () => printed().slice(from);
  await expectSoon(
    () => lines().map((line) => (JSON.parse(line) as { event: string }).event),
    requests.map(() => "request"),
  );
  expect(lines().filter((line) => line.includes("0491570313"))).toEqual([]);
});

test("the market and its dialogs fit a narrow phone and have no console errors or axe violations", async () => {
  const user = await insertUser(fixture.product.db, { email: "pat@example.com" });
  await insertManualPurchase(fixture.product.db, user, {
    stage: "called",
    startedAt: Date.now() - 3_600_000,
    notes: "Rang twice",
  });
  await insertPendingLead(fixture.product.db, { urgency: "urgent" }, Date.now() - 60_000);
  await fixture.product.runSchedule();
  const page = await openWindowAs(fixture, user.id, { viewport: { width: 360, height: 740 } });
  const errors = collectPageErrors(page);
  const checkPage = async (where: string) => {
    await expectFits(page, where);
    await expectAccessible(page, where);
    expect(errors, where).toEqual([]);
  };

  await openDashboard(page, "?tab=called");
  await page.getByRole("article", { name: "Anna Brown" }).waitFor();
  await page.getByRole("tab", { name: /^Final/ }).click();
  await checkPage("empty tab");
  await page.getByRole("tab", { name: /^Available/ }).click();
  await page.getByRole("button", { name: "Buy for $50" }).waitFor();
  await checkPage("available");
  await page.getByRole("button", { name: "Pat Provider" }).click();
  await checkPage("account menu");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Region: Inner West" }).click();
  await page.getByRole("button", { name: "Change regions" }).click();
  await page.getByRole("dialog", { name: "Regions you watch" }).waitFor();
  await checkPage("regions");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Buy for $50" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Change").click();
  await dialog.getByLabel("Email").fill("no address");
  await dialog.getByRole("button", { name: "Buy for $50" }).click();
  await dialog.getByText("Valid email required").waitFor();
  await checkPage("purchase with an error");
  await dialog.getByLabel("Email").fill("pat@example.com");
  await dialog.getByRole("button", { name: "Buy for $50" }).click();
  await page.getByRole("dialog", { name: "It's yours" }).waitFor();
  await checkPage("bought");
  await page.getByRole("button", { name: "Open in pipeline" }).click();
  await page.getByRole("article", { name: "Anna Brown" }).waitFor();
  expect(errors).toEqual([]);
});

test("shared documents have no nonce and at most one script, identified by its hash; a session makes them personal", async () => {
  const scripts = { "/": 1, "/locations": 0, "/location/parramatta": 1, "/service/lawn-mowing": 1 };
  for (const [path, count] of Object.entries({ ...scripts, "/get-quote": 1 })) {
    const answer = await fetchPage(path);
    const html = await answer.text();
    expect(answer.headers.get("Cloudflare-CDN-Cache-Control"), path).toContain("stale-while-revalidate");
    expect(answer.headers.get("Cache-Tag"), path).toContain("public");
    expect(answer.headers.get("Content-Security-Policy"), path).not.toContain("nonce-");
    expect(answer.headers.get("Set-Cookie"), path).toBeNull();
    expect(html, path).not.toContain("nonce=");
    const inline = [...html.matchAll(/<script(?![^>]*\b(?:src=|ld\+json))[^>]*>(.*?)<\/script>/gs)];
    const hashes = inline.map(([, code]) => createHash("sha256").update(code!).digest("base64"));
    expect(hashes, path).toHaveLength(count);
    for (const hash of hashes)
      expect(answer.headers.get("Content-Security-Policy"), path).toContain(`'sha256-${hash}'`);
  }
  expect((await fetchPage("/")).headers.get("Speculation-Rules")).toBe('"/speculation-rules.json"');
  expect((await fetchPage("/location/parramatta")).headers.get("Cache-Tag")).toContain("suburb-parramatta");

  const customer = await insertUser(fixture.product.db, { userType: "customer", companyName: null });
  const mine = await (await fixture.product.callerFor(customer.id))("GET", "/");
  expect(mine.headers.get("Cache-Control")).toBe("private, no-cache");
  expect(mine.headers.get("Cloudflare-CDN-Cache-Control")).toBeNull();
  expect(await mine.text()).toContain(customer.lastName);
  expect(await (await fetchPage("/")).text()).not.toContain(customer.lastName);
});

test("the privacy policy names the configured periods, overseas companies and automated decisions", async () => {
  const text = (await (await fetchPage("/privacy-policy")).text()).replaceAll(/<[^>]+>/g, "");
  for (const said of [
    "removed after one year",
    "removed after seven years",
    "Cloudflare (United States)",
    "Stripe (United States and Ireland)",
    "A program never turns a request down",
    "waits until one of our team has looked at it",
    "gets 90 seconds to pay instead of five minutes",
    "a program passes the request on, once",
    "Below 70% of at least 10 customers in 90 days, the provider sees a warning, and suburb pages list other providers first.",
  ])
    expect(text).toContain(said);
});

test("without configuration the site asks for no consent and names no other company", async () => {
  const forms = ["/get-quote", "/services", "/service/lawn-mowing", "/location/leichhardt"];
  for (const path of ["/", "/success", "/privacy-policy", ...forms]) {
    const answer = await fetchPage(path);
    const policy = answer.headers.get("Content-Security-Policy");
    expect(policy, path).toContain("frame-src 'none'");
    expect(policy, path).not.toContain("https:");
    expect(await answer.text(), path).not.toMatch(
      /google|data-conversion|Build Your Website|Mobile Message|turnstile|challenge/i,
    );
  }
});
