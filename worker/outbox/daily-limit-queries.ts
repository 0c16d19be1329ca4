/** Daily limits of emails and texts. A stranger may enter any address. */
import { sql, type SQL } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import { mailboxOf, messages } from "../platform/db/schema.ts";

/** Emails about accounts that a stranger can trigger. */
export const STRANGERS_ACCOUNT_EMAILS: readonly string[] = [
  "password_link",
  "confirm_email",
  "password_guessed",
];

/**
 * Emails about requests that a stranger can trigger. The others follow from what a provider does. The notice of a removed
 * address is not here. Otherwise a person could use up the limit, replace the address, and so hide the notice.
 */
const STRANGERS_REQUEST_EMAILS: readonly string[] = [
  "request_received",
  "request_email_added",
  "request_list",
  "inspection_received",
  "request_withdrawn",
];

/** Maximum messages of a name per mailbox or number and day, about requests. */
const MAX_PER_ADDRESS_AND_DAY = 3;

/** Maximum emails to a mailbox a day that a stranger can trigger: about accounts, and as many about requests. */
const MAX_PER_MAILBOX_AND_DAY = 5;

/** SQL: whether at least this many of the earlier messages match. */
const isReached = (limit: number, matches: SQL) => sql`count(*) FILTER (WHERE ${matches}) >= ${limit}`;

/**
 * SQL: whether the recipient has reached a daily limit: that of emails a stranger can trigger, or that of this message
 * about requests.
 * @param recipient in lower case
 * @param name the message's
 */
export function hasDailyMaximum(recipient: SQL, name: string, now: number): SQL {
  const isAccount = STRANGERS_ACCOUNT_EMAILS.includes(name);
  const strangers = [STRANGERS_ACCOUNT_EMAILS, STRANGERS_REQUEST_EMAILS].find((all) => all.includes(name));
  // Strangers cannot use up the last account email: it is a password link, which the owner can use.
  const max = MAX_PER_MAILBOX_AND_DAY - (isAccount && name !== "password_link" ? 1 : 0);
  const reached = [
    ...(strangers ? [isReached(max, sql`earlier.template IN ${strangers}`)] : []),
    ...(isAccount ? [] : [isReached(MAX_PER_ADDRESS_AND_DAY, sql`earlier.template = ${name}`)]),
  ];
  return sql`(SELECT ${sql.join(reached, sql` OR `)} FROM ${messages} AS earlier
    WHERE ${mailboxOf(sql`earlier.recipient`)} = ${mailboxOf(recipient)}
    AND earlier.channel <> 'push' AND earlier.created_at > ${now - DAY_MS})`;
}
