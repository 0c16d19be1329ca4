/** Manage Providers: the list, and the immediate effects of a change to an account. */
import { expect, test } from "vitest";

import type { ProviderListItem } from "../../../contract/providers.ts";
import { type leadPurchases, signInFailures } from "../../tables.ts";
import { call, callerFor, db } from "../../../testing/client.ts";
import { auditEntries, setPurchase } from "../../../testing/facts.ts";
import { insertManualPurchase, insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";

const admin = await insertUser(db, { isSuperAdmin: true });
const asAdmin = await callerFor(admin.id);

async function listed(query = "") {
  const response = await asAdmin("GET", `/api/users/providers${query}`);
  expect(response.status).toBe(200);
  return { rows: (await response.json()) as ProviderListItem[], response };
}

test("the list has providers with the table's fields, and never a password", async () => {
  const provider = await insertUser(db, { email: "listed@example.com", abn: "51 824 753 556" });
  await insertTeamMember(db, provider);
  await insertUser(db, { userType: "customer" });
  const { rows, response } = await listed();
  expect(new Set(rows.map(({ userType }) => userType))).toEqual(new Set(["provider"]));
  expect(Object.keys(rows[0]!).toSorted()).toEqual(
    "abn calls companyName createdAt email firstName id isActive isSuperAdmin isVerified lastName phone userType username".split(
      " ",
    ),
  );
  expect(rows.find(({ id }) => id === provider.id)).toMatchObject({
    email: "listed@example.com",
    abn: "51 824 753 556",
    isActive: true,
    isVerified: false,
  });
  expect(Number(response.headers.get("Total-Count"))).toBe(rows.length);
});

async function found(q: string) {
  return (await listed(`?q=${encodeURIComponent(q)}`)).rows.map(({ id }) => id);
}

test("a search by name, company, username or email ignores apostrophes and has no wildcards", async () => {
  const provider = await insertUser(db, {
    firstName: "Zelda",
    lastName: "O'Quokka",
    companyName: "100% Mown_",
    email: "zq@example.com",
  });
  const names = ["zelda oquokka", "O'Quokka", "o’quokka"];
  for (const q of [...names, "100% mown_", "zq@example", provider.username]) {
    expect(await found(q), q).toEqual([provider.id]);
  }
  expect(await found("100%mown")).toEqual([]);
  expect(await found("Mown%")).toEqual([]);
});

test("a provider is found by phone in any format, and matches are counted", async () => {
  const provider = await insertUser(db, { phone: "+61 (0)491 570 737 (after 6pm)", lastName: "Findme" });
  for (const q of ["0491570737", "0491 570 737", "+61 491 570 737", "(0491) 570-737", "570 737"]) {
    const { rows, response } = await listed(`?q=${encodeURIComponent(q)}`);
    expect(
      rows.map(({ id }) => id),
      q,
    ).toEqual([provider.id]);
    expect(response.headers.get("Total-Count"), q).toBe("1");
  }
  expect(await found("4915")).toEqual([]);
});

test("the list can be filtered by super admins, unverified and deactivated providers", async () => {
  const companyName = "Groups Pty";
  const [boss, fresh, gone, known] = await Promise.all([
    insertUser(db, { companyName, isSuperAdmin: true, isVerified: true }),
    insertUser(db, { companyName }),
    insertUser(db, { companyName, isActive: false }),
    insertUser(db, { companyName, isVerified: true }),
  ]);
  const group = async (only: string) => {
    const { rows, response } = await listed(`?q=Groups%20Pty&only=${only}`);
    expect(response.headers.get("Total-Count"), only).toBe(String(rows.length));
    return rows.map(({ id }) => id);
  };
  expect(await group("admins")).toEqual([boss.id]);
  expect(await group("unverified")).toEqual([fresh.id]);
  expect(await group("deactivated")).toEqual([gone.id]);
  expect((await found("Groups Pty")).toSorted()).toEqual(
    [boss, fresh, gone, known].map(({ id }) => id).toSorted(),
  );
  const { rows } = await listed("?only=admins");
  // Other files of this process leave admins in the database.
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([admin.id, boss.id]));
  expect(rows.filter(({ isSuperAdmin }) => !isSuperAdmin)).toEqual([]);
});

test("providers who stopped buying or calling have their own filter, and are counted on the first page", async () => {
  const DAY_MS = 86_400_000;
  const companyName = "Stopped Pty";
  const now = Date.now();
  /** Inserts a provider with a lead bought the given number of days ago. */
  const withLead = async (daysAgo: number, change: Partial<typeof leadPurchases.$inferInsert> = {}) => {
    const provider = await insertUser(db, { companyName });
    const id = await insertManualPurchase(db, provider, { stage: "accepted_lead", startedAt: 1 });
    const purchasedAt = now - daysAgo * DAY_MS;
    await setPurchase(id, { mode: "stripe", purchasedAt, ...change });
    return provider.id;
  };
  const notBuying = await withLead(31, { calledAt: now });
  const notCalling = await withLead(3);
  await withLead(1);
  await withLead(3, { lastContactAt: now });
  await withLead(3, { salesStage: "called", calledAt: now });
  await withLead(31, { mode: "manual" });
  await insertUser(db, { companyName });
  const { rows } = await listed("?q=Stopped%20Pty&only=stopped");
  expect(rows.map(({ id }) => id).toSorted()).toEqual([notBuying, notCalling].toSorted());
  const all = await listed("?only=stopped");
  const market = (await (await asAdmin("GET", "/api/super-admin/market")).json()) as { stopped: number };
  expect(market.stopped).toBe(all.rows.length);
});

test("a deactivated account gets no password link, since it could not sign in", async () => {
  const provider = await insertUser(db, { isActive: false });
  const answer = await asAdmin("POST", `/api/super-admin/providers/${provider.id}/password-link`);
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain("Activate this account first");
});

test("a search of any allowed length finds its provider: D1 refuses LIKE patterns over 50 bytes", async () => {
  for (const unit of ["x", "草", "_%\\"]) {
    const name = unit.repeat(100).slice(0, 90);
    const provider = await insertUser(db, { companyName: `${name} O’Brien` });
    for (const q of [name.slice(0, 24), name.slice(0, 49), name, `${name} obrien`]) {
      const response = await asAdmin("GET", `/api/users/providers?q=${encodeURIComponent(q)}`);
      expect([q, response.status]).toEqual([q, 200]);
      expect((await response.json<{ id: string }[]>()).map(({ id }) => id)).toEqual([provider.id]);
    }
  }
  const none = await asAdmin("GET", `/api/users/providers?q=${encodeURIComponent("%".repeat(60))}`);
  expect(await none.json()).toEqual([]);
});

test("the list is paged without duplicates or gaps", async () => {
  const createdAt = Date.now();
  for (let i = 0; i < 5; i++) await insertUser(db, { companyName: "Paging Pty", createdAt });
  const seen: string[] = [];
  let path: string | null = "/api/users/providers?q=Paging%20Pty&limit=2";
  while (path) {
    const response: Response = await asAdmin("GET", path);
    seen.push(...((await response.json()) as { id: string }[]).map(({ id }) => id));
    path = /<([^>]+)>/.exec(response.headers.get("Link") ?? "")?.[1] ?? null;
  }
  expect(seen).toHaveLength(5);
  expect(new Set(seen).size).toBe(5);
});

const signIn = ({ username }: { username: string }) =>
  call("POST", "/api/auth/login", { body: { username, password: PASSWORD } });

test("a deactivated provider and their team are signed out at once, and cannot sign in", async () => {
  const provider = await insertUser(db);
  const member = await insertTeamMember(db, provider);
  const cookies = [(await callerFor(provider.id)).cookie, (await callerFor(member.id)).cookie];
  const path = `/api/super-admin/providers/${provider.id}`;
  const changed = await asAdmin("PATCH", path, { isActive: false });
  expect(await changed.json()).toMatchObject({ id: provider.id, isActive: false });
  for (const cookie of cookies) expect((await call("GET", "/api/auth/me", { cookie })).status).toBe(401);
  for (const user of [provider, member]) {
    const refused = await signIn(user);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
  }

  await asAdmin("PATCH", path, { isActive: true });
  // As if the delay after the refused attempt was over.
  await db.delete(signInFailures);
  // The account is active again, but ended sessions stay ended.
  expect((await call("GET", "/api/auth/me", { cookie: cookies[0] })).status).toBe(401);
  expect((await signIn(provider)).status).toBe(200);
  const lines = await auditEntries(provider.id);
  expect(lines).toMatchObject([
    {
      action: "user.deactivate",
      actorUserId: admin.id,
      before: { isActive: true },
      after: { isActive: false },
    },
    {
      action: "user.activate",
      actorUserId: admin.id,
      before: { isActive: false },
      after: { isActive: true },
    },
  ]);
});

test("admins cannot deactivate themselves or change users who are not providers", async () => {
  const own = await asAdmin("PATCH", `/api/super-admin/providers/${admin.id}`, { isActive: false });
  expect(own.status).toBe(403);
  const customer = await insertUser(db, { userType: "customer" });
  const theirs = await asAdmin("PATCH", `/api/super-admin/providers/${customer.id}`, { isActive: false });
  expect(theirs.status).toBe(404);
});
