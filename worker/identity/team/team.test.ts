import { expect, test } from "vitest";

import type { TeamMember } from "../../../contract/team.ts";
import { call, callerFor, db } from "../../../testing/client.ts";
import { auditEntries, purchaseRow, sessionsOf, userRow } from "../../../testing/facts.ts";
import { insertProvider, openSocket } from "../../../testing/sockets.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../../../testing/world.ts";

const TEMPORARY = "for-one-time";

let members = 0;

function memberForm(overrides: Record<string, unknown> = {}) {
  members += 1;
  return {
    firstName: "Terry",
    lastName: "Teammate",
    email: `terry.${members}@example.com`,
    phone: "0491 570 006",
    tempPassword: TEMPORARY,
    ...overrides,
  };
}

async function addMember(as: Awaited<ReturnType<typeof callerFor>>, form = memberForm()) {
  const response = await as("POST", "/api/team-members", form);
  expect(response.status).toBe(201);
  return { form, member: (await response.json()) as TeamMember };
}

async function signIn(username: string, password: string): Promise<string> {
  const response = await call("POST", "/api/auth/login", { body: { username, password } });
  expect(response.status).toBe(200);
  return response.headers.getSetCookie()[0]!.split(";")[0]!;
}

test("an owner adds a team member, who signs in with their email and works on the owner's pipeline", async () => {
  const { user: owner, as } = await insertProvider();
  const purchaseId = await insertManualPurchase(db, owner, { stage: "called", startedAt: 1 });
  const { form, member } = await addMember(as, memberForm({ email: " New.Terry@Example.com " }));
  expect(member).toMatchObject({ email: "new.terry@example.com", mustChangePassword: true });
  expect(JSON.stringify(member)).not.toContain("passwordHash");
  const cookie = await signIn("new.terry@example.com", TEMPORARY);
  const put = { currentPassword: TEMPORARY, newPassword: "terry's own", confirmPassword: "terry's own" };
  expect((await call("PUT", "/api/user/password", { cookie, body: put })).status).toBe(200);
  expect(await (await call("GET", "/api/auth/me", { cookie })).json()).toMatchObject({
    userType: "team_member",
    businessId: owner.id,
    mustChangePassword: false,
    watchedRegions: owner.watchedRegions,
  });
  const list = (await (await call("GET", "/api/lead-purchases", { cookie })).json()) as { id: string }[];
  expect(list.map(({ id }) => id)).toEqual([purchaseId]);
  const trail = await auditEntries(member.id);
  expect(trail[0]).toMatchObject({ action: "user.created", actorUserId: owner.id });
  expect(JSON.stringify(trail)).not.toContain(form.lastName);
  expect(JSON.stringify(trail).toLowerCase()).not.toContain("new.terry@");
});

test("with a temporary password, a user can only choose a new one", async () => {
  const { as } = await insertProvider();
  const { form } = await addMember(as);
  const cookie = await signIn(form.email, TEMPORARY);
  expect(await (await call("GET", "/api/auth/me", { cookie })).json()).toMatchObject({
    mustChangePassword: true,
  });
  for (const [method, path] of [
    ["GET", "/api/lead-purchases"],
    ["GET", "/api/leads"],
    ["GET", "/api/user/sessions"],
    ["PUT", "/api/user/watched-regions"],
    ["GET", "/api/business/live"],
  ] as const) {
    const refused = await call(method, path, { cookie });
    expect(await refused.json(), path).toMatchObject({ status: 403, code: "must_change_password" });
  }
  const again = { currentPassword: TEMPORARY, newPassword: TEMPORARY, confirmPassword: TEMPORARY };
  const same = await call("PUT", "/api/user/password", { cookie, body: again });
  expect(await same.json()).toMatchObject({ status: 400, errors: { newPassword: expect.any(String) } });
  const fresh = { ...again, newPassword: "something else", confirmPassword: "something else" };
  expect((await call("PUT", "/api/user/password", { cookie, body: fresh })).status).toBe(200);
  expect((await call("GET", "/api/lead-purchases", { cookie })).status).toBe(200);
});

test("a team lists only its owner's members, in the order they joined", async () => {
  const { user: owner, as } = await insertProvider();
  const { user: rival } = await insertProvider();
  const later = await insertTeamMember(db, owner, { createdAt: 2_000 });
  const first = await insertTeamMember(db, owner, { createdAt: 1_000 });
  await insertTeamMember(db, rival);
  const list = (await (await as("GET", "/api/team-members")).json()) as TeamMember[];
  expect(list.map(({ id }) => id)).toEqual([first.id, later.id]);
});

test("an email address in use is refused at its field", async () => {
  const { as } = await insertProvider();
  await insertUser(db, { email: "member-two@example.com" });
  await insertUser(db, { username: "also-member-two@example.com" });
  for (const email of ["Member-two@example.com", "also-member-two@example.com"]) {
    const refused = await as("POST", "/api/team-members", memberForm({ email }));
    expect(await refused.json(), email).toMatchObject({
      status: 409,
      code: "email_taken",
      errors: { email: "Email already registered" },
    });
  }
});

test("a removed member is signed out at once, and their work still shows their name", async () => {
  const { user: owner, as } = await insertProvider();
  const purchaseId = await insertManualPurchase(db, owner, { stage: "accepted_lead", startedAt: 1 });
  const member = await insertTeamMember(db, owner, {
    email: "leaver@example.com",
    username: "leaver@example.com",
  });
  const asMember = await callerFor(member.id);
  await asMember("PATCH", `/api/lead-purchases/${purchaseId}/sales-stage`, { salesNotes: "Rang twice." });
  const ownersRoom = await openSocket("/api/business/live", as.cookie);

  expect((await as("DELETE", `/api/team-members/${member.id}`)).status).toBe(200);
  expect((await asMember("GET", "/api/auth/me")).status).toBe(401);
  expect(await sessionsOf(member.id)).toEqual([]);
  expect(await (await as("GET", "/api/team-members")).json()).toEqual([]);
  const row = await userRow(member.id);
  expect(row).toMatchObject({ firstName: "Terry", lastName: member.lastName, email: null, phone: null });
  const purchase = await purchaseRow(purchaseId);
  expect(purchase).toMatchObject({ salesNotes: "Rang twice." });
  expect(ownersRoom.socket.readyState).toBe(WebSocket.OPEN);
  expect((await as("DELETE", `/api/team-members/${member.id}`)).status).toBe(404);
});

test("a removed member's email can be used again, and the old password no longer works", async () => {
  const { as } = await insertProvider();
  const form = memberForm();
  const { member } = await addMember(as, form);
  await as("DELETE", `/api/team-members/${member.id}`);
  const login = { username: form.email, password: TEMPORARY };
  expect((await call("POST", "/api/auth/login", { body: login })).status).toBe(401);
  const back = await addMember(as, { ...form, tempPassword: "another-one" });
  expect(back.member.id).not.toBe(member.id);
  await signIn(form.email, "another-one");
});

test("another owner's member gets the same response as an unknown one", async () => {
  const { user: owner, as } = await insertProvider();
  const { as: rival } = await insertProvider();
  const member = await insertTeamMember(db, owner);
  const results = [];
  for (const id of [member.id, "user_00000000000000000000", "nonsense"]) {
    for (const [method, path] of [
      ["DELETE", `/api/team-members/${id}`],
      ["POST", `/api/team-members/${id}/password-link`],
    ] as const) {
      const { status } = await rival(method, path);
      results.push(status);
    }
  }
  expect(new Set(results)).toEqual(new Set([404]));
  expect(await (await as("GET", "/api/team-members")).json()).toHaveLength(1);
});

test("an owner cannot remove a provider, even themselves", async () => {
  const { user, as } = await insertProvider();
  expect((await as("DELETE", `/api/team-members/${user.id}`)).status).toBe(404);
  expect((await as("GET", "/api/auth/me")).status).toBe(200);
});
