/** A user's own passkeys and recovery codes. */
import { Hono } from "hono";
import * as z from "zod/mini";

import {
  newPasskeySchema,
  passkeyIdSchema,
  passkeyNameSchema,
  type PasskeyState,
} from "../../../contract/passkeys.ts";
import type { Session } from "../../platform/session.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating, recentlyConfirmed } from "../access.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/app.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { sendNotice, notifyByEmail, noticeTo } from "../../outbox/notice-commands.ts";
import { consumeSecret } from "../auth/secret-commands.ts";
import { storeChallenge, countAttempt } from "./challenge-commands.ts";
import { addPasskey, removePasskey, renamePasskey, renewRecoveryCodes } from "./commands.ts";
import { countRecoveryCodes, listPasskeys } from "./queries.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { toPasskeyInfo } from "./rules.ts";
import { creationOptions, readRegistration } from "./webauthn.ts";
import { passkeyAdded, passkeyRemoved, recoveryCodesRenewed } from "../messages.ts";

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
