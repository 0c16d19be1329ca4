/** A user's own passkeys and recovery codes. */

import { Hono } from "hono";
import * as z from "zod/mini";

import {
  confirmPasswordSchema,
  newPasskeySchema,
  passkeyIdSchema,
  passkeyNameSchema,
  passkeyProofSchema,
  type PasskeyState,
} from "../../../contract/passkeys.ts";
import { noticeTo, notifyByEmail, sendNotice } from "../../outbox/commands.ts";
import type { Session } from "../../platform/caller.ts";
import type { AppEnv, Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { access, notImpersonating, recentlyConfirmed } from "../access.ts";
import { consumeSecret } from "../auth/one-time-secret-store.ts";
import { passkeyAdded, passkeyRemoved, recoveryCodesRenewed } from "../messages.ts";
import { toPasskeyInfo } from "./rules.ts";
import { confirmPassword } from "./second-step.ts";
import {
  addPasskey,
  countAttempt,
  countRecoveryCodes,
  findPasskey,
  hasPasskey,
  listPasskeys,
  markConfirmed,
  recordUse,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  storeChallenge,
} from "./store.ts";
import {
  creationOptions,
  readAssertion,
  readRegistration,
  relyingPartyOf,
  requestOptions,
} from "./webauthn.ts";

const byId = z.object({ id: passkeyIdSchema });

const registrationHolder = ({ id }: Session) => ({ hash: id, purpose: "register" }) as const;

/** Returns whether an account is required to have a passkey. */
function isPasskeyRequired(context: Context, { user, needsPasskey }: Session): boolean {
  return context.settings.demandsAdminPasskeys && (user.isSuperAdmin || needsPasskey);
}

/** Gates that exclude impersonating admins: they may not read or change passkeys. */
const own = [access.signedIn, notImpersonating] as const;

export const passkeyRoutes = new Hono<AppEnv>()
  .get("/", ...own, async (c) => {
    const db = c.env.db;
    const session = c.get("session");
    const [rows, recoveryCodesLeft] = await Promise.all([
      listPasskeys(db, session.user.id),
      countRecoveryCodes(db, session.user.id),
    ]);
    const isRequired = isPasskeyRequired(c.env, session);
    return c.json<PasskeyState>({
      passkeys: rows.map(toPasskeyInfo),
      recoveryCodesLeft,
      isDemanded: isRequired,
    });
  })

  .post("/options", ...own, recentlyConfirmed, async (c) => {
    const session = c.get("session");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    const db = c.env.db;
    const known = await listPasskeys(db, session.user.id);
    const options = await creationOptions(relyingPartyOf(c), session.user, known);
    await storeChallenge(db, registrationHolder(session), options.challenge, Date.now());
    return c.json(options);
  })

  .post("/", ...own, recentlyConfirmed, jsonBody(newPasskeySchema), async (c) => {
    const session = c.get("session");
    const db = c.env.db;
    const now = Date.now();
    const step = await countAttempt(db, registrationHolder(session), now);
    if (!step?.data || !(await consumeSecret(db, step, now))) {
      throw new DomainError("sign_in_ended", "That took too long. Please add the passkey again.");
    }
    const { credential } = c.req.valid("json");
    const made = await readRegistration(relyingPartyOf(c), credential, step.data);
    if (!made) throw new DomainError("passkey_refused", "Your browser sent a passkey we can't use.");
    const { userAgent } = c.env.CALLER;
    const notice = noticeTo(c.env, session.user, passkeyAdded);
    const { passkey, codes } = await addPasskey(db, session, made, { ...c.get("act"), userAgent, notice });
    sendNotice(c, notice);
    return c.json({ passkey: toPasskeyInfo(passkey), recoveryCodes: codes }, 201);
  })

  .patch("/:id", ...own, params(byId), jsonBody(passkeyNameSchema), async (c) => {
    const { id } = c.req.valid("param");
    const { name } = c.req.valid("json");
    return c.json(toPasskeyInfo(await renamePasskey(c.env.db, c.get("session").user.id, id, name)));
  })

  .delete("/:id", ...own, recentlyConfirmed, params(byId), async (c) => {
    const session = c.get("session");
    const mustKeepOne = isPasskeyRequired(c.env, session);
    await removePasskey(c.env.db, session, c.req.valid("param").id, { ...c.get("act"), mustKeepOne });
    notifyByEmail(c, session.user, passkeyRemoved);
    return c.json({ ok: true });
  })

  .post("/recovery-codes", ...own, recentlyConfirmed, async (c) => {
    const session = c.get("session");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    const notice = noticeTo(c.env, session.user, recoveryCodesRenewed);
    const act = { ...c.get("act"), notice };
    const recoveryCodes = await renewRecoveryCodes(c.env.db, session, act);
    sendNotice(c, notice);
    return c.json({ recoveryCodes }, 201);
  });

// Routes for a signed-in user to confirm their identity before actions that a stolen session must not take.

const confirmationHolder = ({ id }: Session) => ({ hash: id, purpose: "confirm" }) as const;

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
