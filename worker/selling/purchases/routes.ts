import { Hono } from "hono";
import * as z from "zod/mini";

import { leadIdSchema } from "../../../contract/leads.ts";
import { purchaseRequestSchema } from "../../../contract/purchases.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import { buyDirect } from "./buy-commands.ts";
import { claimWithFreeClaim } from "./credit-commands.ts";
import { toPurchasedLead } from "./views.ts";

const byId = z.object({ id: leadIdSchema });

export const buyRoutes = new Hono<AppEnv>()
  .post(
    "/:id/purchase",
    access.owner,
    notImpersonating,
    params(byId),
    jsonBody(purchaseRequestSchema),
    async (c) => {
      const { payments, requireVerified } = c.env.settings;
      if (payments !== "direct") {
        throw new DomainError("payments_unavailable", "Buying without a card is switched off here.");
      }
      const { user } = c.get("session");
      if (requireVerified && !user.isVerified) throw new DomainError("not_verified");
      const purchase = await buyDirect(
        c.env,
        c.get("scope"),
        c.req.valid("param").id,
        c.req.valid("json"),
        c.executionCtx,
      );
      return c.json(purchase, 201);
    },
  )
  .post("/:id/claim-with-credit", access.owner, notImpersonating, params(byId), async (c) => {
    const { user } = c.get("session");
    if (c.env.settings.requireVerified && !user.isVerified) throw new DomainError("not_verified");
    const { id } = c.req.valid("param");
    const { purchase, lead } = await claimWithFreeClaim(
      c.env,
      c.get("scope"),
      id,
      Date.now(),
      c.executionCtx,
    );
    return c.json(toPurchasedLead(purchase, lead), 201);
  });
