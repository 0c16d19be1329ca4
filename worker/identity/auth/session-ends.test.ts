/**
 * Checks that every way to end a session closes every kind of socket: to exchanges, to the business room, and both
 * while impersonating. All sockets open at once, as in a browser window. The test counts the sockets in the Durable
 * Objects, so it needs no waiting time.
 */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { Region } from "../../../contract/regions.ts";
import { sessions } from "../../tables.ts";
import { startImpersonation } from "../../../testing/admins.ts";
import { call, callerFor, db } from "../../../testing/client.ts";
import { exchangeIn, roomOf, sessionHash, setSessions } from "../../../testing/facts.ts";
import { runSweep } from "../../../testing/drivers.ts";
import { runJob } from "../../../testing/operator.ts";
import { insertTeamMember, insertUser, PASSWORD } from "../../../testing/world.ts";

const REGIONS: readonly Region[] = ["inner-west", "macarthur"];
const PATHS = [...REGIONS.map((region) => `/api/exchange/${region}/live`), "/api/business/live"];

/**
 * Opens every kind of socket at once, like a browser window.
 * @returns the number of sockets accepted
 */
async function openAll(cookie: string): Promise<number> {
  const responses = await Promise.all(
    PATHS.map((path) => call("GET", path, { cookie, headers: { Upgrade: "websocket" } })),
  );
  for (const { webSocket } of responses) webSocket?.accept();
  return responses.filter(({ status }) => status === 101).length;
}

async function sessionIdOf(cookie: string): Promise<string> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.tokenHash, sessionHash(cookie)));
  return row!.id;
}

/** Counts a session's open sockets in the exchanges and in a business's room. */
async function countOpen(sessionId: string, businessId: string): Promise<number> {
  const places = [...REGIONS.map((region) => exchangeIn(region)), roomOf(businessId)];
  const counts = await Promise.all(
    places.map((place) =>
      runInDurableObject(place as DurableObjectStub, (_, state) => {
        const sockets = state.getWebSockets(`session:${sessionId}`);
        return sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
      }),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const signIn = async (userId: string) => (await callerFor(userId)).cookie;

const impersonate = async (adminId: string, targetUserId: string) =>
  startImpersonation(await signIn(adminId), targetUserId);

async function ok(method: string, path: string, cookie: string | undefined, body?: unknown): Promise<void> {
  const response = await call(method, path, { cookie, body });
  expect(`${path} ${response.status}`).toMatch(/ 20[01]$/);
}

async function newPeople() {
  const owner = await insertUser(db);
  const member = await insertTeamMember(db, owner, { email: `${crypto.randomUUID()}@example.com` });
  const [admin, other] = [
    await insertUser(db, { isSuperAdmin: true }),
    await insertUser(db, { isSuperAdmin: true }),
  ];
  return { owner, member, admin, other };
}
type People = Awaited<ReturnType<typeof newPeople>>;

const NEW_PASSWORD = { newPassword: "chosen anew", confirmPassword: "chosen anew" };
const changePassword = (cookie: string) =>
  ok("PUT", "/api/user/password", cookie, { currentPassword: PASSWORD, ...NEW_PASSWORD });

async function redeemLink(issuer: string, path: string): Promise<void> {
  const issued = await call("POST", path, { cookie: issuer });
  const { path: link } = (await issued.json()) as { path: string };
  await ok("POST", "/api/auth/reset-password", undefined, { token: link.split("/").at(-1), ...NEW_PASSWORD });
}

const deactivate = async (adminId: string, userId: string) =>
  ok("PATCH", `/api/super-admin/providers/${userId}`, await signIn(adminId), { isActive: false });

async function erase(username: string): Promise<void> {
  const job = await runJob({ kind: "erase_person", input: { phone: null, email: null, username } });
  expect(job).toMatchObject({ state: "done", result: { accountsLeft: 0 } });
}

/** A way to end a session, and how to open a window with that session. */
type Ending = {
  open: (people: People) => Promise<string>;
  room: (people: People) => string;
  end: (people: People, cookie: string) => Promise<unknown>;
};

const ofOwner = { open: ({ owner }: People) => signIn(owner.id), room: ({ owner }: People) => owner.id };
const ofMember = { open: ({ member }: People) => signIn(member.id), room: ({ owner }: People) => owner.id };
const ofAdmin = { open: ({ admin }: People) => signIn(admin.id), room: ({ admin }: People) => admin.id };
const throughOwner = {
  open: ({ admin, owner }: People) => impersonate(admin.id, owner.id),
  room: ({ owner }: People) => owner.id,
};
const throughMember = {
  open: ({ admin, member }: People) => impersonate(admin.id, member.id),
  room: ({ owner }: People) => owner.id,
};

const logOut = (_: People, cookie: string) => ok("POST", "/api/auth/logout", cookie, {});

const ENDINGS: Record<string, Ending> = {
  "logout of a provider": { ...ofOwner, end: logOut },
  "logout while impersonating a team member": { ...throughMember, end: logOut },
  "signing in as another user in the same browser": {
    ...ofOwner,
    end: ({ other }, cookie) =>
      ok("POST", "/api/auth/login", cookie, { username: other.username, password: PASSWORD }),
  },
  "the session's expiry": {
    ...ofOwner,
    end: async ({ owner }) => {
      const at = Date.now() + 60_000;
      await setSessions(owner.id, { expiresAt: at });
      await runSweep("access_sweep", at);
    },
  },
  "signing out everywhere else": {
    ...ofOwner,
    end: async ({ owner }) => ok("DELETE", "/api/user/sessions", await signIn(owner.id)),
  },
  "an impersonating admin's sign-out everywhere else": {
    ...throughOwner,
    end: async ({ admin }) => ok("DELETE", "/api/user/sessions", await signIn(admin.id)),
  },
  "signing out of one other session": {
    ...ofMember,
    end: async ({ member }, cookie) =>
      ok("DELETE", `/api/user/sessions/${await sessionIdOf(cookie)}`, await signIn(member.id)),
  },
  "a password change": {
    ...ofOwner,
    end: async ({ owner }) => changePassword(await signIn(owner.id)),
  },
  "an impersonating admin's password change": {
    ...throughOwner,
    end: async ({ admin }) => changePassword(await signIn(admin.id)),
  },
  "a member's redeemed password link": {
    ...ofMember,
    end: async ({ owner, member }) =>
      redeemLink(await signIn(owner.id), `/api/team-members/${member.id}/password-link`),
  },
  "an impersonating admin's redeemed password link": {
    ...throughMember,
    end: async ({ other, admin }) =>
      redeemLink(await signIn(other.id), `/api/super-admin/providers/${admin.id}/password-link`),
  },
  "deactivation of a provider": { ...ofOwner, end: ({ other, owner }) => deactivate(other.id, owner.id) },
  "deactivation of a member's owner": {
    ...ofMember,
    end: ({ other, owner }) => deactivate(other.id, owner.id),
  },
  "deactivation of the impersonated user": {
    ...throughOwner,
    end: ({ other, owner }) => deactivate(other.id, owner.id),
  },
  "deactivation of the impersonating admin": {
    ...throughMember,
    end: ({ other, admin }) => deactivate(other.id, admin.id),
  },
  "removal from a team": {
    ...ofMember,
    end: async ({ owner, member }) => ok("DELETE", `/api/team-members/${member.id}`, await signIn(owner.id)),
  },
  "removal of an impersonated member from a team": {
    ...throughMember,
    end: async ({ owner, member }) => ok("DELETE", `/api/team-members/${member.id}`, await signIn(owner.id)),
  },
  "erasure of a provider": { ...ofOwner, end: ({ owner }) => erase(owner.username) },
  "erasure of a member's owner": { ...ofMember, end: ({ owner }) => erase(owner.username) },
  "erasure of a team member": { ...ofMember, end: ({ member }) => erase(member.username) },
  "erasure of the impersonated user": { ...throughMember, end: ({ member }) => erase(member.username) },
  "starting an impersonation": {
    ...ofAdmin,
    end: ({ owner }, cookie) => ok("POST", "/api/auth/impersonate", cookie, { targetUserId: owner.id }),
  },
  "stopping an impersonation": {
    ...throughMember,
    end: (_, cookie) => ok("POST", "/api/auth/stop-impersonation", cookie),
  },
};

test.each(Object.entries(ENDINGS))(
  "row 37: %s: all its sockets close, and no other session's",
  async (_, ending) => {
    const people = await newPeople();
    const cookie = await ending.open(people);
    const bystander = await signIn(people.other.id);
    const [sessionId, bystanderId] = [await sessionIdOf(cookie), await sessionIdOf(bystander)];
    expect(await Promise.all([openAll(cookie), openAll(bystander)])).toEqual([PATHS.length, PATHS.length]);
    expect(await countOpen(sessionId, ending.room(people))).toBe(PATHS.length);

    await ending.end(people, cookie);
    expect(await countOpen(sessionId, ending.room(people))).toBe(0);
    expect(await openAll(cookie)).toBe(0);
    expect(await countOpen(bystanderId, people.other.id)).toBe(PATHS.length);
  },
);

/** One trigger in D1 marks the sockets of every deleted session, so the race needs only a few of the ways. */
const WHILE_OPENING = [
  "logout of a provider",
  "the session's expiry",
  "an impersonating admin's password change",
  "deactivation of a member's owner",
  "removal from a team",
  "erasure of a provider",
  "starting an impersonation",
];

test.each(WHILE_OPENING)("%s while its sockets are opening: all of them close", async (name) => {
  const ending = ENDINGS[name]!;
  const people = await newPeople();
  const cookie = await ending.open(people);
  const sessionId = await sessionIdOf(cookie);
  await Promise.all([openAll(cookie), ending.end(people, cookie), openAll(cookie)]);
  expect(await db.$count(sessions, eq(sessions.id, sessionId))).toBe(0);
  expect(await countOpen(sessionId, ending.room(people))).toBe(0);
});
