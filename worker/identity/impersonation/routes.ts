import type { AppContext, AppEnv } from "../../platform/context.ts";
import { Hono } from "hono";

import { impersonateSchema } from "../../../contract/auth.ts";
import { toCurrentUser } from "../auth/queries.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import { access } from "../access.ts";
import { jsonBody } from "../../platform/http/body.ts";
import { sessionCookieHeader } from "../identify-caller.ts";
import { startImpersonation, stopImpersonation } from "./commands.ts";

function writeCookie(c: AppContext, token: string) {
  c.header("Set-Cookie", sessionCookieHeader(c.env.CALLER.secure, token), { append: true });
}

export const impersonationRoutes = new Hono<AppEnv>()
  .post("/impersonate", access.superAdmin, jsonBody(impersonateSchema), async (c) => {
    const session = c.get("session");
    const { targetUserId } = c.req.valid("json");
    const db = c.env.db;
    const start = { targetUserId, userAgent: c.env.CALLER.userAgent };
    const { user, token, ended } = await startImpersonation(db, session, start, c.get("act"));
    await closeSockets(c.env, ended);
    writeCookie(c, token);
    return c.json(toCurrentUser(user, session.user.id));
  })

  .post("/stop-impersonation", access.signedIn, async (c) => {
    const session = c.get("session");
    const db = c.env.db;
    const { userAgent } = c.env.CALLER;
    const { user, token, ended } = await stopImpersonation(db, session, userAgent, c.get("act"));
    await closeSockets(c.env, ended);
    writeCookie(c, token);
    return c.json(toCurrentUser(user, null));
  });
