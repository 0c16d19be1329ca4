import { Hono } from "hono";

import { customerSignupSchema, loginSchema, providerSignupSchema } from "../../contract/auth.ts";
import { database } from "../db/client.ts";
import { closeSockets } from "../durable-objects/stubs.ts";
import { DomainError } from "../errors.ts";
import { leaveImpersonation } from "../impersonation/commands.ts";
import { access } from "../middleware/access.ts";
import { jsonBody } from "../middleware/body.ts";
import { type AppContext, type AppEnv, sessionCookieHeader } from "../middleware/caller.ts";
import { countTry } from "../middleware/rate-limit.ts";
import { authenticate, createCustomer, createProvider, endSession, startSession } from "./commands.ts";
import { findUserForLogin, type Session } from "./queries.ts";
import { businessOf, toCurrentUser, type UserRow } from "./rules.ts";

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

  .post("/provider/signup", access.anyone, jsonBody(providerSignupSchema), async (c) => {
    const form = c.req.valid("json");
    const { session, requestId, address } = c.env.CALLER;
    const db = database(c.env.DB);
    const admin = session?.user.isSuperAdmin && !session.impersonatorId ? session.user : null;
    if (admin) {
      // An admin makes an account for somebody else and stays who they are.
      if (!form.email)
        throw new DomainError("invalid_input", "Valid email required", { email: "Valid email required" });
      const user = await createProvider(db, form, Date.now(), { actorUserId: admin.id, requestId });
      return c.json(toCurrentUser(user, null), 201);
    }
    await countTry(c.env.SIGNUP_PER_ADDRESS, address);
    const user = await createProvider(db, form, Date.now(), { actorUserId: null, requestId });
    return signIn(c, user);
  })

  .post("/customer/signup", access.anyone, jsonBody(customerSignupSchema), async (c) => {
    await countTry(c.env.SIGNUP_PER_ADDRESS, c.env.CALLER.address);
    const user = await createCustomer(
      database(c.env.DB),
      c.req.valid("json"),
      Date.now(),
      c.env.CALLER.requestId,
    );
    return signIn(c, user);
  });
