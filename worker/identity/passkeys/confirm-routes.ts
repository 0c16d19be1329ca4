/** Routes for a signed-in user to confirm their identity before actions that a stolen session must not take. */
import { Hono } from "hono";

import { confirmPasswordSchema, passkeyProofSchema } from "../../../contract/passkeys.ts";
import type { Session } from "../../platform/session.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating } from "../access.ts";
import { jsonBody } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/app.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { consumeSecret } from "../auth/secret-commands.ts";
import { storeChallenge, countAttempt } from "./challenge-commands.ts";
import { markConfirmed, recordUse } from "./commands.ts";
import { confirmPassword } from "./confirm-password.ts";
import { findPasskey, hasPasskey, listPasskeys } from "./queries.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { readAssertion, requestOptions } from "./webauthn.ts";

const confirmationHolder = ({ id }: Session) => ({ hash: id, purpose: "confirm" }) as const;

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
    await confirmPassword(c, session, c.req.valid("json").password);
    await markConfirmed(c.env.db, session.id, Date.now(), false);
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
    if (!step?.data || !(await consumeSecret(db, step, now))) {
      throw new DomainError("sign_in_ended", "That took too long. Please try again.");
    }
    const { credential } = c.req.valid("json");
    const passkey = await findPasskey(db, credential.id, session.user.id);
    const counter = passkey && (await readAssertion(relyingPartyOf(c), credential, passkey, step.data));
    if (!passkey || counter === null || !(await recordUse(db, passkey, counter, now))) {
      throw new DomainError("passkey_refused", "That passkey doesn't belong to this account.");
    }
    await markConfirmed(db, session.id, now, true);
    return c.json({ ok: true });
  });
