import { Hono } from "hono";
import * as z from "zod/mini";

import {
  bankDetailsSchema,
  personalInfoSchema,
  servicesSchema,
  sessionIdSchema,
} from "../../../contract/account.ts";
import { passwordChangeSchema, watchedRegionsSchema } from "../../../contract/auth.ts";
import { MINUTE_MS } from "../../../contract/durations.ts";
import { textTemplatesSchema } from "../../../contract/text-templates.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import { noticeTo, sendNotice } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { AppContext, AppEnv, Context } from "../../platform/context.ts";
import { DomainError, TryLater } from "../../platform/errors.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import { countNetworkAttempt, countTry } from "../../platform/http/rate-limit.ts";
import type { KeyRing } from "../../platform/keys.ts";
import { access, notImpersonating, recentlyConfirmed } from "../access.ts";
import { changePassword, setWatchedRegions } from "../auth/commands.ts";
import { cancelPendingEmail, mailConfirmation, nextMailAt } from "../auth/email-link-store.ts";
import { rememberDevice } from "../auth/guessing.ts";
import { findPerson } from "../impersonation/commands.ts";
import { bankDetailsChanged, emailChanged } from "../messages.ts";
import { expireLinkingPages } from "../providers/commands.ts";
import {
  bankDetailsOf,
  endOtherSessions,
  endOwnSession,
  maskBankDetails,
  openBankDetails,
  sealBankDetails,
  setServices,
  setTextTemplates,
  storeBankDetails,
  updateProfile,
} from "./commands.ts";
import {
  findBankDetails,
  findTextTemplates,
  listSessions,
  listSignIns,
  personalInfoOf,
  toSessionInfo,
  toSignInInfo,
  toTextTemplates,
} from "./queries.ts";

/**
 * Returns the keys for bank details. @throws DomainError bank_details_unavailable if the operator has not set the
 * keys
 */
function keyRing(context: Context): KeyRing {
  const { bankDetailsKeys } = context.settings;
  if (bankDetailsKeys) return bankDetailsKeys;
  throw new DomainError(
    "bank_details_unavailable",
    "Nothing was saved. The encryption key for bank details isn't set up here yet.",
  );
}

/** A provider's own bank details. No other user can see them, not even an impersonating admin. */
const bankDetailsRoutes = new Hono<AppEnv>()
  .get("/", access.owner, notImpersonating, async (c) => {
    const ring = keyRing(c.env);
    const scope = c.get("scope");
    const row = await findBankDetails(c.env.db, scope);
    const details = row && (await openBankDetails(ring, scope.businessId, row));
    return c.json(maskBankDetails(details, row?.updatedAt ?? null));
  })

  .put("/", access.owner, notImpersonating, recentlyConfirmed, jsonBody(bankDetailsSchema), async (c) => {
    const ring = keyRing(c.env);
    const scope = c.get("scope");
    const session = c.get("session");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    const act = c.get("act");
    const details = bankDetailsOf(c.req.valid("json"));
    const sealed = details && (await sealBankDetails(ring, scope.businessId, details));
    const notice = noticeTo(c.env, session.user, bankDetailsChanged);
    await storeBankDetails(c.env.db, session, scope, sealed, { ...act, notice });
    sendNotice(c, notice);
    return c.json(maskBankDetails(details, details && act.now));
  });

/** The fields of an account that suburb pages show, or that decide whether they list its business. */
const ON_SUBURB_PAGES = ["companyName", "firstName", "lastName", "abn"] as const;

const byId = z.object({ id: sessionIdSchema });

/**
 * Throws if email is unavailable, if no address is pending, or if the user must wait before the next link.
 * @throws DomainError email_unavailable, not_found; TryLater too_many_requests
 */
async function requireEmailAddress(c: AppContext, user: UserRow): Promise<void> {
  if (!canSendEmail(c.env)) throw new DomainError("email_unavailable");
  if (!user.pendingEmail) throw new DomainError("not_found", "No email is waiting to be confirmed");
  const now = Date.now();
  const next = await nextMailAt(c.env.db, { userId: user.id, email: user.pendingEmail }, now);
  if (next <= now) return;
  const minutes = Math.ceil((next - now) / MINUTE_MS);
  // Do not say that we sent a link: a cancelled link no longer works. This also hides requests by strangers.
  const words = `We can send one link every five minutes, and five an hour. Check your junk folder, or try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  throw new TryLater("too_many_requests", words, Math.ceil((next - now) / 1000));
}

export const accountRoutes = new Hono<AppEnv>()
  .route("/bank-details", bankDetailsRoutes)

  .get("/personal-info", access.signedIn, (c) => c.json(personalInfoOf(c.get("session").user)))

  .put("/personal-info", access.signedIn, jsonBody(personalInfoSchema), async (c) => {
    const session = c.get("session");
    const form = c.req.valid("json");
    // A refusal reveals that an address is in use, as at sign-up.
    if (form.email && form.email !== session.user.email)
      await countNetworkAttempt(c.env.SIGNUP_PER_ADDRESS, c.env.CALLER.prefixes);
    // Notify the previous address: its holder may have lost the account.
    const notice = noticeTo(c.env, session.user, emailChanged);
    const how = { ...c.get("act"), confirmsEmail: canSendEmail(c.env), notice };
    const user = await updateProfile(c.env.db, session, form, how);
    if (user.email !== session.user.email) sendNotice(c, notice);
    if (user.pendingEmail !== session.user.pendingEmail) mailConfirmation(c, user);
    if (ON_SUBURB_PAGES.some((field) => user[field] !== session.user[field]))
      await expireLinkingPages(c.env.db, c.req.url, user.id);
    return c.json(personalInfoOf(user));
  })

  /** Sends the link for the pending address again. */
  .post("/pending-email", access.signedIn, notImpersonating, async (c) => {
    const { user } = c.get("session");
    await countTry(c.env.LOGIN_PER_ACCOUNT, user.id);
    await requireEmailAddress(c, user);
    mailConfirmation(c, user);
    return c.json({ ok: true }, 202);
  })

  .delete("/pending-email", access.signedIn, notImpersonating, async (c) => {
    const session = c.get("session");
    const user = await cancelPendingEmail(c.env.db, session.user.id, c.get("act"));
    return c.json(personalInfoOf(user));
  })

  .put("/watched-regions", access.business, jsonBody(watchedRegionsSchema), async (c) => {
    const { regions } = c.req.valid("json");
    await setWatchedRegions(c.env.db, c.get("session").user.id, regions, Date.now());
    return c.json({ regions });
  })

  .put("/services", access.owner, jsonBody(servicesSchema), async (c) => {
    const services = [...new Set(c.req.valid("json").services)];
    await setServices(c.env.db, c.get("session"), c.get("scope"), services, c.get("act"));
    await expireLinkingPages(c.env.db, c.req.url, c.get("scope").businessId);
    return c.json({ services });
  })

  .get("/text-templates", access.business, async (c) =>
    c.json(toTextTemplates(await findTextTemplates(c.env.db, c.get("scope")))),
  )

  .put("/text-templates", access.owner, jsonBody(textTemplatesSchema), async (c) => {
    const { templates } = c.req.valid("json");
    await setTextTemplates(c.env.db, c.get("session"), c.get("scope"), templates, c.get("act"));
    return c.json({ templates });
  })

  .put(
    "/password",
    access.signedInWithAnyPassword,
    notImpersonating,
    jsonBody(passwordChangeSchema),
    async (c) => {
      const session = c.get("session");
      // Count by session, so that a stolen session cannot use up the owner's tries.
      await countTry(c.env.LOGIN_PER_ACCOUNT, session.id);
      const ended = await changePassword(c.env, session, c.req.valid("json"), c.get("act"));
      await closeSockets(c.env, ended);
      // The new password makes all devices unknown to the account, so mark the current one as known again.
      const changed = await findPerson(c.env.db, session.user.id);
      if (changed) rememberDevice(c, changed.user);
      return c.json({ ok: true });
    },
  )

  .get("/sessions", access.signedIn, async (c) => {
    const session = c.get("session");
    const rows = await listSessions(c.env.db, session.user.id, Date.now());
    return c.json(rows.map((row) => toSessionInfo(row, session.id)));
  })

  .get("/sign-ins", access.signedIn, async (c) => {
    const rows = await listSignIns(c.env.db, c.get("session").user.id);
    return c.json(rows.map(toSignInInfo));
  })

  .delete("/sessions", access.signedIn, notImpersonating, async (c) => {
    const session = c.get("session");
    const ended = await endOtherSessions(c.env.db, session, c.get("act"));
    await closeSockets(c.env, ended);
    return c.json({ ended: ended.length });
  })

  .delete("/sessions/:id", access.signedIn, notImpersonating, params(byId), async (c) => {
    const session = c.get("session");
    const { id } = c.req.valid("param");
    const ended = await endOwnSession(c.env.db, session, id, c.get("act"));
    await closeSockets(c.env, ended);
    return c.json({ ended: ended.length });
  });
