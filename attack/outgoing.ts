/** The attacked product's outgoing messages: emails, and notifications decrypted by the subscribed phones. */
import type { SentMail } from "../testing/stand-ins/mailbox.ts";
import { PushStandIn } from "../testing/stand-ins/push-stand-in.ts";
import { serveStandIn } from "../testing/stand-ins/stand-in-server.ts";
import { MARKS, PLANTED, PROVIDER, RIVAL, SECRETS } from "./people.ts";
import { normalise, traceFinder } from "./traces.ts";
import type { AttackContext } from "./walk.ts";

export type Outgoing = Awaited<ReturnType<typeof serveOutgoing>>;

/** Starts the stand-ins that receive messages, so that no message leaves this machine. */
export async function serveOutgoing() {
  const phones = new PushStandIn(SECRETS.PUSH_KEYS);
  const sentEmails: SentMail[] = [];
  const { url, stop } = await serveStandIn(async (request) => {
    if (new URL(request.url).pathname !== "/emails") return phones.fetch(request);
    sentEmails.push((await request.json()) as SentMail);
    return new Response(null, { status: 202 });
  });
  return { phones, sentEmails, stop, vars: { PUSH_STAND_IN: url, MESSAGE_STAND_IN: url } };
}

/** Marks of businesses' rows, by their owners' addresses. For example, an admin's answer is sent to the lead's buyer. */
const OWN_MARKS: ReadonlyMap<string, string> = new Map([
  [PROVIDER.email, MARKS.business.word],
  [RIVAL.email, MARKS.stranger.word],
]);

/**
 * Lists planted details in a message, except those of its recipient.
 *
 * @param to the recipient's address in lower case; null if there is none
 */
export function tracesInMessage(text: string, to: string | null): string[] {
  const find = traceFinder(text);
  const isOwnDetail = (traces: readonly string[]) =>
    to !== null && traces.some((trace) => normalise(to).includes(trace) || OWN_MARKS.get(to) === trace);
  return PLANTED.filter(({ traces, isId }) => !isId && !isOwnDetail(traces)).flatMap(
    ({ ownerLabel, traces }) => find(traces).map((trace) => `${ownerLabel}: "${trace}"`),
  );
}

const PROVIDER_NUMBER = /^the (?:provider|rival): "\d+"$/;

/**
 * Searches every sent message. Bystanders can read a lock screen, so a notification must not contain anyone's details,
 * not even its recipient's.
 *
 * @returns how many messages were sent
 */
export function searchSentMessages({ target, judge }: AttackContext): { pushes: number; emails: number } {
  const { phones, sentEmails } = target.outgoing;
  for (const { data } of phones.delivered)
    for (const trace of tracesInMessage(JSON.stringify(data), null))
      judge.add({ kind: "leak", where: `notification "${data.notification.title}"`, what: trace });
  for (const { to, ...letter } of sentEmails)
    for (const trace of tracesInMessage(JSON.stringify(letter), to)) {
      // The customer gets the number of the business that calls, and nothing else about it.
      if (letter.subject.endsWith(" has taken your request") && PROVIDER_NUMBER.test(trace)) continue;
      judge.add({ kind: "leak", where: `email "${letter.subject}"`, what: trace });
    }
  // If no message was sent, the search proves nothing.
  for (const [channel, sent] of [
    ["notifications", phones.delivered.length],
    ["emails", sentEmails.length],
  ] as const)
    if (sent === 0) judge.add({ kind: "no answer", where: channel, what: "no message was sent" });
  return { pushes: phones.delivered.length, emails: sentEmails.length };
}
