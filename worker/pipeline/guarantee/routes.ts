import { Hono } from "hono";
import * as z from "zod/mini";

import { contestSchema } from "../../../contract/guarantee.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import { notifyRoom } from "../../live/room.ts";
import type { AppEnv } from "../../platform/context.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import { contestCase } from "./case-commands.ts";
import { readFreeClaimRate } from "./queries.ts";

const byPurchase = z.object({ id: z.string().check(z.regex(/^pur_[0-9a-z]{8,40}$/)) });

export const guaranteeRoutes = new Hono<AppEnv>()
  .get("/guarantee-rate", access.anyone, async (c) => c.json({ rate: await readFreeClaimRate(c.env.db) }))

  .post(
    "/lead-purchases/:id/contest",
    access.owner,
    notImpersonating,
    params(byPurchase),
    jsonBody(contestSchema),
    async (c) => {
      const { id } = c.req.valid("param");
      const scope = c.get("scope");
      await contestCase(c.env.db, scope, id, c.req.valid("json"), c.get("act"));
      c.executionCtx.waitUntil(notifyRoom(c.env, scope, id));
      return c.json({ purchaseId: id });
    },
  );
