/** The shared cache serves the right requests with the right headers. */
import { createExecutionContext } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";

import type { Pages } from "../../server.ts";

import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { retryIfMinuteChanges } from "../../../testing/clock.ts";
import { WITHOUT_D1 } from "../../../testing/faulty-db.ts";
import { PublicPages } from "../../../testing/main.ts";
import { PUBLIC_PAGE_LIST } from "../../../testing/routes/pages.ts";
import { insertUser } from "../../../testing/world.ts";

const SHARED_FOR = "Cloudflare-CDN-Cache-Control";

const sharedPages = PUBLIC_PAGE_LIST.flatMap(({ cache, examples }) => (cache ? examples[0]! : []));

/** Public pages that depend on the caller, or that must never be stale. */
const freshPages = PUBLIC_PAGE_LIST.flatMap(({ cache, examples }) => (cache ? [] : examples[0]!));

test.each([...sharedPages, "/sitemap.xml", "/api/suburbs", "/api/suburbs/manly"])(
  "%s is shared among visitors, and browsers that revalidate get a 304",
  async (path) => {
    const first = await call("GET", path);
    expect(first.status).toBe(200);
    expect(first.headers.get(SHARED_FOR)).toBe(
      "max-age=3600, stale-while-revalidate=86400, stale-if-error=604800",
    );
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    expect(first.headers.get("Set-Cookie")).toBeNull();
    const tag = first.headers.get("ETag")!;
    const again = await call("GET", path, { headers: { "If-None-Match": `W/${tag}` } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
  },
);

test("all visitors share pictures and crawler files, whatever their cookies", async () => {
  const { cookie } = await callerFor((await insertUser(db)).id);
  for (const path of ["/og/manly.png", "/robots.txt", "/sitemap.xml", "/sitemap/1.xml"]) {
    for (const cookieHeader of [
      undefined,
      cookie,
      "session=made-up",
      "__Host-session=x",
      "flash=logout",
      "sent=x",
    ]) {
      const { headers } = await call("GET", `${path}?again=${Math.random()}`, { cookie: cookieHeader });
      expect(headers.get(SHARED_FOR), `${path} ${cookieHeader}`).not.toBeNull();
      expect(headers.get("Set-Cookie")).toBeNull();
    }
  }
});

test("a household gets at most sixty pictures a minute", async () => {
  const limit = testEnv.PICTURE_PER_ADDRESS;
  let runs = 0;
  await retryIfMinuteChanges(async () => {
    const network = `2001:db8:${runs++}:aaaa`;
    for (let i = 0; i < 60; i++) expect(await limit.limit({ key: network })).toEqual({ success: true });
    const headers = { "CF-Connecting-IP": `${network}::77` };
    for (const [method, path] of [
      ["GET", "/og/manly.png"],
      ["HEAD", "/og/manly.png"],
      ["GET", "/og/manly.png.data"],
    ] as const) {
      const refused = await call(method, path, { headers });
      expect([refused.status, refused.headers.get("Retry-After")], path).toEqual([429, "60"]);
    }
    expect((await call("GET", "/", { headers })).status, "pages are not counted").toBe(200);
  });
});

test("uncached pictures are drawn one at a time, and a full queue refuses more", async () => {
  let drawing = 0;
  let most = 0;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const pages: Pages = {
    routeOf: async () => "/og/:file",
    async render() {
      most = Math.max(most, (drawing += 1));
      await gate;
      drawing -= 1;
      return new Response("picture");
    },
  };
  const personal = (path: string) => callWith({}, "GET", path, {}, pages);
  const all = Array.from({ length: 30 }, () => personal("/og/manly.png.data"));
  const answered = await Promise.race([Promise.all(all.slice(-5)), Promise.all(all)]);
  for (const { status, headers } of answered)
    expect([status, headers.get("Retry-After")]).toEqual([503, "5"]);
  open();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(most).toBe(1);
  expect(statuses.filter((status) => status === 200).length).toBe(8);
});

test("twenty concurrent picture requests are drawn or refused with a five-second retry, and no refusal is cached", async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => call("GET", "/og/manly.png")));
  const refused = responses.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(12);
  for (const { status, headers } of refused)
    expect([status, headers.get("Retry-After"), headers.get(SHARED_FOR)]).toEqual([503, "5", null]);
  expect(await refused[0]!.json()).toMatchObject({ code: "too_busy" });
});

test("a visitor with a session, an expired one or a flash message gets their own response", async () => {
  const { cookie } = await callerFor((await insertUser(db)).id);
  for (const personal of [
    cookie,
    "session=long-gone",
    "a=b; __Host-session=x",
    "flash=logout",
    "sent=%7B%7D",
  ]) {
    for (const path of ["/", "/location/manly", "/api/suburbs"]) {
      const { headers } = await call("GET", path, { cookie: personal });
      expect(headers.get(SHARED_FOR), `${path} ${personal}`).toBeNull();
      expect(headers.get("Cache-Control") ?? "private", path).not.toContain("public");
    }
  }
  expect((await call("GET", "/", { cookie: "theme=dark" })).headers.get(SHARED_FOR)).not.toBeNull();
});

test.each([
  ["POST", "/get-quote"],
  ["GET", "/get-quote?address=Manly"],
  ["GET", "/locations?search=manly"],
  ["GET", "/locations?map=nsw?249,161"],
  ["GET", "/api/suburbs?limit=3"],
  ...freshPages.map((page) => ["GET", page]),
  ["GET", "/dashboard"],
  ["GET", "/api/auth/me"],
  ["GET", "/api/leads"],
])("%s %s is never shared", async (method, path) => {
  const { headers } = await call(method, path);
  expect(headers.get(SHARED_FOR)).toBeNull();
});

test("campaign tags do not create another cached copy, and failures are not cached", async () => {
  const plain = await call("GET", "/api/suburbs/manly");
  const tagged = await call("GET", "/api/suburbs/manly?utm_source=mail&gclid=1");
  expect(tagged.headers.get("ETag")).toBe(plain.headers.get("ETag"));
  expect(tagged.headers.get(SHARED_FOR)).not.toBeNull();
  const missing = await call("GET", "/api/suburbs/atlantis");
  expect(missing.status).toBe(404);
  expect(missing.headers.get(SHARED_FOR)).toBeNull();
});

test("HEAD gets the same response as GET, without the body", async () => {
  const head = await call("HEAD", "/api/suburbs/manly");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("ETag")).toBe((await call("GET", "/api/suburbs/manly")).headers.get("ETag"));
});

test("while D1 is away, pages fail without replacing their cached copies", async () => {
  const silence = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => silence.mockRestore());
  const cached = Object.create(PublicPages.prototype, {
    env: { value: { ...testEnv, ...WITHOUT_D1 } },
    ctx: { value: createExecutionContext() },
  }) as PublicPages;
  for (const path of ["/api/suburbs", "/api/suburbs/manly"]) {
    const { status, headers } = await cached.fetch(new Request(`https://naturestrip.test${path}`));
    // The cache serves its stale copy for a response of 500 or more.
    expect(status, path).toBeGreaterThanOrEqual(500);
    expect(headers.get(SHARED_FOR), path).toBeNull();
  }
});

const tagsOf = async (path: string) => (await call("GET", path)).headers.get("Cache-Tag")!.split(",");

test("only an admin's change of a suburb purges the pages that show it", async () => {
  const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const asProvider = await callerFor((await insertUser(db)).id);
  const path = "/api/super-admin/suburbs/sub_manly";
  PublicPages.expired.length = 0;
  expect((await asProvider("PATCH", path, { priceFrom: 71 })).status).toBe(403);
  expect((await asAdmin("PATCH", path, { priceFrom: 0 })).status).toBe(400);
  expect((await asAdmin("PATCH", "/api/super-admin/suburbs/sub_atlantis", { priceFrom: 71 })).status).toBe(
    404,
  );
  expect((await asAdmin("GET", "/api/super-admin/suburbs?q=manly")).status).toBe(200);
  expect(PublicPages.expired).toEqual([]);

  const tags = ["suburbs", "suburb-manly", "council-northern-beaches-council"];
  for (const change of [
    { priceFrom: 71 },
    { isActive: false },
    { isActive: true, description: "By the sea." },
  ]) {
    expect((await asAdmin("PATCH", path, change)).status).toBe(200);
    expect(PublicPages.expired.splice(0), JSON.stringify(change)).toEqual([tags]);
  }
  expect(PublicPages.expiries.at(-1)).toBe("invalidate");
  // A neighbour lists this suburb among its own neighbours.
  for (const shown of ["/api/suburbs", "/api/suburbs/manly", "/api/suburbs/dee-why"])
    expect(await tagsOf(shown), shown).toContainEqual(expect.toBeOneOf(tags));
  for (const tag of await tagsOf("/api/suburbs/parramatta")) expect(tags).not.toContain(tag);
  const shown = await call("GET", "/api/suburbs/manly");
  expect(await shown.json()).toMatchObject({ priceFrom: 71, description: "By the sea." });
});

test("a failed purge does not fail the change", async () => {
  const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const purge = vi.spyOn(PublicPages.prototype, "expire").mockRejectedValue(new Error("Purge refused"));
  const response = await asAdmin("PATCH", "/api/super-admin/suburbs/sub_manly", { priceFrom: 72 });
  expect(purge).toHaveBeenCalledOnce();
  purge.mockRestore();
  expect([response.status, await response.json()]).toMatchObject([200, { priceFrom: 72 }]);
});
