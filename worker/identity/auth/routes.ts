import type { Caller, Session, UserRow } from "../../platform/caller.ts";
import { Hono } from "hono";
import * as z from "zod/mini";

import {
  customerSignupSchema,
  emailConfirmationSchema,
  forgotPasswordSchema,
  linkTokenSchema,
  loginSchema,
  passwordResetSchema,
  providerCreationSchema,
  providerSignupSchema,
  SECOND_STEP,
} from "../../../contract/auth.ts";
import { CLEAR_OFFLINE_KEY } from "../../../contract/offline.ts";
import { actOf } from "../audit/store.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import { DomainError } from "../../platform/errors.ts";
import { access } from "../access.ts";
import { jsonBody, query } from "../../platform/http/body.ts";
import type { AppContext, AppEnv } from "../../platform/context.ts";
import { countNetworkAttempt } from "../../platform/http/rate-limit.ts";
import { sendNotice } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { requireSecondStep } from "../passkeys/second-step.ts";
import { createCustomer, createProvider, refuseAddressAsName } from "./account-commands.ts";
import { confirmEmail, findEmailLink, mailConfirmation } from "./email-link-store.ts";
import { findPasswordLink, mailPasswordLink, redeemPasswordLink } from "./password-link-store.ts";
import { checkPassword, rememberDevice } from "./guessing.ts";
import { findUserForLogin, toCurrentUser } from "./queries.ts";
import { mustChangePassword } from "./rules.ts";
import { endCurrentSession, signIn, writeSessionCookie } from "./signing-in.ts";

/** Returns the caller's session if they are a super admin and not impersonating. */
function adminOf({ session }: Caller): Session | null {
  if (!session?.user.isSuperAdmin || session.impersonatorId !== null) return null;
  return mustChangePassword(session) ? null : session;
}

const providerSchema = (caller: Caller) => (adminOf(caller) ? providerCreationSchema : providerSignupSchema);

/** Creates an account, signs the caller in, and sends a link that confirms the address. */
async function signUp(
  c: AppContext,
  form: { username: string },
  create: (creation: Parameters<typeof createProvider>[2]) => Promise<UserRow>,
) {
  const confirmsEmail = canSendEmail(c.env);
  if (confirmsEmail) refuseAddressAsName(form);
  const { requestId } = c.env.CALLER;
  const user = await create({ now: Date.now(), requestId, actor: null, confirmsEmail });
  const answer = await signIn(c, user, "sign_up");
  mailConfirmation(c, user);
  return answer;
}

export const authRoutes = new Hono<AppEnv>()
  .get("/me", access.anyone, async (c) => {
    const { session } = c.env.CALLER;
    if (!session) throw new DomainError("unauthenticated");
    return c.json(toCurrentUser(session.user, session.impersonatorId, session.needsPasskey));
  })

  .post("/login", access.anyone, jsonBody(loginSchema), async (c) => {
    const form = c.req.valid("json");
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.prefixes);
    const found = await findUserForLogin(c.env.db, form.username);
    const user = await checkPassword(c, found, form);
    if (await requireSecondStep(c, user)) return c.json({ next: SECOND_STEP } as const, 202);
    return signIn(c, user, "password");
  })

  .post("/logout", access.anyone, async (c) => {
    const { session } = c.env.CALLER;
    if (session) await endCurrentSession(c, session);
    writeSessionCookie(c, "");
    // After a sign-out, offline data must be unreadable.
    c.header("Set-Cookie", CLEAR_OFFLINE_KEY, { append: true });
    return c.json({ ok: true });
  })

  .post("/provider/signup", access.anyone, jsonBody(providerSchema), async (c) => {
    const form = c.req.valid("json");
    const { requestId, prefixes } = c.env.CALLER;
    const admin = adminOf(c.env.CALLER);
    if (admin) {
      // An admin who creates an account keeps their own session.
      const user = await createProvider(c.env, form, actOf(admin, requestId, Date.now()));
      return c.json(toCurrentUser(user, null), 201);
    }
    await countNetworkAttempt(c.env.SIGNUP_PER_ADDRESS, prefixes);
    return signUp(c, form, (creation) => createProvider(c.env, form, creation));
  })

  .post("/forgot-password", access.anyone, jsonBody(forgotPasswordSchema), async (c) => {
    const { username } = c.req.valid("json");
    if (!canSendEmail(c.env)) {
      throw new DomainError(
        "email_unavailable",
        "We can't send email yet. On a team? Ask the owner of your business for a link. Otherwise, contact us.",
      );
    }
    const { prefixes, requestId } = c.env.CALLER;
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, prefixes);
    const { origin } = new URL(c.req.url);
    c.executionCtx.waitUntil(mailPasswordLink(c.env, username, { origin, now: Date.now(), requestId }));
    return c.json({ ok: true }, 202);
  })

  .get("/password-link", access.anyone, query(z.object({ token: linkTokenSchema })), async (c) => {
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.prefixes);
    const { user } = await findPasswordLink(c.env.db, c.req.valid("query").token, Date.now());
    return c.json({ firstName: user.firstName, username: user.username });
  })

  .post("/reset-password", access.anyone, jsonBody(passwordResetSchema), async (c) => {
    const { prefixes, requestId } = c.env.CALLER;
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, prefixes);
    const form = c.req.valid("json");
    const { user, ended } = await redeemPasswordLink(c.env, form, {
      now: Date.now(),
      requestId,
    });
    await closeSockets(c.env, ended);
    rememberDevice(c, user);
    return c.json({ ok: true });
  })

  .get("/email-link", access.anyone, query(z.object({ token: linkTokenSchema })), async (c) => {
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, c.env.CALLER.prefixes);
    const { token } = c.req.valid("query");
    const { user, email } = await findEmailLink(c.env.db, token, Date.now());
    return c.json({ firstName: user.firstName, username: user.username, email });
  })

  .post("/confirm-email", access.anyone, jsonBody(emailConfirmationSchema), async (c) => {
    const { prefixes, requestId } = c.env.CALLER;
    await countNetworkAttempt(c.env.LOGIN_PER_ADDRESS, prefixes);
    const { token } = c.req.valid("json");
    const act = { now: Date.now(), requestId };
    sendNotice(c, await confirmEmail(c.env, token, act));
    return c.json({ ok: true });
  })

  .post("/customer/signup", access.anyone, jsonBody(customerSignupSchema), async (c) => {
    await countNetworkAttempt(c.env.SIGNUP_PER_ADDRESS, c.env.CALLER.prefixes);
    const form = c.req.valid("json");
    return signUp(c, form, (creation) => createCustomer(c.env, form, creation));
  });
