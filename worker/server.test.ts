import { expect, test, vi } from "vitest";

import { call, callWith } from "../testing/client.ts";
import { WITHOUT_D1 } from "../testing/faulty-db.ts";

const URLENCODED = "application/x-www-form-urlencoded";

const post = (body: string, type: string) =>
  call("POST", "/get-quote", { body, headers: { "Content-Type": type } });

test("a page reads a form, and only a form of a sane size", async () => {
  expect((await post("intent=next", URLENCODED)).status).toBe(200);
  const wrongType = await post("{}", "text/plain");
  expect(wrongType.status).toBe(415);
  expect(await wrongType.json()).toMatchObject({ code: "unsupported_media_type" });
  const tooLarge = await post(`a=${"x".repeat(70_000)}`, URLENCODED);
  expect(tooLarge.status).toBe(413);
  expect(tooLarge.headers.get("Content-Type")).toBe("application/problem+json");
});

/** Sends a request whose client disconnects in the middle of the body. */
const aborted = (path: string, type: string) =>
  callWith({}, "POST", path, {
    headers: { "Content-Type": type },
    body: new ReadableStream({
      start: (body) => body.enqueue(new TextEncoder().encode('{"username":"a')),
      pull: (body) => body.error(new Error("Network connection lost.")),
    }),
  });

test("a form that cannot be read is the sender's mistake", async () => {
  const half = '--b\r\nContent-Disposition: form-data; name="username"\r\n\r\nanna';
  for (const [type, body] of [
    ["multipart/form-data", "username=anna"],
    ["multipart/form-data; boundary=", half],
    ["multipart/form-data; boundary=other", half],
    ["multipart/form-data; boundary=b", half],
    ["multipart/form-data; boundary=b", ""],
    ["multipart/form-data; boundary=b", "--b\r\n\r\nno name\r\n--b--\r\n"],
  ] as const) {
    const answer = await post(body, type);
    expect(answer.status, `${type} ${body}`).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "malformed_form" });
  }
});

/** Sends a form in chunks, without Content-Length. */
const streamed = (size: number) =>
  callWith({}, "POST", "/get-quote", {
    headers: { "Content-Type": URLENCODED },
    body: new Response(`a=${"x".repeat(size)}`).body!,
  });

test("a form without a length is read as well, up to the limit", async () => {
  expect((await streamed(100)).status).toBe(200);
  expect((await streamed(70_000)).status).toBe(413);
});

test("an upload that ends in the middle is no error of ours", async () => {
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const responses = [
    await aborted("/api/auth/login", "application/json"),
    await aborted("/api/stripe/webhook", "application/json"),
    await aborted("/login", URLENCODED),
    await aborted("/login", "multipart/form-data; boundary=b"),
  ];
  for (const answer of responses) {
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "body_incomplete" }]);
  }
  expect(errors).not.toHaveBeenCalled();
  errors.mockRestore();
});

test("a request that fails is a problem with an id, not a bare crash", async () => {
  const response = await callWith(WITHOUT_D1, "GET", "/api/auth/me", { cookie: "session=something" });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: "internal", requestId: expect.any(String) });
});

const asBrowser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const visitWithoutD1 = (method: string, path: string) =>
  callWith({ ...WITHOUT_D1, CONTACT_PHONE: "02 5550 0100" }, method, path, {
    cookie: "session=something",
    headers: { ...asBrowser, "Content-Type": URLENCODED },
    ...(method === "POST" && { body: "a=1" }),
  });

test("a browser that asks for a page gets a page when we fail, with a way on, and none of our words for it", async () => {
  const dashboard = await visitWithoutD1("GET", '/dashboard?lead="><script>');
  expect(dashboard.status).toBe(500);
  expect(dashboard.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(dashboard.headers.get("Cache-Control")).toBe("no-store");
  expect(dashboard.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  const words = await dashboard.text();
  expect(words).toContain('href="tel:+61255500100"');
  expect(words).toContain('href="/dashboard/offline?lead=');
  expect(words).toContain('href="/dashboard?lead=%22%3E%3Cscript%3E"');
  expect(words).toContain(`Reference: ${dashboard.headers.get("X-Request-Id")!.slice(0, 8)}`);
  expect(words).not.toContain("D1 is away");
  const sent = await (await visitWithoutD1("POST", "/get-quote")).text();
  expect(sent).toContain("may not have reached us");
  expect(sent).not.toContain("Try again<");
  // Page data requests and API clients still get the JSON problem.
  const data = await callWith(WITHOUT_D1, "GET", "/dashboard.data", { cookie: "session=something" });
  expect(data.headers.get("Content-Type")).toBe("application/problem+json");
});

const htmlPage = () =>
  new Response("<p>What you typed</p>", { status: 503, headers: { "Content-Type": "text/html" } });

test("a form that comes back with what was typed stays, though it could not be sent; a page that broke does not", async () => {
  const pages = { render: async () => htmlPage(), routeOf: async () => "/page" };
  const headers = { ...asBrowser, "Content-Type": URLENCODED };
  const kept = await callWith({}, "POST", "/login", { body: "a=1", headers }, pages);
  expect(kept.status).toBe(503);
  expect(await kept.text()).toBe("<p>What you typed</p>");
  const broke = await callWith({}, "GET", "/login", { headers: asBrowser }, pages);
  expect(broke.status).toBe(503);
  expect(await broke.text()).toContain("Something went wrong");
});

test("the way to try again leads to ourselves, whatever was asked for", async () => {
  for (const path of ["//evil.example/a.data", "/\\evil.example/a.data", "///evil.example/a.data?b=1"]) {
    const answer = await callWith(WITHOUT_D1, "GET", path, {
      cookie: "session=something",
      headers: asBrowser,
    });
    expect(answer.status).toBe(500);
    const words = await answer.text();
    expect(words, path).toContain('href="/evil.example/a.data');
    expect(words, path).not.toContain('href="//');
  }
});

test("a browser whose form is refused outside of a page learns why, and is led home", async () => {
  const answer = await call("POST", "/get-quote", {
    body: "a=1",
    headers: { ...asBrowser, "Content-Type": URLENCODED, Origin: "https://evil.example" },
  });
  expect(answer.status).toBe(403);
  const words = await answer.text();
  expect(words).toContain("Request from another site");
  expect(words).toContain('href="/"');
});

const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  "permissions-policy": expect.stringContaining("geolocation=()"),
};

test("every answer carries the security headers, a problem and a refused request as well", async () => {
  const responses = [
    await call("GET", "/"),
    await call("GET", "/api/suburbs"),
    await call("GET", "/api/nothing"),
    await call("GET", "/api/auth/me"),
    await call("POST", "/api/auth/login", { body: {}, headers: { Origin: "https://evil.example" } }),
    await callWith(WITHOUT_D1, "GET", "/api/auth/me", { cookie: "session=something" }),
  ];
  for (const answer of responses) {
    expect(Object.fromEntries(answer.headers)).toMatchObject(EVERYWHERE);
    expect(answer.headers.get("X-Request-Id")).toMatch(/./);
    expect(answer.headers.has("Strict-Transport-Security")).toBe(false);
  }
});

test("an API answer cannot be opened as a page, and is private unless it says otherwise", async () => {
  const { headers } = await call("GET", "/api/auth/me");
  expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  expect(headers.get("Cache-Control")).toContain("no-store");
});

test("over https browsers get HSTS", async () => {
  const { headers } = await call("GET", "/api/suburbs", { origin: "https://naturestrip.test" });
  expect(headers.get("Strict-Transport-Security")).toContain("max-age=31536000");
});
