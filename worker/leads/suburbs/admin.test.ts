/** How super admins find and change suburbs. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { AdminSuburb } from "../../../contract/suburbs.ts";
import { suburbs } from "../../tables.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { db } from "../../../testing/client.ts";
import { auditEntries } from "../../../testing/facts.ts";
import { textWithoutIds } from "../../../testing/text-without-ids.ts";

const { asAdmin, list, pages } = await insertAdmin();
const findSuburbs = (query: string) => list<AdminSuburb>(`/api/super-admin/suburbs?${query}`);

test("admins find suburbs by name prefix or postcode, and changes are in the audit log", async () => {
  expect((await findSuburbs("q=leich")).map(({ name }) => name)).toEqual(["Leichhardt"]);
  expect((await findSuburbs("q=2040")).map(({ postcode }) => postcode)).toEqual(["2040", "2040"]);
  expect(await findSuburbs("q=%25")).toEqual([]);
  const path = "/api/super-admin/suburbs/sub_leichhardt";
  const changed = await asAdmin("PATCH", path, { priceFrom: 61, phone: "02 5550 0199", description: "" });
  expect(await changed.json()).toMatchObject({ priceFrom: 61, phone: "02 5550 0199", description: null });
  const [row] = await db.select().from(suburbs).where(eq(suburbs.id, "sub_leichhardt"));
  expect(row).toMatchObject({ priceFrom: 61, phone: "02 5550 0199", isActive: true });
  await asAdmin("PATCH", path, { isActive: false });
  expect(await findSuburbs("q=leich&active=yes")).toEqual([]);
  const lines = await auditEntries("sub_leichhardt");
  expect(lines).toMatchObject([
    {
      action: "suburb.change",
      before: { priceFrom: 49 },
      after: { priceFrom: 61, texts: ["description", "phone"] },
    },
    { action: "suburb.change", before: { isActive: true }, after: { isActive: false } },
  ]);
  expect(textWithoutIds(lines)).not.toContain("5550");
});

test("paging lists every suburb exactly once", async () => {
  const seen = await pages<AdminSuburb>("/api/super-admin/suburbs?q=mo&limit=25");
  const all = await db.select().from(suburbs);
  const expected = all.filter(({ name }) => name.toLowerCase().startsWith("mo"));
  expect(seen.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
});
