import { expect, test } from "vitest";

import type { SuburbListItem } from "../../contract/suburbs.ts";
import { call } from "../../testing/client.ts";

async function list(query: string): Promise<SuburbListItem[]> {
  const response = await call("GET", `/api/suburbs${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SuburbListItem[];
}

test("all active suburbs come, the most populous first, unless fewer are asked for", async () => {
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

test.each(["/api/suburbs?limit=5", "/api/suburbs/manly", "/api/suburbs/manly/nearby"])(
  "%s is not sent again to those who have it",
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
