import { expect, test } from "vitest";

import { callWith } from "../../testing/client.ts";

const ORIGIN = "https://naturestrip.example";
const ask = (path: string, method = "GET", origin = ORIGIN) =>
  callWith({ SITE_HOST: "" }, method, path, { origin });

test("a page asked for with a slash at its end, or in capitals, leads to its one address", async () => {
  for (const [asked, right] of [
    ["/services/", "/services"],
    ["/Services", "/services"],
    ["/SERVICES//?utm_source=mail", "/services?utm_source=mail"],
    ["/service/Lawn-Mowing", "/service/lawn-mowing"],
    ["/location/parramatta/", "/location/parramatta"],
    ["/Location/Dee%20Why", "/location/Dee%20Why"],
    ["/reset-password/AbCdEf/", "/reset-password/AbCdEf"],
    ["/.//evil.example", "/evil.example"],
  ]) {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(asked!, method);
      expect(response.status, asked).toBe(301);
      expect(response.headers.get("Location"), asked).toBe(right);
    }
  }
});

test("no redirect leads to another site", async () => {
  for (const path of ["//evil.example/", "//evil.example", "/\\evil.example/", "///evil.example/%2e%2e/"]) {
    const location = (await ask(path)).headers.get("Location");
    const leadsTo = location === null ? ORIGIN : new URL(location, ORIGIN).origin;
    expect(leadsTo, `${path} → ${location}`).toBe(ORIGIN);
  }
  // A caller can send any Host header.
  const forged = await ask("/service/%2F%2F", "GET", "http://evil.example");
  expect(forged.headers.get("Location")).toBe("/service/%2f%2f");
});

test("the right address, calls, forms and the framework's own requests stay where they are", async () => {
  for (const path of [
    "/",
    "/services",
    "/?address=Manly",
    "/location/Dee%20Why",
    "/reset-password/AbCdEf",
    "/og/Manly.png",
    "/Services.data",
    "/%E0%A4%A/0491570313",
  ]) {
    expect((await ask(path)).status, path).not.toBe(301);
  }
  expect((await ask("/api/suburbs/")).status).toBe(404);
  expect((await ask("/Login", "POST")).status).not.toBe(301);
});

test("an absurdly long path is not repeated in a redirect, whose headers clients limit to 16 kB", async () => {
  const response = await ask(`/service/${"A".repeat(8_000)}`);
  expect(response.status).not.toBe(301);
  expect(response.headers.get("Location")).toBeNull();
});
