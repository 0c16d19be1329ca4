import { Hono } from "hono";

import { CLEAR_OFFLINE_KEY } from "../../../contract/offline.ts";
import { confirmPasswordSchema } from "../../../contract/passkeys.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { writeSessionCookie } from "../../identity/auth/signing-in.ts";
import { confirmPassword } from "../../identity/passkeys/confirm-password.ts";
import { noticeTo, sendNotice } from "../../outbox/notice-commands.ts";
import type { AppEnv } from "../../platform/app.ts";
import { jsonBody } from "../../platform/http/body.ts";
import { closeAccount } from "./closure-commands.ts";

/** An owner closes their account. Always asks for the password, since no one can undo it. */
export const closureRoutes = new Hono<AppEnv>().post(
  "/closure",
  access.owner,
  notImpersonating,
  jsonBody(confirmPasswordSchema),
  async (c) => {
    const session = c.get("session");
    await confirmPassword(c, session, c.req.valid("json").password);
    const notice = noticeTo(c.env, session.user, "account_closed");
    await closeAccount(c.env, session.user, { ...c.get("act"), notice });
    sendNotice(c, notice);
    writeSessionCookie(c, "");
    c.header("Set-Cookie", CLEAR_OFFLINE_KEY, { append: true });
    return c.json({ ok: true });
  },
);
