import { Hono } from "hono";
import * as z from "zod/mini";

import {
  channelIdSchema,
  channelSettingSchema,
  MESSAGE_VIEWS,
  type RecipientHistory,
  messageHistorySchema,
  messageStopSchema,
} from "../../contract/messages.ts";
import type { Act } from "../identity/audit/act.ts";
import type { Db } from "../platform/db/client.ts";
import { access } from "../identity/access.ts";
import { jsonBody, params, query } from "../platform/http/body.ts";
import type { AppEnv } from "../platform/app.ts";
import { linkNext, pageParams, readAfter } from "../platform/http/paging.ts";
import { recordLookup, resend, setChannel } from "./admin-commands.ts";
import { findStop, setStop } from "./stop-commands.ts";
import { listChannels, listHistory, listMessages } from "./admin-queries.ts";
import { deliverLater } from "./dispatch-commands.ts";

const byChannel = z.object({ id: channelIdSchema });
// Ids vary in length: the id of an email to a super admin ends with that admin's id.
const byId = z.object({ id: z.string().check(z.regex(/^msg_[0-9a-z_]{8,80}$/)) });
const listQuery = z.object({ ...pageParams(50), view: z._default(z.enum(MESSAGE_VIEWS), "failed") });

/** Returns the messages to a recipient and the opt-out. Records the view in the audit log. */
async function showPerson(db: Db, address: string, act: Act): Promise<RecipientHistory> {
  const [lines, stop] = await Promise.all([listHistory(db, address), findStop(db, address)]);
  await recordLookup(db, lines, act);
  return { lines, stop };
}

export const messageAdminRoutes = new Hono<AppEnv>()
  .get("/messages", access.superAdmin, query(listQuery), async (c) => {
    const { view, limit, cursor } = c.req.valid("query");
    const filter = { view, after: readAfter(cursor), limit };
    const { lines, at } = await listMessages(c.env.db, filter);
    linkNext(c, at, limit);
    return c.json(lines);
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

  .post("/messages/person", access.superAdmin, jsonBody(messageHistorySchema), async (c) => {
    const { address } = c.req.valid("json");
    return c.json(await showPerson(c.env.db, address, c.get("act")));
  })

  .put("/messages/stops", access.superAdmin, jsonBody(messageStopSchema), async (c) => {
    const { address, isStopped } = c.req.valid("json");
    await setStop(c.env, address, isStopped, c.get("act"));
    return c.json(await showPerson(c.env.db, address, c.get("act")));
  });
