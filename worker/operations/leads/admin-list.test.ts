import { expect, test } from "vitest";

import type { AdminLead } from "../../../contract/admin-leads.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { db } from "../../../testing/client.ts";
import { putOnMarket } from "../../../testing/drivers.ts";
import { insertManualPurchase, insertPendingLead, insertUser } from "../../../testing/world.ts";

const { asAdmin, list, pages } = await insertAdmin();

test("leads of every state are listed with all their details, and filtered", async () => {
  const owner = await insertUser(db, { companyName: "Mown & Co" });
  const waiting = await insertPendingLead(db);
  const odd = await insertPendingLead(db, { customerPhone: "0491 570 313" }, Date.now(), ["duplicate"]);
  await insertManualPurchase(db, owner, { stage: "called", startedAt: Date.now() });
  const ids = async (query: string) =>
    (await list<AdminLead>(`/api/super-admin/leads${query}`)).map(({ id }) => id);
  expect(await ids("")).toEqual(expect.arrayContaining([waiting.id, odd.id]));
  expect(await ids("?state=quarantined")).toEqual([odd.id]);
  expect(await ids("?state=pending")).toEqual([waiting.id]);
  expect(await ids("?state=pending&region=macarthur")).toEqual([]);
  expect(await ids(`?q=${waiting.id}`)).toEqual([waiting.id]);
  expect(await ids(`?q=${waiting.reference!.toLowerCase()}`), "the reference a visitor reads out").toEqual([
    waiting.id,
  ]);
  expect(await ids("?q=%2B61491570313")).toEqual([odd.id]);
  expect(await ids("?q=Nowhere")).toEqual([]);
  expect(await ids("?q=42")).toEqual([]);
  const [own] = await list<AdminLead>("/api/super-admin/leads?state=private");
  expect(own).toMatchObject({
    source: "manual",
    customerEmail: "anna.brown@example.com",
    buyer: { businessId: owner.id, name: "Mown & Co", mode: "manual", amountPaid: "0.00" },
  });
});

test("leads are paged without duplicates or gaps", async () => {
  const at = Date.now();
  const made = [];
  for (let i = 0; i < 5; i++)
    made.push((await insertPendingLead(db, { customerAddress: "1 Main Rd, Tibooburra" }, at)).id);
  const seen = await pages<AdminLead>("/api/super-admin/leads?region=central-and-far-west&limit=2");
  expect(seen.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
});

test("the next page's URL has the list's own parameters, and none of the previous page's", async () => {
  await insertPendingLead(db);
  await insertPendingLead(db);
  const path = `/api/super-admin/leads?limit=1&state=pending&utm_source=${"x".repeat(5_000)}`;
  const link = (await asAdmin("GET", path)).headers.get("Link")!;
  expect([...new URL(/<(.+)>/.exec(link)![1]!, "http://a.test").searchParams.keys()].toSorted()).toEqual([
    "cursor",
    "limit",
    "state",
  ]);
});

const found = async (q: string, more = "") =>
  (await list<AdminLead>(`/api/super-admin/leads?q=${encodeURIComponent(q)}${more}`)).map(({ id }) => id);

test("leads are found by name, suburb and street, in any word order, and only if all words match", async () => {
  const zelda = await insertPendingLead(db, {
    customerName: "Zelda Quokkason",
    customerAddress: "77 Grevillea Parade, Leichhardt NSW 2040",
  });
  const zara = await insertPendingLead(db, { customerName: "Zara Quokkason" });
  for (const q of [
    "zelda",
    "ZELDA QUOKKASON",
    "quokkason zelda",
    "zel leichhardt",
    "grevillea",
    "77 Grevillea Pde",
    "grevillea leichhardt",
    "2040 grevillea",
  ])
    expect(await found(q), q).toEqual([zelda.id]);
  expect(await found("quokkason")).toEqual([zara.id, zelda.id]);
  expect(await found("leichhardt quokkason")).toEqual([zara.id, zelda.id]);
  expect(await found("zelda bondi")).toEqual([]);
  expect(await found("%")).toEqual([]);
  expect(await found("zelda%")).toEqual([]);
  expect(await found("quokkason", "&market=only")).toEqual([]);
  await putOnMarket(zelda);
  expect(await found("quokkason", "&market=only")).toEqual([zelda.id]);
  expect(await found("quokkason", "&state=pending")).toEqual([zara.id]);
});
