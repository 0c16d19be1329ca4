/** Impersonation grants the target's rights, except access to money. The audit log records every change. */
import { and, asc, eq, gt } from "drizzle-orm";
import { expect, test } from "vitest";

import { auditLog, sessions } from "../../tables.ts";
import { startImpersonation } from "../../../testing/admins.ts";
import { call, callerFor, callWith, db } from "../../../testing/client.ts";
import { apiRoutes, setUser } from "../../../testing/facts.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../../testing/world.ts";

const admin = await insertUser(db, { isSuperAdmin: true });

function cookieOf(response: Response): string {
  return /session=[^;]*/.exec(response.headers.get("Set-Cookie") ?? "")?.[0] ?? "";
}

const impersonate = async (targetUserId: string, cookie?: string) =>
  startImpersonation(cookie ?? (await callerFor(admin.id)).cookie, targetUserId);

async function me(cookie: string) {
  const response = await call("GET", "/api/auth/me", { cookie });
  return response.status === 200 ? ((await response.json()) as Record<string, unknown>) : null;
}

async function logSince(id: number) {
  return db.select().from(auditLog).where(gt(auditLog.id, id)).orderBy(asc(auditLog.id));
}

async function lastLogId() {
  const rows = await db.select({ id: auditLog.id }).from(auditLog).orderBy(asc(auditLog.id));
  return rows.at(-1)?.id ?? 0;
}

test("an impersonated session has its target's rights, and stopping returns to the admin's account", async () => {
  const target = await insertUser(db);
  const original = (await callerFor(admin.id)).cookie;
  const before = await lastLogId();
  const cookie = await impersonate(target.id, original);
  expect(await me(cookie)).toMatchObject({ id: target.id, isSuperAdmin: false, isImpersonating: true });
  // The admin's own session has ended: a browser window cannot be two users.
  expect(await me(original)).toBeNull();
  const stopped = await call("POST", "/api/auth/stop-impersonation", { cookie });
  expect(await stopped.json()).toMatchObject({ id: admin.id, isImpersonating: false, isSuperAdmin: true });
  expect(await me(cookie)).toBeNull();
  expect(await me(cookieOf(stopped))).toMatchObject({ id: admin.id });
  expect(await logSince(before)).toMatchObject([
    { action: "impersonation.start", actorUserId: admin.id, asUserId: target.id, subjectId: target.id },
    { action: "impersonation.call", subjectId: "POST /api/auth/stop-impersonation", asUserId: target.id },
    { action: "impersonation.stop", actorUserId: admin.id, asUserId: target.id, subjectId: target.id },
  ]);
});

test("super admins, customers, inactive and unknown users cannot be impersonated", async () => {
  const owner = await insertUser(db, { isActive: false });
  const { cookie } = await callerFor(admin.id);
  for (const [target, status] of [
    [await insertUser(db, { isSuperAdmin: true }), 403],
    [admin, 403],
    [await insertUser(db, { userType: "customer" }), 404],
    [owner, 404],
    [await insertTeamMember(db, owner), 404],
    [{ id: "user_00000000000000000000" }, 404],
  ] as const) {
    const response = await call("POST", "/api/auth/impersonate", {
      cookie,
      body: { targetUserId: target.id },
    });
    expect(response.status).toBe(status);
  }
  expect(await me(cookie)).toMatchObject({ id: admin.id });
});

test("while impersonating a provider, an admin has no admin rights and cannot impersonate another user", async () => {
  const [target, other] = [await insertUser(db), await insertUser(db)];
  const cookie = await impersonate(target.id);
  const response = await call("POST", "/api/auth/impersonate", { cookie, body: { targetUserId: other.id } });
  expect(await response.json()).toMatchObject({ status: 403, code: "forbidden" });
});

test("while impersonating a team member, an admin has the member's access, not the owner's", async () => {
  const owner = await insertUser(db);
  const member = await insertTeamMember(db, owner);
  const cookie = await impersonate(member.id);
  expect((await call("GET", "/api/my-purchased-leads", { cookie })).status).toBe(200);
  expect(await me(cookie)).toMatchObject({ userType: "team_member", businessId: owner.id });
});

/** Paths of actions that only users themselves may take. The pattern also finds new routes of this kind. */
const PERSONAL =
  /purchase$|payment|holds?\b|password|bank|card|credit|bad-lead|contest|reset-link|save-card|sessions|passkeys|confirm|pending-email|closure|contacts|photos/;
const READS = new Set(["GET", "HEAD", "ALL"]);
/** Paths that match but use no session. They are public or signed by Stripe. */
const SESSIONLESS =
  /stripe\/webhook|forgot|reset-password|confirm-email|auth\/passkey|photos(\/:id\/(removal|agreement))?$|lead-purchases\/:id(\/(sales-stage|archive|restore))?$/;

const personal = [
  ...new Set(
    apiRoutes()
      .filter(({ method, path }) => !READS.has(method) && PERSONAL.test(path) && !SESSIONLESS.test(path))
      .map(({ method, path }) => `${method} ${path}`),
  ),
];

test("all routes for personal actions are listed", () => {
  expect(personal).toEqual(
    expect.arrayContaining([
      "POST /api/leads/:id/purchase",
      "POST /api/create-payment-intent",
      "POST /api/exchange/holds",
      "POST /api/payments/settle",
      "DELETE /api/exchange/holds/:id",
      "PUT /api/user/password",
      "POST /api/lead-purchases/:id/contacts",
      "DELETE /api/photos/:id",
    ]),
  );
});

const viewed = await insertUser(db);
const viewedCookie = await impersonate(viewed.id);
const viewedPurchase = await insertManualPurchase(db, viewed, { stage: "called", startedAt: 1 });

test.each(personal)("%s is refused while impersonating", async (route) => {
  const [method = "", path = ""] = route.split(" ");
  const id = path.includes("lead-purchases") ? viewedPurchase : "lead_inner-west_00000000000000000000";
  const response = await call(method, path.replace(/:\w+/g, id), {
    cookie: viewedCookie,
    ...(method !== "DELETE" && { body: {} }),
  });
  const isAdmins = path.startsWith("/api/super-admin") || path.startsWith("/api/operator");
  expect(await response.json()).toMatchObject({
    status: 403,
    code: isAdmins ? "forbidden" : "impersonating",
  });
});

test("a stage is refused while impersonating, because it stops the customer's clock; other fields are saved", async () => {
  const target = await insertUser(db);
  const id = await insertManualPurchase(db, target, { stage: "accepted_lead", startedAt: 1 });
  const cookie = await impersonate(target.id);
  const path = `/api/lead-purchases/${id}/sales-stage`;
  const change = (body: object) => call("PATCH", path, { cookie, body });
  // "Quote sent" stops the clock like "Called", and "Accepted lead" starts it again.
  for (const body of [
    { salesStage: "called" },
    { salesStage: "quote_sent" },
    { salesStage: "accepted_lead" },
    { undoes: "accepted_lead", salesNotes: "Rang them." },
  ])
    expect(await (await change(body)).json()).toMatchObject({ status: 403, code: "impersonating" });
  const saved = await change({ salesNotes: "They like it short." });
  expect(await saved.json()).toMatchObject({
    salesStage: "accepted_lead",
    salesNotes: "They like it short.",
  });
});

test("the log of every impersonated change names the admin and the target, in addition to the feature's own entry", async () => {
  const target = await insertUser(db);
  const id = await insertManualPurchase(db, target, { stage: "accepted_lead", startedAt: 1 });
  const cookie = await impersonate(target.id);
  const before = await lastLogId();
  const path = `/api/lead-purchases/${id}/sales-stage`;
  await call("PATCH", path, { cookie, body: { customerPaymentAmount: "240.00" } });
  await call("PUT", "/api/user/watched-regions", { cookie, body: { regions: ["macarthur"] } });
  const lines = await logSince(before);
  expect(lines.length).toBeGreaterThanOrEqual(2);
  for (const line of lines) {
    expect(line, line.action).toMatchObject({ actorUserId: admin.id, asUserId: target.id });
  }
  expect(lines.map((line) => line.subjectId)).toContain(`PATCH ${path}`);
});

test("a logged path contains only our own ids, because other parts may be secrets", async () => {
  const cookie = await impersonate((await insertUser(db)).id);
  const before = await lastLogId();
  const token = "T0ken".padEnd(43, "x");
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const pages = { render: async () => new Response("page"), routeOf: async () => "/reset-password/:token" };
  await callWith({}, "POST", `/reset-password/${token}`, { cookie, headers: form, body: "a=b" }, pages);
  await call("POST", `/api/reset-password/${token}`, { cookie, body: {} });
  await call("DELETE", `/api/user/sessions/${token}`, { cookie });
  const lines = await logSince(before);
  const calls = lines.filter(({ action }) => action === "impersonation.call");
  expect(calls.map(({ subjectId }) => subjectId)).toEqual([
    "POST /reset-password/:token",
    "POST (none)",
    "DELETE /api/user/sessions/:id",
  ]);
  expect(JSON.stringify(lines)).not.toContain(token);
});

test("a refused call while impersonating is logged with its status", async () => {
  const target = await insertUser(db);
  const cookie = await impersonate(target.id, (await callerFor(admin.id)).cookie);
  const before = await lastLogId();
  const refused = await call("POST", "/api/team-members", { cookie, body: {} });
  expect(refused.status).toBe(403);
  const subjectId = "POST /api/team-members";
  await expect.poll(() => logSince(before)).toHaveLength(2);
  expect(await logSince(before)).toMatchObject([
    { action: "impersonation.call", subjectId },
    { action: "impersonation.refused", subjectId, after: { status: 403 }, asUserId: target.id },
  ]);
});

test("reads while impersonating are not logged", async () => {
  const cookie = await impersonate((await insertUser(db)).id);
  const before = await lastLogId();
  await call("GET", "/api/my-purchased-leads", { cookie });
  expect(await logSince(before)).toEqual([]);
});

test("signing out while impersonating ends the impersonation, and the log records it", async () => {
  const target = await insertUser(db);
  const cookie = await impersonate(target.id);
  const before = await lastLogId();
  await call("POST", "/api/auth/logout", { cookie, body: {} });
  expect(await me(cookie)).toBeNull();
  expect((await logSince(before)).map(({ action }) => action)).toContain("impersonation.stop");
});

test("an impersonation ends when the admin loses their rights or account, and after four hours", async () => {
  const target = await insertUser(db);
  for (const change of [{ isSuperAdmin: false }, { isActive: false }]) {
    const passing = await insertUser(db, { isSuperAdmin: true });
    const cookie = await impersonate(target.id, (await callerFor(passing.id)).cookie);
    expect(await me(cookie)).not.toBeNull();
    await setUser(passing.id, change);
    expect(await me(cookie)).toBeNull();
  }
  const cookie = await impersonate(target.id);
  const [row] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, target.id), eq(sessions.impersonatorId, admin.id)));
  expect(row!.expiresAt - row!.createdAt).toBe(4 * 60 * 60 * 1000);
  await db
    .update(sessions)
    .set({ expiresAt: Date.now() - 1 })
    .where(eq(sessions.id, row!.id));
  expect(await me(cookie)).toBeNull();
});
