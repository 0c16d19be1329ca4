/** Tests the redirects and rejections of requests to other hosts than the canonical host. */
import { expect, test } from "vitest";

import { callWith } from "../../testing/client.ts";

const SITE = { SITE_HOST: "naturestrip.example" };
const ELSEWHERE = [
  "https://www.naturestrip.example",
  "https://naturestrip.example.workers.dev",
  "https://naturestrip.example:8443",
  "https://naturestrip.example.evil.example",
  "http://naturestrip.example",
];

test("a page that is asked for at another host, or over http, leads to the site's own address", async () => {
  for (const origin of ELSEWHERE) {
    for (const method of ["GET", "HEAD"]) {
      const response = await callWith(SITE, method, "/location/manly?utm_source=mail", { origin });
      expect(response.status, origin).toBe(301);
      expect(response.headers.get("Location")).toBe(
        "https://naturestrip.example/location/manly?utm_source=mail",
      );
    }
  }
  const hostilePath = await callWith(SITE, "GET", "//evil.example/%2e%2e", { origin: ELSEWHERE[0]! });
  expect(new URL(hostilePath.headers.get("Location")!).host).toBe("naturestrip.example");
});

test("a local host is for links in messages only: a phone in the same network still sees the pages", async () => {
  const response = await callWith({ SITE_HOST: "localhost:8787" }, "GET", "/location/manly", {
    origin: "http://192.168.0.7:8787",
  });
  expect(response.status).toBe(200);
});

test("a call or a form that was sent elsewhere is refused, with the right address", async () => {
  const form = { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "username=anna" };
  for (const origin of ELSEWHERE) {
    for (const response of [
      await callWith(SITE, "GET", "/api/auth/me", { origin, cookie: "session=x; __Host-session=x" }),
      await callWith(SITE, "POST", "/api/auth/login", { origin, body: {} }),
      await callWith(SITE, "POST", "/api/stripe/webhook", { origin, body: {} }),
      await callWith(SITE, "POST", "/login", { origin, ...form }),
      await callWith(SITE, "GET", "/api/business/live", { origin, headers: { Upgrade: "websocket" } }),
    ]) {
      expect([response.status, await response.json()], origin).toMatchObject([
        421,
        { code: "wrong_host", detail: "Ask https://naturestrip.example instead" },
      ]);
    }
  }
});

test("at its own address, and on this machine, everything is answered", async () => {
  for (const origin of [
    "https://naturestrip.example",
    "http://localhost:8787",
    "http://127.0.0.1:4711",
    "http://[::1]:8787",
    "http://tenant.localhost",
  ]) {
    expect((await callWith(SITE, "GET", "/dashboard", { origin })).status, origin).toBe(200);
    expect((await callWith(SITE, "GET", "/api/auth/me", { origin })).status, origin).toBe(401);
    // The webhook request is accepted up to the check of its signature.
    const unsigned = await callWith(SITE, "POST", "/api/stripe/webhook", { origin, body: {} });
    expect([unsigned.status, await unsigned.json()]).toMatchObject([400, { code: "invalid_signature" }]);
  }
});

test("a monitor may ask for our health at any address", async () => {
  for (const origin of ELSEWHERE) {
    const response = await callWith(SITE, "GET", "/api/health", { origin });
    // Its status depends on the exchanges, which may be slow on a busy machine.
    expect(await response.json(), origin).toHaveProperty("exchanges");
  }
});

test("without a host of its own the site answers wherever it is asked", async () => {
  for (const origin of ELSEWHERE) {
    expect((await callWith({ SITE_HOST: "" }, "GET", "/dashboard", { origin })).status, origin).toBe(200);
  }
});

test.each(["https://naturestrip.example", "naturestrip.example/", "Naturestrip.example", "localhost"])(
  "%s is no host, and a deploy with it answers nothing at all",
  async (SITE_HOST) => {
    const apiCall = await callWith({ SITE_HOST }, "GET", "/api/auth/me", { origin: ELSEWHERE[0]! });
    expect(apiCall.status).toBe(500);
  },
);
