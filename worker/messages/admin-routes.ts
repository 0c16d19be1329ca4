import { Hono } from "hono";
import * as z from "zod/mini";

import {
  channelIdSchema,
  channelSettingSchema,
  messageRecipientSchema,
  messageStopSchema,
} from "../../contract/messages.ts";
import { access } from "../identity/access.ts";
import { jsonBody, params, query } from "../platform/http/body.ts";
import type { AppEnv } from "../platform/context.ts";
import { linkNext, pageParams, readAfter } from "../platform/http/paging.ts";
import { listChannels, listFailed, resend, setChannel } from "./admin-store.ts";
import { findStop, setStop } from "./stop-commands.ts";
import { deliverLater } from "./dispatch-commands.ts";

const byChannel = z.object({ id: channelIdSchema });
// Ids vary in length: the id of an email to a super admin ends with that admin's id.
const byId = z.object({ id: z.string().check(z.regex(/^msg_[0-9a-z_]{8,80}$/)) });
const listQuery = z.object(pageParams(50));

export const messageAdminRoutes = new Hono<AppEnv>()
  .get("/messages", access.superAdmin, query(listQuery), async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const failed = await listFailed(c.env.db, readAfter(cursor), limit);
    linkNext(c, failed, limit);
    return c.json(failed);
  })

  .get("/messages/channels", access.superAdmin, async (c) => c.json(await listChannels(c.env)))

  .put(
    "/messages/channels/:id",
    access.superAdmin,
    params(byChannel),
    jsonBody(channelSettingSchema),
    async (c) => {
      const setting = c.req.valid("json");
      await setChannel(c.env.db, c.req.valid("param").id, setting, c.get("act"));
      return c.json(setting);
    },
  )

  .post("/messages/:id/again", access.superAdmin, params(byId), async (c) => {
    const { id } = c.req.valid("param");
    await resend(c.env.db, id, c.get("act"));
    deliverLater(c.env, c.executionCtx, [id]);
    return c.json({ ok: true }, 202);
  })

  .post("/messages/person", access.superAdmin, jsonBody(messageRecipientSchema), async (c) => {
    return c.json(await findStop(c.env.db, c.req.valid("json").address));
  })

  .put("/messages/stops", access.superAdmin, jsonBody(messageStopSchema), async (c) => {
    const { address, isStopped } = c.req.valid("json");
    await setStop(c.env, address, isStopped, c.get("act"));
    return c.json(await findStop(c.env.db, address));
  });
