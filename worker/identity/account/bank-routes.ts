import type { KeyRing } from "../../platform/key-ring.ts";
import { Hono } from "hono";

import { bankDetailsSchema } from "../../../contract/account.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating, recentlyConfirmed } from "../access.ts";
import { jsonBody } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/app.ts";
import { sendNotice, noticeTo } from "../../outbox/notice-commands.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { bankDetailsOf, maskBankDetails, openBankDetails, sealBankDetails } from "./bank-details.ts";
import { storeBankDetails } from "./commands.ts";
import { findBankDetails } from "./queries.ts";
import { bankDetailsChanged } from "../messages.ts";

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
export const bankDetailsRoutes = new Hono<AppEnv>()
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
