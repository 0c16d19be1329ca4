/** Routes for a signed-in user to confirm their identity before actions that a stolen session must not take. */
import { Hono } from "hono";

import { confirmPasswordSchema, passkeyProofSchema } from "../../../contract/passkeys.ts";
import { verifyPassword } from "../auth/password-hash.ts";
import { recordFailure } from "../auth/sign-in-commands.ts";
import type { Session } from "../../platform/session.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating } from "../access.ts";
import { jsonBody } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/app.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { storeChallenge, countAttempt, consumeChallenge } from "./challenge-commands.ts";
import { markConfirmed, recordUse } from "./commands.ts";
import { findPasskey, hasPasskey, listPasskeys } from "./queries.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { readAssertion, requestOptions } from "./webauthn.ts";

const confirmationHolder = ({ id }: Session) => ({ holder: id, purpose: "confirm" }) as const;

const own = [access.signedIn, notImpersonating] as const;

export const confirmRoutes = new Hono<AppEnv>()
  /** Returns whether the user can confirm with their password, with a passkey, or with either. */
  .get("/", ...own, async (c) => {
    const { user, secondFactorAt } = c.get("session");
    const byPasskey = await hasPasskey(c.env.db, user.id);
    return c.json({ byPasskey, byPassword: !byPasskey || secondFactorAt !== null });
  })

  .post("/password", ...own, jsonBody(confirmPasswordSchema), async (c) => {
    const session = c.get("session");
    const { user } = session;
    // Count by session, so that a stolen session cannot use up the owner's tries.
    await countTry(c.env.LOGIN_PER_ACCOUNT, session.id);
    const db = c.env.db;
    // This session started before the account had a passkey. The password alone must not be enough.
    if (session.secondFactorAt === null && (await hasPasskey(db, user.id))) {
      throw new DomainError("passkey_needed", "This account has a passkey. Please confirm with it.");
    }
    if (!(await verifyPassword(c.req.valid("json").password, user.passwordHash))) {
      const { userAgent } = c.env.CALLER;
      const tried = { userId: user.id, userAgent, method: "password", now: Date.now() } as const;
      c.executionCtx.waitUntil(recordFailure(c.env, tried));
      const message = "That password isn't right. Please try again.";
      throw new DomainError("invalid_input", message, { password: message });
    }
    await markConfirmed(db, session.id, Date.now(), false);
    return c.json({ ok: true });
  })

  .post("/passkey/options", ...own, async (c) => {
    const session = c.get("session");
    await countTry(c.env.LOGIN_PER_ACCOUNT, session.id);
    const db = c.env.db;
    const options = await requestOptions(relyingPartyOf(c), await listPasskeys(db, session.user.id));
    await storeChallenge(db, confirmationHolder(session), options.challenge, Date.now());
    return c.json(options);
  })

  .post("/passkey", ...own, jsonBody(passkeyProofSchema), async (c) => {
    const session = c.get("session");
    const db = c.env.db;
    const now = Date.now();
    const step = await countAttempt(db, confirmationHolder(session), now);
    if (!step?.challenge || !(await consumeChallenge(db, step))) {
      throw new DomainError("sign_in_ended", "That took too long. Please try again.");
    }
    const { credential } = c.req.valid("json");
    const passkey = await findPasskey(db, credential.id, session.user.id);
    const counter = passkey && (await readAssertion(relyingPartyOf(c), credential, passkey, step.challenge));
    if (!passkey || counter === null || !(await recordUse(db, passkey, counter, now))) {
      throw new DomainError("passkey_refused", "That passkey doesn't belong to this account.");
    }
    await markConfirmed(db, session.id, now, true);
    return c.json({ ok: true });
  });
