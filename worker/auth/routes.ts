import { Hono } from "hono";
import * as z from "zod/mini";

import {
  customerSignupSchema,
  forgotPasswordSchema,
  linkTokenSchema,
  loginSchema,
  passwordResetSchema,
  providerCreationSchema,
  providerSignupSchema,
} from "../../contract/auth.ts";
import { actorOf } from "../audit/commands.ts";
import { database } from "../db/client.ts";
import { closeSockets } from "../durable-objects/stubs.ts";
import { DomainError } from "../errors.ts";
import { leaveImpersonation } from "../impersonation/commands.ts";
import { access } from "../middleware/access.ts";
import { jsonBody, query } from "../middleware/body.ts";
import { type AppContext, type AppEnv, type Caller, sessionCookieHeader } from "../middleware/caller.ts";
import { countTry } from "../middleware/rate-limit.ts";
import { canSendEmail } from "../notify/email.ts";
import { createCustomer, createProvider } from "./account-commands.ts";
import { authenticate, endSession, startSession } from "./commands.ts";
import { mailPasswordLink } from "./forgotten-commands.ts";
import { findLinkOwner, redeemPasswordLink } from "./password-link-commands.ts";
import { findUserForLogin, type Session } from "./queries.ts";
import { businessOf, mustChangePassword, toCurrentUser, type UserRow } from "./rules.ts";

/** Writes the session cookie; an empty token takes it away. */
function writeSessionCookie(c: AppContext, token: string) {
  c.header("Set-Cookie", sessionCookieHeader(c.env.CALLER.secure, token), { append: true });
}

/** Ends a session and closes what it had open. */
async function leave(c: AppContext, session: Session) {
  const db = database(c.env.DB);
  const ended = session.impersonatorId
    ? await leaveImpersonation(db, session, Date.now(), c.env.CALLER.requestId)
    : await endSession(db, session.id);
  await closeSockets(c.env, ended, businessOf(session.user));
}

/** Replaces whatever session the browser had by a new one for `user`. */
async function signIn(c: AppContext, user: UserRow) {
  const { CALLER: caller } = c.env;
  const db = database(c.env.DB);
  if (caller.session) await leave(c, caller.session);
  writeSessionCookie(
    c,
    await startSession(db, { userId: user.id, userAgent: caller.userAgent, now: Date.now() }),
  );
  return c.json(toCurrentUser(user, null));
}

/** The session of a super admin who works as themselves. */
function adminOf({ session }: Caller): Session | null {
  if (!session?.user.isSuperAdmin || session.impersonatorId !== null) return null;
  return mustChangePassword(session) ? null : session;
}

const providerSchema = (caller: Caller) => (adminOf(caller) ? providerCreationSchema : providerSignupSchema);

export const authRoutes = new Hono<AppEnv>()
  .get("/me", access.anyone, async (c) => {
    const { session } = c.env.CALLER;
    if (!session) throw new DomainError("unauthenticated");
    return c.json(toCurrentUser(session.user, session.impersonatorId));
  })

  .post("/login", access.anyone, jsonBody(loginSchema), async (c) => {
    const { username, password } = c.req.valid("json");
    await countTry(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.address);
    const found = await findUserForLogin(database(c.env.DB), username);
    // By account, whether it is named by username or e-mail; names nobody has are counted just the same.
    await countTry(c.env.LOGIN_PER_ACCOUNT, found?.user.id ?? username.toLowerCase());
    return signIn(c, await authenticate(found, password));
  })

  .post("/logout", access.anyone, async (c) => {
    const { session } = c.env.CALLER;
    if (session) await leave(c, session);
    writeSessionCookie(c, "");
    return c.json({ ok: true });
  })

  .post("/provider/signup", access.anyone, jsonBody(providerSchema), async (c) => {
    const form = c.req.valid("json");
    const { requestId, address } = c.env.CALLER;
    const db = database(c.env.DB);
    const admin = adminOf(c.env.CALLER);
    if (admin) {
      // An admin makes an account for somebody else and stays who they are.
      const user = await createProvider(db, form, { now: Date.now(), requestId, actor: actorOf(admin) });
      return c.json(toCurrentUser(user, null), 201);
    }
    await countTry(c.env.SIGNUP_PER_ADDRESS, address);
    return signIn(c, await createProvider(db, form, { now: Date.now(), requestId, actor: null }));
  })

  .post("/forgot-password", access.anyone, jsonBody(forgotPasswordSchema), async (c) => {
    const { username } = c.req.valid("json");
    if (!canSendEmail(c.env)) {
      throw new DomainError(
        "email_unavailable",
        "We cannot send e-mail yet. Team members ask the owner of their business for a link, everybody else asks us.",
      );
    }
    const { address, requestId } = c.env.CALLER;
    await countTry(c.env.LOGIN_PER_ADDRESS, address);
    const { origin } = new URL(c.req.url);
    c.executionCtx.waitUntil(mailPasswordLink(c.env, username, { origin, now: Date.now(), requestId }));
    return c.json({ ok: true }, 202);
  })

  .get("/password-link", access.anyone, query(z.object({ token: linkTokenSchema })), async (c) => {
    await countTry(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.address);
    const user = await findLinkOwner(database(c.env.DB), c.req.valid("query").token, Date.now());
    return c.json({ firstName: user.firstName, username: user.username });
  })

  .post("/reset-password", access.anyone, jsonBody(passwordResetSchema), async (c) => {
    const { address, requestId } = c.env.CALLER;
    await countTry(c.env.LOGIN_PER_ADDRESS, address);
    const form = c.req.valid("json");
    const { user, ended } = await redeemPasswordLink(database(c.env.DB), form, {
      now: Date.now(),
      requestId,
    });
    await closeSockets(c.env, ended, businessOf(user));
    return c.json({ ok: true });
  })

  .post("/customer/signup", access.anyone, jsonBody(customerSignupSchema), async (c) => {
    const { requestId, address } = c.env.CALLER;
    await countTry(c.env.SIGNUP_PER_ADDRESS, address);
    const maker = { now: Date.now(), requestId, actor: null };
    return signIn(c, await createCustomer(database(c.env.DB), c.req.valid("json"), maker));
  });
