import { and, eq, gt, isNull, notExists } from "drizzle-orm";

import type { UnsignedAct } from "../audit/act.ts";
import { SYSTEM_ACTOR } from "../audit/commands.ts";
import { oneTimeSecrets } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { newId } from "../../platform/ids.ts";
import { issuePasswordLink } from "./password-link-commands.ts";
import { findUserForLogin } from "./queries.ts";
import { MAIL_INTERVAL_MS } from "./rules.ts";
import { passwordLink } from "../messages.ts";

/**
 * Sends a password link to a user who forgot their password, if the user exists and has an email. Runs after the
 * response, so that content and timing do not reveal whether the account exists.
 * @param login username or email
 * @param origin origin of the link, e.g. "https://naturestrip.example"
 */
export async function mailPasswordLink(
  context: Context,
  login: string,
  { origin, now, requestId }: UnsignedAct & { origin: string },
): Promise<void> {
  const db = context.db;
  try {
    const found = await findUserForLogin(db, login);
    if (!found?.isActive || !found.user.email) return;
    const justMailed = db
      .select({ id: oneTimeSecrets.id })
      .from(oneTimeSecrets)
      .where(
        and(
          eq(oneTimeSecrets.userId, found.user.id),
          eq(oneTimeSecrets.purpose, "password"),
          isNull(oneTimeSecrets.data),
          gt(oneTimeSecrets.createdAt, now - MAIL_INTERVAL_MS),
        ),
      );
    const [act, to] = [{ actor: SYSTEM_ACTOR, now, requestId }, found.user.email];
    const id = newId("msg");
    // The outbox creates the link's secret when it sends the email. The token issued here is never shown.
    const write = (linkId: string) => ({ message: passwordLink, to, subject: { linkId, origin } });
    await issuePasswordLink(db, found.user.id, act, { id, write, isWanted: notExists(justMailed) });
    await context.DELIVER?.([id]);
  } catch (error) {
    log("error", "password_mail_failed", { error });
  }
}
