/** Users with an unconfirmed email address, created through the API. */
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";

import { oneTimeSecrets, users } from "../worker/tables.ts";
import type { Bindings } from "../worker/platform/env.ts";
import { bodyFor } from "./routes/api.ts";
import { call, callWith, db } from "./client.ts";
import { mailbox } from "./stand-ins/mailbox.ts";
import { browser, type Browser, browserOf } from "./passkeys.ts";
import { insertUser, PASSWORD } from "./world.ts";

export const MINUTE_MS = 60_000;
export const PROVIDER = "/api/auth/provider/signup";

/** The other fields that Settings sends with the address. */
export const PERSONAL_INFO = { firstName: "Nora", lastName: "Newcomer", phone: "0491 570 006" };

/** Returns the body of a provider's sign-up request. */
export const signUpForm = (overrides: Record<string, unknown> = {}) => ({
  ...bodyFor(`POST ${PROVIDER}`),
  ...overrides,
});

const LINK = /\/confirm-email\/([\w-]{43})/;
export const tokenIn = (mail: { text: string } | undefined) => LINK.exec(mail?.text ?? "")![1]!;
export const confirm = (token: string, changed: Partial<Bindings> = {}) =>
  callWith(changed, "POST", "/api/auth/confirm-email", { body: { token } });

export const login = (username: string) =>
  call("POST", "/api/auth/login", { body: { username, password: PASSWORD } });

/** Returns the account with this username from D1. */
export async function stored(username: string) {
  const [user] = await db
    .select()
    .from(users)
    .where(sql`lower(${users.username}) = ${username.toLowerCase()}`);
  return user!;
}

/** Backdates all of an account's confirmation links. */
export async function backdateEmails(userId: string, ms: number): Promise<void> {
  await db
    .update(oneTimeSecrets)
    .set({
      createdAt: sql`${oneTimeSecrets.createdAt} - ${ms}`,
      expiresAt: sql`${oneTimeSecrets.expiresAt} - ${ms}`,
    })
    .where(eq(oneTimeSecrets.userId, userId));
}

/** Changes the user's own email address. */
export const change = (at: Browser, email: string) =>
  at.call("PUT", "/api/user/personal-info", { ...PERSONAL_INFO, email });

/** Signs up a user with an unconfirmed email address. */
export async function newcomer(email: string) {
  const { sent, changed } = mailbox();
  const body = signUpForm({ email });
  const at = browser(changed);
  expect((await at.call("POST", PROVIDER, body)).status).toBe(200);
  return { sent, changed, at, body, user: await stored(body.username as string) };
}

/** Inserts a user who has changed their email address but not yet confirmed the new one. */
export async function requestEmailChange(email: string, overrides: Parameters<typeof insertUser>[1] = {}) {
  const { sent, changed } = mailbox();
  const user = await insertUser(db, overrides);
  const at = await browserOf(user.id, changed);
  expect((await change(at, email)).status).toBe(200);
  return { sent, changed, at, user };
}
