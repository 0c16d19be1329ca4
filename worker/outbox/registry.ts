/**
 * All messages that this product sends. Each template has a subject, a reason, a lifetime, a dedupe key and a render
 * for each channel. To add a template, add an entry here. Then call `enqueue` in the batch of the change that causes
 * the message.
 */
import { ACCOUNT_EMAILS } from "./account-emails.ts";
import { NOTIFICATIONS } from "./notifications.ts";
import { REQUEST_MESSAGES } from "./request-messages.ts";
import type { EmailEntry, EmailFacts, PushEntry, PushFacts } from "./template.ts";

export const TEMPLATES = { ...ACCOUNT_EMAILS, ...REQUEST_MESSAGES, ...NOTIFICATIONS } satisfies Record<
  string,
  | { [About in keyof EmailFacts]: EmailEntry<About, never> }[keyof EmailFacts]
  | { [About in keyof PushFacts]: PushEntry<About, never> }[keyof PushFacts]
>;

export type MessageTemplate = keyof typeof TEMPLATES;

/** The data of a template's dedupe key. */
export type SubjectOf<Name extends MessageTemplate> = Parameters<
  NonNullable<(typeof TEMPLATES)[Name]["key"]>
>[0];

/**
 * Returns the entry of a stored message.
 * @throws Error for a template that this release does not know
 */
export function entryOf(template: string) {
  const entry = Object.hasOwn(TEMPLATES, template) && TEMPLATES[template as MessageTemplate];
  if (!entry) throw new Error(`No such template: ${template}`);
  return entry;
}
