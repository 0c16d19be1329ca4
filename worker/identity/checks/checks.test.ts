/** Tests the checks behind "verified", through the API and the sweep. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { AdminCheck, OwnChecks } from "../../../contract/checks.ts";
import { MAX_CERTIFICATE_BYTES } from "../../../contract/checks.ts";
import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import type { CustomerRequest } from "../../../contract/request-links.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import { startImpersonation } from "../../../testing/admins.ts";
import { call, callerFor, callWith, db, testEnv } from "../../../testing/client.ts";
import { auditEntries, checksOf, purchaseRow } from "../../../testing/facts.ts";
import { deliverMessages, erase, requestLink, runSweep } from "../../../testing/drivers.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertManualPurchase, insertUser } from "../../../testing/world.ts";
import { providerChecks, users } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";

const admin = await insertUser(db, { isSuperAdmin: true });
const asAdmin = await callerFor(admin.id);

type Provider = Awaited<ReturnType<typeof insertProvider>>;

const ABN = "51 824 753 556";
const PDF = "%PDF-1.7\nCertificate of currency";
const TODAY = sydneyDay(Date.now());
const NEXT_YEAR = addDays(TODAY, 365);

const certificatePath = (endsOn = NEXT_YEAR) => `/api/user/checks/insurance?number=PL-77&endsOn=${endsOn}`;

function upload({ as }: Provider, body: unknown = PDF, type = "application/pdf", path = certificatePath()) {
  return call("POST", path, { cookie: as.cookie, body, headers: { "Content-Type": type } });
}

const own = async ({ as }: Provider) => (await (await as("GET", "/api/user/checks")).json()) as OwnChecks;
const ofKind = async (provider: Provider, kind: string) =>
  (await own(provider)).checks.find((check) => check.kind === kind)!;
const listed = async (state = "waiting") =>
  (await (await asAdmin("GET", `/api/super-admin/checks?state=${state}`)).json()) as AdminCheck[];
const decide = (id: string, body: object) => asAdmin("POST", `/api/super-admin/checks/${id}/decision`, body);
const isVerified = async ({ user }: Provider) =>
  (await db.select().from(users).where(eq(users.id, user.id)))[0]!.isVerified;
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

/** Submits a check of this kind. Returns its ID. */
async function submit(provider: Provider, kind: "abn" | "insurance" | "police" | "licence"): Promise<string> {
  const response =
    kind === "insurance"
      ? await upload(provider)
      : await provider.as("POST", "/api/user/checks", {
          kind,
          ...(kind !== "police" && { number: kind === "abn" ? ABN : "123456C" }),
        });
  expect(response.status).toBe(201);
  return (await ofKind(provider, kind)).latest!.id;
}

async function approve(id: string, endsOn: string | null = NEXT_YEAR): Promise<void> {
  expect((await decide(id, { decision: "valid", seenOn: TODAY, endsOn })).status).toBe(200);
}

/** Verifies a business. @param insuredUntil the last day of its insurance */
async function verify(provider: Provider, insuredUntil = NEXT_YEAR): Promise<void> {
  await approve(await submit(provider, "abn"), null);
  await approve(await submit(provider, "police"));
  await approve(await submit(provider, "insurance"), insuredUntil);
}

test("a business is verified once its ABN, insurance and police check are approved", async () => {
  const provider = await insertProvider();
  await approve(await submit(provider, "abn"), null);
  await approve(await submit(provider, "police"));
  expect(await isVerified(provider)).toBe(false);
  const id = await submit(provider, "insurance");
  const waiting = (await listed()).find((check) => check.id === id)!;
  expect(waiting).toMatchObject({
    businessId: provider.user.id,
    kind: "insurance",
    number: "PL-77",
    endsOn: NEXT_YEAR,
    hasFile: true,
    fileBytes: PDF.length,
  });
  await approve(id);
  expect(await isVerified(provider)).toBe(true);
  expect(await own(provider)).toMatchObject({
    isVerified: true,
    checks: [
      { kind: "abn", valid: { number: "51824753556", endsOn: null }, latest: null },
      { kind: "insurance", valid: { endsOn: NEXT_YEAR, seenOn: TODAY }, latest: null },
      { kind: "police", valid: { seenOn: TODAY }, latest: null },
      { kind: "licence", valid: null, latest: null },
    ],
  });
  const lines = await auditEntries(id);
  expect(lines.map(({ action }) => action)).toEqual(["check.submit", "check.approve"]);
  expect(lines[1]).toMatchObject({ actorUserId: admin.id, after: { seenOn: TODAY, endsOn: NEXT_YEAR } });
});

test("a check that expires tonight is valid until midnight in Sydney, and then the badge ends with it", async () => {
  const provider = await insertProvider();
  await verify(provider, TODAY);
  const midnight = startOfSydneyDay(addDays(TODAY, 1))!;
  await runSweep("check_sweep", midnight - 1);
  expect(await isVerified(provider)).toBe(true);
  expect(await runSweep("check_sweep", midnight)).toMatchObject({ ended: 1 });
  expect(await isVerified(provider)).toBe(false);
  expect(await ofKind(provider, "insurance")).toMatchObject({ valid: null, latest: { state: "ended" } });
  // A renewal brings the badge back.
  await approve(await submit(provider, "insurance"));
  expect(await isVerified(provider)).toBe(true);
});

test("an approved renewal replaces the old check, and a declined one does not", async () => {
  const provider = await insertProvider();
  await verify(provider, addDays(TODAY, 5));
  const refused = await submit(provider, "insurance");
  await decide(refused, { decision: "refused", reason: "The name is another business's." });
  expect(await isVerified(provider)).toBe(true);
  expect(await ofKind(provider, "insurance")).toMatchObject({
    valid: { endsOn: addDays(TODAY, 5) },
    latest: { state: "refused", reason: "The name is another business's." },
  });
  await approve(await submit(provider, "insurance"));
  expect(await ofKind(provider, "insurance")).toMatchObject({ valid: { endsOn: NEXT_YEAR }, latest: null });
  const rows = await checksOf(provider.user.id);
  expect(rows.filter(({ kind, state }) => kind === "insurance" && state === "valid")).toHaveLength(1);
});

test("an admin can decline a valid check, and the business is no longer verified", async () => {
  const provider = await insertProvider();
  await verify(provider);
  const { valid } = await ofKind(provider, "insurance");
  const response = await decide(valid!.id, { decision: "refused", reason: "The insurer cancelled it." });
  expect(response.status).toBe(200);
  expect(await isVerified(provider)).toBe(false);
});

test("a check is decided once, with dates that make sense", async () => {
  const provider = await insertProvider();
  const id = await submit(provider, "police");
  const wrong = [
    { seenOn: addDays(TODAY, 1), endsOn: NEXT_YEAR },
    { seenOn: TODAY, endsOn: addDays(TODAY, -1) },
    { seenOn: TODAY, endsOn: null },
  ];
  for (const dates of wrong)
    expect((await decide(id, { decision: "valid", ...dates })).status, JSON.stringify(dates)).toBe(400);
  expect((await decide(id, { decision: "refused" })).status).toBe(400);
  const both = await Promise.all(
    [1, 2].map(() => decide(id, { decision: "valid", seenOn: TODAY, endsOn: NEXT_YEAR })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const replaced = await submit(provider, "licence");
  await submit(provider, "licence");
  expect((await decide(replaced, { decision: "refused", reason: "No" })).status).toBe(404);
});

test("an ABN with a wrong digit is refused, and a licence without a number", async () => {
  const { as } = await insertProvider();
  const response = await as("POST", "/api/user/checks", { kind: "abn", number: "51 824 753 557" });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("That's not an ABN");
  expect((await as("POST", "/api/user/checks", { kind: "licence" })).status).toBe(400);
});

test("a certificate may have 10 MB, and not a byte more", async () => {
  const provider = await insertProvider();
  expect((await upload(provider, PDF.padEnd(MAX_CERTIFICATE_BYTES))).status).toBe(201);
  const { latest } = await ofKind(provider, "insurance");
  const refused = await upload(provider, PDF.padEnd(MAX_CERTIFICATE_BYTES + 1));
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain("Send at most 10 MB");
  expect((await ofKind(provider, "insurance")).latest).toEqual(latest);
});

test("a certificate is a PDF, JPEG or PNG by its bytes, whatever its name says", async () => {
  const provider = await insertProvider();
  const wrong: [body: string, type: string][] = [
    ["<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"],
    ["<svg xmlns='http://www.w3.org/2000/svg'/>", "image/png"],
    ["<script>alert(1)</script>", "application/pdf"],
    ["", "application/pdf"],
    [PDF, "text/plain"],
    [PDF, "multipart/form-data; boundary=b"],
  ];
  for (const [body, type] of wrong) {
    const response = await upload(provider, body, type);
    expect(response.status, `${type} ${body}`).toBe(415);
    expect(await response.text()).toContain("Please send the certificate as a PDF, JPEG or PNG file.");
  }
  expect((await ofKind(provider, "insurance")).latest).toBeNull();
  // The stored type is the one of the bytes.
  expect((await upload(provider, PDF, "image/png")).status).toBe(201);
  const { latest } = await ofKind(provider, "insurance");
  const file = await provider.as("GET", `/api/user/checks/${latest!.id}/file`);
  expect(file.headers.get("Content-Type")).toBe("application/pdf");
});

test("a certificate is a private download of its business and of admins", async () => {
  const [provider, stranger] = [await insertProvider(), await insertProvider()];
  const id = await submit(provider, "insurance");
  for (const file of [
    await provider.as("GET", `/api/user/checks/${id}/file`),
    await asAdmin("GET", `/api/super-admin/checks/${id}/file`),
  ]) {
    expect(await file.text()).toBe(PDF);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="insurance-${id}.pdf"`,
      "cache-control": "private, no-store",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
  }
  for (const [as, path] of [
    [stranger.as, `/api/user/checks/${id}/file`],
    [stranger.as, "/api/user/checks/chk_00000000000000000000/file"],
    [asAdmin, `/api/user/checks/${id}/file`],
  ] as const) {
    const response = await as("GET", path);
    expect(response.status, path).toBe(404);
  }
  expect((await ofKind(stranger, "insurance")).latest).toBeNull();
});

const objects = async () => (await testEnv.FILES.list({ prefix: "checks/" })).objects.map(({ key }) => key);

test("the files of declined, replaced and ended checks are deleted, and no others", async () => {
  const provider = await insertProvider();
  const replaced = await submit(provider, "insurance");
  const declined = await submit(provider, "insurance");
  await decide(declined, { decision: "refused", reason: "Unreadable" });
  const kept = await submit(provider, "insurance");
  await runSweep("check_sweep", Date.now() + 2 * HOUR_MS);
  expect(await objects()).not.toContain(`checks/${declined}`);
  expect(await objects()).not.toContain(`checks/${replaced}`);
  expect(await objects()).toContain(`checks/${kept}`);
  const ids = (await db.select().from(providerChecks)).map(({ id }) => id);
  expect(ids).toContain(declined);
  expect(ids).not.toContain(replaced);
});

test("a bucket that fails leaves no check behind, and the same upload works later", async () => {
  const provider = await insertProvider();
  const FILES = { put: () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
  const response = await callWith({ FILES }, "POST", certificatePath(), {
    cookie: provider.as.cookie,
    body: PDF,
    headers: { "Content-Type": "application/pdf" },
  });
  expect(response.status).toBe(500);
  expect((await ofKind(provider, "insurance")).latest).toBeNull();
  expect((await upload(provider)).status).toBe(201);
});

test("reminders are emailed 30 and 7 days before the end, and the end too", async () => {
  const box = mailbox();
  const env = { ...testEnv, ...box.changed } as Bindings;
  const email = `${crypto.randomUUID()}@example.com`;
  const provider = await insertProvider({ email });
  await verify(provider, addDays(TODAY, 40));
  const subjects: string[] = [];
  for (const days of [0, 9, 10, 11, 32, 33, 34, 40, 41]) {
    const now = startOfSydneyDay(addDays(TODAY, days))! + 12 * HOUR_MS;
    await runSweep("check_sweep", now, env);
    await runSweep("check_sweep", now + 60_000, env);
    await deliverMessages(now + 60_000, env);
    for (const { to, subject } of box.sent.splice(0)) if (to === email) subjects.push(`${days} ${subject}`);
  }
  expect(subjects).toEqual([
    "10 Your public liability insurance expires soon",
    "33 Your public liability insurance expires soon",
    "41 Your public liability insurance has expired",
  ]);
});

test("no reminder is sent while the renewal waits for an admin", async () => {
  const box = mailbox();
  const env = { ...testEnv, ...box.changed } as Bindings;
  const email = `${crypto.randomUUID()}@example.com`;
  const provider = await insertProvider({ email });
  await verify(provider, addDays(TODAY, 20));
  await submit(provider, "insurance");
  const now = Date.now();
  await runSweep("check_sweep", now, env);
  await deliverMessages(now, env);
  expect(box.sent.filter(({ to }) => to === email)).toEqual([]);
});

test("customers read what was checked and when, and nothing else about it", async () => {
  const provider = await insertProvider();
  const purchaseId = await insertManualPurchase(db, provider.user, { stage: "called", startedAt: 1 });
  const purchase = await purchaseRow(purchaseId);
  const token = await requestLink(purchase.leadId);
  const shown = async () => {
    const response = await call("GET", `/api/requests?token=${token}`);
    return ((await response.json()) as { request: CustomerRequest }).request.provider!.checks;
  };
  expect(await shown()).toEqual([]);
  await verify(provider);
  await approve(await submit(provider, "licence"));
  expect(await shown()).toEqual([
    { kind: "abn", seenOn: TODAY, endsOn: null, number: null },
    { kind: "insurance", seenOn: TODAY, endsOn: NEXT_YEAR, number: null },
    { kind: "police", seenOn: TODAY, endsOn: NEXT_YEAR, number: null },
    { kind: "licence", seenOn: TODAY, endsOn: NEXT_YEAR, number: "123456C" },
  ]);
  // Even before the sweep has ended it.
  await db
    .update(providerChecks)
    .set({ endsOn: sydneyDay(Date.now() - DAY_MS) })
    .where(eq(providerChecks.kind, "insurance"));
  expect((await shown()).map(({ kind }) => kind)).toEqual(["abn", "police", "licence"]);
});

test("erasing a business deletes its checks and their files", async () => {
  const provider = await insertProvider();
  await verify(provider);
  const id = await submit(provider, "insurance");
  expect(await objects()).toContain(`checks/${id}`);
  const now = Date.now();
  await erase({ username: provider.user.username }, now);
  await runSweep("check_sweep", now);
  const rows = await checksOf(provider.user.id);
  expect(rows).toEqual([]);
  expect(await objects()).not.toContain(`checks/${id}`);
});

test("an impersonating admin reads a business's checks but submits none", async () => {
  const provider = await insertProvider();
  const cookie = await startImpersonation((await callerFor(admin.id)).cookie, provider.user.id);
  expect((await call("GET", "/api/user/checks", { cookie })).status).toBe(200);
  const response = await call("POST", "/api/user/checks", { cookie, body: { kind: "police" } });
  expect([response.status, await codeOf(response)]).toEqual([403, "impersonating"]);
});

test("a certificate that arrives while its business is erased is deleted too", async () => {
  const provider = await insertProvider();
  const FILES = {
    put: async (...file: Parameters<R2Bucket["put"]>) => {
      await erase({ username: provider.user.username });
      return testEnv.FILES.put(...file);
    },
    delete: (keys: string[]) => testEnv.FILES.delete(keys),
  } as unknown as R2Bucket;
  const before = await objects();
  const response = await callWith({ FILES }, "POST", certificatePath(), {
    cookie: provider.as.cookie,
    body: PDF,
    headers: { "Content-Type": "application/pdf" },
  });
  expect(response.status).toBe(404);
  expect(await objects()).toEqual(before);
  await runSweep("check_sweep");
  expect(await db.$count(providerChecks, eq(providerChecks.businessId, provider.user.id))).toBe(0);
});
