import { Hono } from "hono";
import * as z from "zod/mini";

import { teamAlertsSchema, type TeamName, teamMemberSchema } from "../../../contract/team.ts";
import { userIdSchema } from "../../../contract/auth.ts";
import { createTeamMember } from "../auth/account-commands.ts";
import { issuePasswordLink } from "../auth/password-link-store.ts";
import { closeSockets } from "../../live/closing-commands.ts";
import { DomainError } from "../../platform/errors.ts";
import { access, notImpersonating } from "../access.ts";
import {
  findMember,
  listMembers,
  listTeammates,
  removeMember,
  setTeamAlerts,
  toTeamMember,
} from "./store.ts";
import { jsonBody, params } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { countTry } from "../../platform/http/rate-limit.ts";
import { sendNotice, noticeTo } from "../../outbox/commands.ts";
import { linkMadeByOwner } from "../messages.ts";

const byId = z.object({ id: userIdSchema });

export const teamRoutes = new Hono<AppEnv>()
  .get("/", access.owner, async (c) => {
    const members = await listMembers(c.env.db, c.get("scope"));
    return c.json(members.map(({ user, alerts }) => toTeamMember(user, alerts)));
  })

  // Lists the users whom notes can mention. All team members need it.
  .get("/names", access.business, async (c) => {
    const scope = c.get("scope");
    const teammates = await listTeammates(c.env.db, scope);
    return c.json(
      teammates.map((teammate): TeamName => ({ ...teammate, isYou: teammate.id === scope.userId })),
    );
  })

  // Sets another user's password, so an impersonating admin may not call it.
  .post("/", access.owner, notImpersonating, jsonBody(teamMemberSchema), async (c) => {
    const session = c.get("session");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    const owner = { businessId: c.get("scope").businessId, watchedRegions: session.user.watchedRegions };
    const member = await createTeamMember(c.env, owner, c.req.valid("json"), c.get("act"));
    return c.json(toTeamMember(member, null), 201);
  })

  .put("/:id/alerts", access.owner, params(byId), jsonBody(teamAlertsSchema), async (c) => {
    const db = c.env.db;
    const member = await findMember(db, c.get("scope"), c.req.valid("param").id);
    if (!member) throw new DomainError("not_found", "Team member not found");
    const alerts = c.req.valid("json");
    await setTeamAlerts(db, member.id, alerts);
    return c.json(alerts);
  })

  .delete("/:id", access.owner, params(byId), async (c) => {
    const scope = c.get("scope");
    const { id } = c.req.valid("param");
    const ended = await removeMember(c.env.db, c.get("act"), scope, id);
    await closeSockets(c.env, ended);
    return c.json({ ok: true });
  })

  .post("/:id/password-link", access.owner, notImpersonating, params(byId), async (c) => {
    const session = c.get("session");
    const db = c.env.db;
    const member = await findMember(db, c.get("scope"), c.req.valid("param").id);
    if (!member) throw new DomainError("not_found", "Team member not found");
    await countTry(c.env.FORM_PER_ADDRESS, session.user.id);
    const notice = noticeTo(c.env, member, linkMadeByOwner);
    const link = await issuePasswordLink(
      db,
      member.id,
      c.get("act"),
      notice && { id: notice.id, write: () => notice },
    );
    sendNotice(c, notice);
    return c.json(link, 201);
  });
