/** Checks, builds and sends messages on each channel. deliver-commands.ts calls these functions. */
import type { Db } from "../platform/db/client.ts";
import type { Context } from "../platform/context.ts";
import { renderMail, sendEmail } from "../outbox/email.ts";
import { classifyError, endOfQuiet, textAllowedAt, textBackoffMs } from "../outbox/rules.ts";
import { type PushSettings, sendPush } from "./push.ts";
import { findRecipients } from "./queries.ts";
import { isKnown, mailOf, notificationOf } from "./registry.ts";
import { checkAgainAt, isSkip, type MessageRow, type Reach, UNWANTED } from "../outbox/message.ts";
import { hasWindowOf } from "../live/room.ts";
import { type ChannelSender } from "./sender.ts";
import { sendText, type SmsSettings } from "./sms-gateway.ts";
import { stoppedSince } from "./stop-commands.ts";
import { addressHash, numberHash, stopLink } from "./stop-rules.ts";

/** Messages sent in parallel: a Worker allows six open connections. */
const MAX_PARALLEL = 6;
/** How long the push service stores a notification while the device is offline, in seconds. */
const MAX_TTL_SECONDS = 900;

/** Returns the sender of notifications. Loads the current recipients of these messages. */
export async function createPushSender(
  context: Context,
  push: PushSettings,
  leased: readonly MessageRow[],
  now: number,
): Promise<ChannelSender> {
  const db = context.db;
  const deviceIds = [...new Set(leased.map(({ recipient }) => recipient ?? ""))];
  const recipients = await findRecipients(context, deviceIds, now);
  const recipientOf = (message: MessageRow) => recipients.get(message.recipient ?? "");
  let shared = new Map<string, unknown>();
  const loadingOf = (message: MessageRow, at: number) => ({
    env: context,
    db,
    message,
    recipient: recipientOf(message)!,
    shared: shared.get(message.template),
    now: at,
  });
  return {
    name: "push",
    groupSize: MAX_PARALLEL,
    // Load again for each group: a lead may be sold during the run.
    begin: async (group) => {
      shared = new Map();
      for (const [name, some] of Map.groupBy(group, ({ template }) => template))
        if (isKnown(name)) shared.set(name, await notificationOf(name).loadShared?.(context, some));
    },
    check: (message, at) =>
      recipientOf(message)
        ? (notificationOf(message.template).postpone?.(loadingOf(message, at)) ?? null)
        : UNWANTED,
    serviceOf: (message) => new URL(recipientOf(message)!.endpoint).host,
    prepare: async (message, at) => {
      const recipient = recipientOf(message)!;
      const entry = notificationOf(message.template);
      const facts = await entry.load(loadingOf(message, at));
      if (isSkip(facts)) return facts;
      const { businessId, userId, quietHours } = recipient;
      if (entry.skipsOpenWindow && (await hasWindowOf(context, businessId, userId))) return UNWANTED;
      const { waitsForQuietHours: waits = false } = entry;
      const isQuiet = typeof waits === "function" ? waits(facts) : waits;
      const waitUntil = isQuiet ? endOfQuiet(at, quietHours) : null;
      if (waitUntil !== null) return checkAgainAt(waitUntil);
      const content = entry.push(facts);
      const ttlSeconds = Math.min(MAX_TTL_SECONDS, (message.expiresAt - at) / 1000);
      return () => sendPush(push, recipient, { content, ttlSeconds });
    },
  };
}
function reachOf({ settings: { contactPhone, contactEmail, siteUrl } }: Context): Reach {
  return { contactPhone, contactEmail, siteUrl };
}

/** Returns whether the recipient opted out. Emails about requests respect an opt-out; emails about accounts do not. */
async function isStopped(db: Db, { leadId, recipient }: MessageRow): Promise<boolean> {
  return leadId !== null && (await stoppedSince(db, addressHash(recipient!))) !== null;
}

export function createEmailSender(context: Context): ChannelSender {
  const db = context.db;
  return {
    name: "email",
    groupSize: MAX_PARALLEL,
    prepare: async (message, now) => {
      const { recipient: to, leadId, template } = message;
      if (!to || (await isStopped(db, message))) return UNWANTED;
      const entry = mailOf(template);
      const facts = await entry.load({ env: context, db, message, now });
      if (isSkip(facts)) return facts;
      const mail = entry.email(facts, reachOf(context));
      if (!mail) return UNWANTED;
      const stop = leadId === null ? undefined : stopLink(context.settings, to);
      const letter = renderMail(stop === undefined ? mail : { ...mail, stop }, context.settings);
      return async () => {
        try {
          await sendEmail(context, { to, ...letter });
          return { kind: "sent" };
        } catch (error) {
          const { kind, code } = classifyError(error);
          return { kind, afterMs: null, detail: { code, error } };
        }
      };
    },
  };
}

/**
 * Returns the sender of texts. It sends one text at a time: the gateway allows five calls at once, and ten queue
 * consumers may run. Each text is recorded before the next, because it costs money and its delivery report arrives
 * within seconds.
 */
export function createTextSender(context: Context, sms: SmsSettings): ChannelSender {
  const db = context.db;
  return {
    name: "text",
    groupSize: 1,
    check: (_, now) => {
      const morning = textAllowedAt(now);
      return morning === null ? null : checkAgainAt(morning);
    },
    prepare: async (message, now) => {
      const { id: ref, recipient: to, template, attempts } = message;
      if (!to || (await stoppedSince(db, numberHash(to))) !== null) return UNWANTED;
      const entry = mailOf(template);
      if (!entry.text) throw new Error(`${template} has no text`);
      const facts = await entry.load({ env: context, db, message, now });
      if (isSkip(facts)) return facts;
      const text = entry.text(facts, { ...reachOf(context), takesReplies: sms.takesReplies });
      return async () => {
        const outcome = await sendText(sms, { to, text, ref });
        if (outcome.kind === "sent") return outcome;
        const detail = { status: outcome.status };
        if (outcome.kind === "refused") return { kind: "refused", detail };
        if (outcome.kind === "busy") return { kind: "busy", afterMs: outcome.afterMs, detail };
        // An attempt that ended in `later` may have sent the text. A further retry may send it twice and cost twice.
        const afterMs = textBackoffMs(attempts);
        return afterMs === null ? { kind: "refused", detail } : { kind: "later", afterMs, detail };
      };
    },
  };
}
