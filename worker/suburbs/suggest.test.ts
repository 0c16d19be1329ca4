/** Suburbs offered while an address is typed: all localities, few rows read. */
import { expect, test } from "vitest";

import { call, db, testEnv } from "../../testing/client.ts";
import { beginningWith } from "./queries.ts";

async function suggest(q: string): Promise<string[]> {
  const response = await call("GET", `/api/suburbs/suggest?${new URLSearchParams({ q })}`);
  expect(response.status).toBe(200);
  const found = (await response.json()) as { name: string; state: string; postcode: string }[];
  return found.map(({ name, state, postcode }) => `${name} ${state} ${postcode}`);
}

test.each([
  ["leichh", "Leichhardt NSW 2040"],
  ["12 Banksia Street, Surry Hi", "Surry Hills NSW 2010"],
  ["12 banksia street surry hi", "Surry Hills NSW 2010"],
  ["north syd", "North Sydney NSW 2060"],
  ["2880", "Broken Hill NSW 2880"],
  ["tibooburra", "Tibooburra NSW 2880"],
  ["St Clair NSW 2759", "St Clair NSW 2759"],
])("%j is first of all completed to %s", async (typed, suburb) => {
  expect((await suggest(typed))[0]).toBe(suburb);
});

test("at most six come, the most populous first", async () => {
  const found = await suggest("mou");
  expect(found).toHaveLength(6);
  expect(found[0]).toBe("Mount Druitt NSW 2770");
});

test.each(["", "le", "12 ", "qqqq", "%", "_eichhardt", "9999"])(
  "for %j there is nothing to offer",
  async (q) => {
    expect(await suggest(q)).toEqual([]);
  },
);

test("a text longer than any address is refused", async () => {
  const response = await call("GET", `/api/suburbs/suggest?q=${"x".repeat(101)}`);
  expect(response.status).toBe(400);
});

test("the rows read are those that begin alike, not all the suburbs", async () => {
  const { sql, params } = beginningWith(db, "mou", 6).toSQL();
  const { meta } = await testEnv.DB.prepare(sql)
    .bind(...params)
    .run();
  // Three letters that more suburbs begin with than any other three.
  expect(meta.rows_read).toBeLessThan(150);
});
