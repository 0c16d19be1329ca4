import { Hono } from "hono";

import { impersonateSchema } from "../../contract/auth.ts";
import { toCurrentUser } from "../auth/rules.ts";
import { database } from "../db/client.ts";
import { closeSockets } from "../live/closing-commands.ts";
import { access } from "../middleware/access.ts";
import { jsonBody } from "../middleware/body.ts";
import { type AppContext, type AppEnv, sessionCookieHeader } from "../middleware/caller.ts";
import { startImpersonation, stopImpersonation } from "./commands.ts";

function circumstances(c: AppContext) {
  const { userAgent, requestId } = c.env.CALLER;
  return { userAgent, requestId, now: Date.now() };
}

function writeCookie(c: AppContext, token: string) {
  c.header("Set-Cookie", sessionCookieHeader(c.env.CALLER.secure, token), { append: true });
}

export const impersonationRoutes = new Hono<AppEnv>()
  .post("/impersonate", access.superAdmin, jsonBody(impersonateSchema), async (c) => {
    const session = c.get("session");
    const { targetUserId } = c.req.valid("json");
    const db = database(c.env.DB);
    const { user, token, ended } = await startImpersonation(db, session, targetUserId, circumstances(c));
    await closeSockets(c.env, ended);
    writeCookie(c, token);
    return c.json(toCurrentUser(user, session.user.id));
  })

  .post("/stop-impersonation", access.signedIn, async (c) => {
    const session = c.get("session");
    const { user, token, ended } = await stopImpersonation(database(c.env.DB), session, circumstances(c));
    await closeSockets(c.env, ended);
    writeCookie(c, token);
    return c.json(toCurrentUser(user, null));
  });
