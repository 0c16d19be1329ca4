import { Hono, type MiddlewareHandler } from "hono";

import { CLEAR_OFFLINE_KEY } from "../../../contract/offline.ts";
import { confirmPasswordSchema } from "../../../contract/passkeys.ts";
import { type DigitsAnswer, requestErasureSchema } from "../../../contract/request-links.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { writeSessionCookie } from "../../identity/auth/signing-in.ts";
import { confirmPassword } from "../../identity/passkeys/second-step.ts";
import { checkLastDigits } from "../../customer/changes/queries.ts";
import { beginAct } from "../../customer/request/routes.ts";
import { findErasableRequest } from "../../leads/request-link-store.ts";
import { noticeTo, sendNotice } from "../../outbox/commands.ts";
import type { AppEnv } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { jsonBody } from "../../platform/http/body.ts";
import { closeAccount, closeCustomerAccount } from "./closure-commands.ts";
import { accountClosed, customerAccountClosed } from "./messages.ts";
import { eraseForCustomer } from "./request-commands.ts";

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

/** The customer of a request deletes their data. The other routes of a request are in worker/customer. */
export const requestErasureRoutes = new Hono<AppEnv>().post(
  "/erase",
  access.anyone,
  jsonBody(requestErasureSchema),
  async (c) => {
    const { token, lastDigits } = c.req.valid("json");
    await beginAct(c, token);
    const found = await findErasableRequest(c.env.db, token);
    if (!found) return c.json<DigitsAnswer>({ outcome: "closed" });
    const triesLeft = await checkLastDigits(c.env.db, found, lastDigits, Date.now());
    if (triesLeft === 0) return c.json<DigitsAnswer>({ outcome: "call_us" });
    if (triesLeft !== "right") return c.json<DigitsAnswer>({ outcome: "wrong_digits", triesLeft });
    return c.json<DigitsAnswer>({ outcome: await eraseForCustomer(c.env, found, Date.now()) });
  },
);
