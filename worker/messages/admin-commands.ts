/** Admin decisions about channels and messages. */
import { and, eq, sql } from "drizzle-orm";

import type { AdminChannel, ChannelSetting } from "../../contract/messages.ts";
import type { Act } from "../identity/audit/act.ts";
import { auditWhen } from "../identity/audit/commands.ts";
import type { Db } from "../platform/db/client.ts";
import { messageChannels, messages } from "../platform/db/schema.ts";
import { DomainError } from "../platform/errors.ts";
import { lifetimeOf } from "./registry.ts";

/** Switches a channel on or off and sets its daily limit. The audit log records the previous setting. */
export async function setChannel(
  db: Db,
  channel: AdminChannel,
  setting: ChannelSetting,
  { actor, now, requestId }: Act,
): Promise<void> {
  const { isOn, mostADay = null } = setting;
  const values = { isOn, mostADay };
  const before = sql`(SELECT json_object('isOn', json(iif(${messageChannels.isOn}, 'true', 'false')),
    'mostADay', ${messageChannels.mostADay}) FROM ${messageChannels} WHERE ${messageChannels.channel} = ${channel})`;
  await db.batch([
    auditWhen(db, sql`true`, actor, {
      at: now,
      action: "message.channel_set",
      subjectType: "channel",
      subjectId: channel,
      before,
      after: values,
      requestId,
    }),
    db
      .insert(messageChannels)
      .values({ channel, ...values })
      .onConflictDoUpdate({ target: messageChannels.channel, set: values }),
  ]);
}

const notFailedError = () =>
  new DomainError("not_found", "That message didn't fail, or it's already queued again");

/**
 * Retries a failed message like a new one. The sender rebuilds its content and drops it if it is no longer needed.
 * @throws DomainError not_found if it does not exist or has not failed; another admin may have retried it first
 */
export async function resend(db: Db, id: string, { actor, now, requestId }: Act): Promise<void> {
  const hasFailed = and(eq(messages.id, id), eq(messages.state, "failed"));
  const [message] = await db.select({ template: messages.template }).from(messages).where(hasFailed);
  if (!message) throw notFailedError();
  const expiresAt = now + lifetimeOf(message.template);
  const [, changed] = await db.batch([
    auditWhen(db, sql`EXISTS (SELECT 1 FROM ${messages} WHERE ${hasFailed})`, actor, {
      at: now,
      action: "message.sent_again",
      subjectType: "message",
      subjectId: id,
      after: { template: message.template },
      requestId,
    }),
    db
      .update(messages)
      .set({ state: "waiting", due: now, attempts: 0, expiresAt })
      .where(hasFailed)
      .returning({ id: messages.id }),
  ]);
  if (changed.length === 0) throw notFailedError();
}
