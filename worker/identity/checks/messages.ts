import { nameOfCheck } from "../../../contract/checks.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { greetingOf } from "../../../contract/names.ts";
import { formatLongDay } from "../../../contract/sydney-time.ts";
import { sql } from "drizzle-orm";

import { enqueue } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import { mailMessage, UNWANTED } from "../../outbox/message.ts";
import type { Context } from "../../platform/context.ts";
import { findActiveAccount } from "../messages.ts";
import { findCheck, readChecks } from "./queries.ts";

/** What an email about a check says: an admin's decision, the reminder before its last day, or its end. */
export type CheckNews = "valid" | "refused" | "ending" | "ended";

/** `key`: distinguishes emails of the same kind about the same check. */
type OfCheck = { checkId: string; news: CheckNews; key: string };

export const checkNews = mailMessage({
  name: "check_news",
  reason: "An admin decided about a check of their business, or the check expires soon or has expired.",
  lifetimeMs: 3 * DAY_MS,
  to: ({ checkId, news }: OfCheck) => ({
    channel: "email",
    from: sql`provider_checks INNER JOIN users ON users.id = provider_checks.business_id`,
    where: sql`provider_checks.id = ${checkId} AND users.email IS NOT NULL AND users.is_active = 1`,
    recipient: sql`lower(users.email)`,
    userId: sql`users.id`,
    payload: { checkId, kind: news },
  }),
  key: ({ news, key, checkId }) => `${news}:${key}:${checkId}`,
  load: async (loading) => {
    const { db, message } = loading;
    const { checkId = "", kind } = message.payload;
    const news = kind as CheckNews;
    const account = await findActiveAccount(loading);
    const check = await findCheck(db, checkId);
    if (!account || !check || check.state !== (news === "ending" ? "valid" : news)) return UNWANTED;
    // A new check may be waiting or valid already.
    const own = (await readChecks(db, check.businessId)).find((one) => one.kind === check.kind);
    const isReplaced = own?.latest?.state === "waiting" || (news === "ended" && own?.valid);
    if ((news === "ending" || news === "ended") && isReplaced) return UNWANTED;
    return {
      firstName: account.firstName,
      news,
      name: nameOfCheck(check.kind),
      endsOn: check.endsOn && formatLongDay(check.endsOn),
      reason: check.reason,
      isVerified: account.user.isVerified,
    };
  },
  email: ({ firstName, news, name, endsOn, reason, isVerified }, { siteUrl, contactPhone }) => {
    const badge = isVerified
      ? "Your business is verified."
      : "Your business isn't verified. Verified businesses have a current ABN, public liability insurance and police check.";
    const renew = "Please send us the new one in Settings, under Checks.";
    const [subject, ...what] = {
      valid: [
        `We've checked your ${name}`,
        `We've checked your ${name}${endsOn ? `. It's valid until ${endsOn}` : ""}.`,
        badge,
      ],
      refused: [
        `We couldn't accept your ${name}`,
        `We couldn't accept your ${name}. Here's why: ${reason}`,
        "You can send it again in Settings, under Checks.",
        badge,
      ],
      ending: [
        `Your ${name} expires soon`,
        `Your ${name} is valid until ${endsOn}.`,
        renew,
        isVerified ? "If we don't have it by then, your business won't be verified any more." : badge,
      ],
      ended: [`Your ${name} has expired`, `Your ${name} was valid until ${endsOn}.`, renew, badge],
    }[news] as [string, ...string[]];
    return {
      subject,
      parts: [
        greetingOf(firstName),
        ...what,
        ...(siteUrl ? [{ link: `${siteUrl}/settings#checks`, words: "See your checks" }] : []),
        `Questions? Call us on ${contactPhone}.`,
      ],
    };
  },
});

/** Returns the statement that emails a business about its check. None without email. */
export const enqueueCheckEmail = (
  context: Context,
  checkId: string,
  news: Omit<OfCheck, "checkId">,
  now: number,
) => (canSendEmail(context) ? [enqueue(context.db, checkNews, { checkId, ...news }, now)] : []);
