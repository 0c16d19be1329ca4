import { Hono } from "hono";
import * as z from "zod/mini";

import { moveLeadSchema, withdrawLeadSchema } from "../../contract/admin-leads.ts";
import { leadIdSchema } from "../../contract/leads.ts";
import { businessOf } from "../auth/rules.ts";
import { DomainError } from "../errors.ts";
import type { LeadRow } from "../leads/rules.ts";
import { access } from "../middleware/access.ts";
import { jsonBody, params } from "../middleware/body.ts";
import type { AppEnv } from "../middleware/caller.ts";
import { toPurchasedLead } from "../purchases/rules.ts";
import { type GivenLead, giveLead, moveLead, withdrawLead } from "./lead-commands.ts";

const byId = z.object({ id: leadIdSchema });
const byLeadAndProvider = z.object({
  leadId: leadIdSchema,
  providerId: z.string().check(z.regex(/^user_[0-9a-z]{8,40}$/)),
});

const givenAnswer = ({ purchase, lead }: GivenLead) => toPurchasedLead(purchase, lead);

/** Where a lead stands after an admin's change. */
function standingAnswer({ id, region, generation, status, listingState, withdrawnReason }: LeadRow) {
  return { id, region, generation, status, listingState, withdrawnReason };
}

/** What super admins do with leads on the market. All of it goes through the exchange. */
export const adminLeadRoutes = new Hono<AppEnv>()
  .post("/claim-lead/:id", access.superAdmin, params(byId), async (c) => {
    const { user } = c.get("session");
    const businessId = businessOf(user);
    if (!businessId) throw new DomainError("forbidden", "Only providers have a pipeline to claim leads into");
    const order = { businessId, userId: user.id, mode: "claimed" } as const;
    const given = await giveLead(c.env, c.req.valid("param").id, order, c.executionCtx);
    return c.json(givenAnswer(given), 201);
  })

  .post("/assign-lead/:leadId/:providerId", access.superAdmin, params(byLeadAndProvider), async (c) => {
    const { leadId, providerId: businessId } = c.req.valid("param");
    const order = { businessId, userId: c.get("session").user.id, mode: "assigned" } as const;
    return c.json(givenAnswer(await giveLead(c.env, leadId, order, c.executionCtx)), 201);
  })

  .post("/leads/:id/withdraw", access.superAdmin, params(byId), jsonBody(withdrawLeadSchema), async (c) => {
    const { reason } = c.req.valid("json");
    const byUserId = c.get("session").user.id;
    const lead = await withdrawLead(c.env, c.req.valid("param").id, { byUserId, reason });
    return c.json(standingAnswer(lead));
  })

  .post("/leads/:id/move", access.superAdmin, params(byId), jsonBody(moveLeadSchema), async (c) => {
    const { region } = c.req.valid("json");
    const byUserId = c.get("session").user.id;
    return c.json(standingAnswer(await moveLead(c.env, c.req.valid("param").id, { byUserId, region })));
  });
