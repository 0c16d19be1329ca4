import { Hono, type MiddlewareHandler } from "hono";

import { CLEAR_OFFLINE_KEY } from "../../../contract/offline.ts";
import { confirmPasswordSchema } from "../../../contract/passkeys.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { writeSessionCookie } from "../../identity/auth/signing-in.ts";
import { confirmPassword } from "../../identity/passkeys/confirm-password.ts";
import { noticeTo, sendNotice } from "../../outbox/notice-commands.ts";
import type { AppEnv } from "../../platform/app.ts";
import { DomainError } from "../../platform/errors.ts";
import { jsonBody } from "../../platform/http/body.ts";
import { closeAccount, closeCustomerAccount } from "./closure-commands.ts";
import { accountClosed, customerAccountClosed } from "./messages.ts";

/** @throws DomainError forbidden for a team member, also without a body */
const notTeamMember: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.env.CALLER.session?.user.userType === "team_member")
    throw new DomainError("forbidden", "Only the owner can close the account");
  await next();
};

/** An owner or a customer closes their account. Always asks for the password, since no one can undo it. */
export const closureRoutes = new Hono<AppEnv>().post(
  "/closure",
  access.signedIn,
  notImpersonating,
  notTeamMember,
  jsonBody(confirmPasswordSchema),
  async (c) => {
    const session = c.get("session");
    const { user } = session;
    await confirmPassword(c, session, c.req.valid("json").password);
    const isCustomer = user.userType === "customer";
    const notice = noticeTo(c.env, user, isCustomer ? customerAccountClosed : accountClosed);
    const close = isCustomer ? closeCustomerAccount : closeAccount;
    await close(c.env, user, { ...c.get("act"), notice });
    sendNotice(c, notice);
    writeSessionCookie(c, "");
    c.header("Set-Cookie", CLEAR_OFFLINE_KEY, { append: true });
    return c.json({ ok: true });
  },
);
