/** Rules for a sender's headers and network. */
import { expect, test } from "vitest";

import { distanceOf, isHostingNetwork, isBot } from "./sender-rules.ts";

const BROWSERS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
  "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
];

test.each(BROWSERS)("%s is a browser", (userAgent) => {
  expect(isBot(userAgent, "en-AU")).toBe(false);
});

test.each([null, "", "curl/8.9.1", "python-requests/2.32.4", "Go-http-client/2.0", "Scrapy/2.11"])(
  "%s is a program",
  (userAgent) => {
    expect(isBot(userAgent, "en-AU")).toBe(true);
  },
);

test("a sender without Accept-Language is not a browser", () => {
  expect(isBot(BROWSERS[0]!, null)).toBe(true);
});

test.each<[string | null, string | null, number]>([
  ["AU", "bn-BD", 0],
  ["NZ", "en-NZ", 0],
  [null, null, 0],
  ["GB", "en-AU,en;q=0.9", 1],
  ["ID", "id-ID,en-au;q=0.5", 1],
  ["GB", "en-GB", 2],
  ["RU", null, 2],
])("from %s, in %s: %i", (country, language, distance) => {
  expect(distanceOf(country, language)).toBe(distance);
});

test("hosting and VPN networks are recognised by owner, and home and office networks are not", () => {
  for (const owner of ["DigitalOcean, LLC", "AMAZON-02", "M247 Europe SRL", "Hetzner Online GmbH", "OVH SAS"])
    expect(isHostingNetwork(owner), owner).toBe(true);
  for (const owner of [
    null,
    "Telstra",
    "Optus",
    "TPG Internet",
    "Aussie Broadband",
    "University of Sydney",
    "NSW Department of Education",
  ])
    expect(isHostingNetwork(owner), owner ?? "unknown").toBe(false);
});
