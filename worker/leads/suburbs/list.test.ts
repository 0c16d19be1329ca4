import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { SuburbAnswer, SuburbListItem } from "../../../contract/suburbs.ts";
import { countReferenceFacts } from "../../../contract/suburb-facts.ts";
import { call, db } from "../../../testing/client.ts";
import { suburbs } from "../../tables.ts";

async function list(query: string): Promise<SuburbListItem[]> {
  const response = await call("GET", `/api/suburbs${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SuburbListItem[];
}

test("the list contains all active suburbs, most populous first, up to the limit", async () => {
  const all = await list("");
  expect(all).toHaveLength(280);
  expect(await list("?limit=12")).toEqual(all.slice(0, 12));
  expect(all[0]).toEqual({
    id: expect.stringMatching(/^sub_/),
    slug: expect.any(String),
    name: expect.any(String),
    postcode: expect.stringMatching(/^\d{4}$/),
    council: expect.any(String),
    state: "NSW",
    priceFrom: 49,
    latitude: expect.any(Number),
    longitude: expect.any(Number),
  });
});

test.each(["0", "-1", "1.5", "many", "5001"])("a limit of %s is refused", async (limit) => {
  const response = await call("GET", `/api/suburbs?limit=${limit}`);
  expect(await response.json()).toMatchObject({ status: 400, errors: { limit: expect.any(String) } });
});

test.each(["/api/suburbs?limit=5", "/api/suburbs/manly"])(
  "%s responds 304 to a browser with the current version",
  async (path) => {
    const first = await call("GET", path);
    const tag = first.headers.get("ETag")!;
    expect(tag).toMatch(/^"\w+"$/);
    const again = await call("GET", path, { headers: { "If-None-Match": tag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect((await call("GET", path, { headers: { "If-None-Match": '"other"' } })).status).toBe(200);
  },
);

test("a name that is invalid in a header does not fail", async () => {
  for (const name of ["%C5%81%C3%B3d%C5%BA", "a%0Ab", "atlantis"])
    expect((await call("GET", `/api/suburbs/${name}`)).status, name).toBe(404);
  const found = await call("GET", "/api/suburbs/%0AManly");
  expect([found.status, found.headers.get("Cache-Tag")?.split(",").at(-2)]).toEqual([200, "suburb-manly"]);
});

async function detail(slug: string): Promise<SuburbAnswer> {
  return (await call("GET", `/api/suburbs/${slug}`)).json();
}

async function listed(): Promise<Set<string>> {
  const rows = (await (await call("GET", "/api/suburbs/listed")).json()) as { slug: string }[];
  return new Set(rows.map(({ slug }) => slug));
}

test("search engines may index a page with three facts of its own, active or not", async () => {
  expect(await detail("bondi")).toMatchObject({ isActive: false, isListed: true, population: 10411 });
  expect(await detail("aarons-pass")).toMatchObject({ isListed: false });
  const before = await listed();
  expect([before.has("bondi"), before.has("aarons-pass"), before.has("parramatta")]).toEqual([
    true,
    false,
    true,
  ]);

  await db.update(suburbs).set({ isActive: false }).where(eq(suburbs.slug, "parramatta"));
  await db.update(suburbs).set({ isActive: true }).where(eq(suburbs.slug, "aarons-pass"));
  expect((await detail("parramatta")).isListed).toBe(true);
  expect((await detail("aarons-pass")).isListed).toBe(false);

  const words = { description: "Granite country, and lawns that wait for rain.", phone: "02 5550 0100" };
  await db.update(suburbs).set(words).where(eq(suburbs.slug, "aarons-pass"));
  expect((await detail("aarons-pass")).isListed, "one fact of the reference, two of the operator").toBe(true);
  expect((await listed()).has("aarons-pass")).toBe(true);
  await db.update(suburbs).set({ description: "" }).where(eq(suburbs.slug, "aarons-pass"));
  expect((await detail("aarons-pass")).isListed, "empty words are no fact").toBe(false);
});

test.each(["bondi", "dubbo", "broken-hill", "narromine", "aarons-pass", "tibooburra"])(
  "the fact count stored for %s matches the one on its page",
  async (slug) => {
    const [row] = await db.select().from(suburbs).where(eq(suburbs.slug, slug));
    const { nearby } = await detail(slug);
    expect(row!.referenceFacts).toBe(countReferenceFacts(row!, nearby));
  },
);

test("a council's list contains all its localities, active ones first", async () => {
  const waverley = await list("?council=Waverley%20Council");
  expect(waverley.map(({ name }) => name)).toEqual(expect.arrayContaining(["Bondi", "Bronte", "Tamarama"]));
  expect(await list("?council=Nowhere")).toEqual([]);
});
