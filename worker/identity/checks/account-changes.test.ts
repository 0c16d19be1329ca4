/** What a business changes on its account ends the checks that were about the old facts. */
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { PersonalInfoForm } from "../../../contract/account.ts";
import { type CheckKind, type OwnChecks, VERIFYING_KINDS } from "../../../contract/checks.ts";
import { addDays, sydneyDay } from "../../../contract/sydney-time.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { db } from "../../../testing/client.ts";
import { newId } from "../../../testing/world.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { attention, auditLog, providerChecks, users } from "../../tables.ts";

const ABN = "51824753556";
const OTHER_ABN = "53004085616";
const TODAY = sydneyDay(Date.now());

type Provider = Awaited<ReturnType<typeof insertProvider>>;

/** Stores a check of a business, as an admin approved it. Returns its id. */
async function insertCheck({ user }: Provider, kind: CheckKind, state: "valid" | "waiting" = "valid") {
  const id = newId("chk");
  const number = kind === "abn" ? ABN : "12345";
  const dates = { seenOn: TODAY, endsOn: kind === "abn" ? null : addDays(TODAY, 365) };
  const row = { id, businessId: user.id, kind, state, number, ...dates, createdAt: Date.now() };
  await db.insert(providerChecks).values(row);
  return id;
}

/** Stores a verified business. */
async function insertVerified() {
  const provider = await insertProvider({
    abn: "51 824 753 556",
    companyName: "Green Lawns",
    isVerified: true,
  });
  for (const kind of VERIFYING_KINDS) await insertCheck(provider, kind);
  return provider;
}

async function saveInfo({ as, user }: Provider, changes: Partial<PersonalInfoForm>) {
  const { firstName, lastName } = user;
  const body = { firstName, lastName, phone: user.phone, ...changes };
  expect((await as("PUT", "/api/user/personal-info", body)).status).toBe(200);
}

const readOwn = async ({ as }: Provider) => (await as("GET", "/api/user/checks")).json<OwnChecks>();
const readAlerts = ({ user }: Provider) =>
  db
    .select()
    .from(attention)
    .where(and(eq(attention.subjectId, user.id), eq(attention.kind, "checked_name_changed")));

test.each(["53 004 085 616", "not an ABN", null])(
  "a business that changes its ABN to %j is no longer verified",
  async (abn) => {
    const provider = await insertVerified();
    await saveInfo(provider, { abn });
    const { isVerified, checks } = await readOwn(provider);
    expect(isVerified).toBe(false);
    expect(checks.map(({ kind, valid }) => [kind, valid !== null])).toEqual([
      ["abn", false],
      ["insurance", true],
      ["police", true],
      ["licence", false],
    ]);
    expect(checks[0]!.latest).toMatchObject({ state: "ended", number: ABN });
    const entries = and(eq(auditLog.subjectId, provider.user.id), eq(auditLog.action, "check.end"));
    expect(await db.select().from(auditLog).where(entries)).toMatchObject([
      { actorUserId: provider.user.id, after: { kind: "abn", state: "ended" } },
    ]);
  },
);

test("the same ABN with other spaces, and every other field, ends no check", async () => {
  const provider = await insertVerified();
  await saveInfo(provider, { abn: "518 2475 3556", phone: "02 5550 0199", serviceAreas: "Sydney" });
  expect(await readOwn(provider)).toMatchObject({ isVerified: true });
  expect(await readAlerts(provider)).toEqual([]);
});

test("an ABN that waits for an admin is dropped with the one on the account", async () => {
  const provider = await insertProvider({ abn: ABN });
  const id = await insertCheck(provider, "abn", "waiting");
  await saveInfo(provider, { abn: OTHER_ABN });
  const { asAdmin } = await insertAdmin();
  const body = { decision: "valid", seenOn: TODAY };
  expect((await asAdmin("POST", `/api/super-admin/checks/${id}/decision`, body)).status).toBe(404);
  expect((await readOwn(provider)).checks[0]).toEqual({ kind: "abn", valid: null, latest: null });
});

test("an approved ABN is the account's from then on", async () => {
  const provider = await insertProvider({ abn: OTHER_ABN });
  const id = await insertCheck(provider, "abn", "waiting");
  const { asAdmin, admin } = await insertAdmin();
  const decide = (decision: object) => asAdmin("POST", `/api/super-admin/checks/${id}/decision`, decision);
  const accountAbn = async () =>
    (await db.select().from(users).where(eq(users.id, provider.user.id)))[0]!.abn;
  expect((await decide({ decision: "valid", seenOn: TODAY })).status).toBe(200);
  expect(await accountAbn()).toBe("51 824 753 556");
  expect((await decide({ decision: "refused", reason: "Cancelled" })).status).toBe(200);
  expect(await accountAbn()).toBe("51 824 753 556");
  const isOwn = and(eq(auditLog.subjectId, provider.user.id), eq(auditLog.action, "user.profile_changed"));
  expect(await db.select().from(auditLog).where(isOwn), "the change is in the audit log").toMatchObject([
    { actorUserId: admin.id, after: { fields: ["abn"] } },
  ]);
});

test("a checked business that changes its name is shown to the admins; one without checks is not", async () => {
  const [checked, unchecked] = [await insertVerified(), await insertProvider()];
  for (const provider of [checked, unchecked]) await saveInfo(provider, { companyName: "Sydney Water" });
  expect(await readAlerts(checked)).toMatchObject([{ resolvedAt: null }]);
  expect(await readAlerts(unchecked)).toEqual([]);
  expect(await readOwn(checked), "an admin decides").toMatchObject({ isVerified: true });
});

test("a police check is about a person, so a new last name is shown to the admins too", async () => {
  const provider = await insertProvider();
  await insertCheck(provider, "police");
  await saveInfo(provider, { lastName: "Newname" });
  expect(await readAlerts(provider)).toHaveLength(1);
});
