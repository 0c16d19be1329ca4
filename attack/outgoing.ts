/** What the attacked product sends by itself: emails, and notifications as the phones that hear them read them. */
import type { SentMail } from "../testing/stand-ins/mailbox.ts";
import { PushStandIn } from "../testing/stand-ins/push-stand-in.ts";
import { serveStandIn } from "../testing/stand-ins/stand-in-server.ts";
import { plain, PLANTED, SECRETS } from "./people.ts";
import type { Stage } from "./walk.ts";

export type Outgoing = Awaited<ReturnType<typeof serveOutgoing>>;

/** Starts the services that take what is sent: nothing leaves this machine. */
export async function serveOutgoing() {
  const phones = new PushStandIn(SECRETS.PUSH_KEYS);
  const mails: SentMail[] = [];
  const { url, stop } = await serveStandIn(async (request) => {
    if (new URL(request.url).pathname !== "/emails") return phones.fetch(request);
    mails.push((await request.json()) as SentMail);
    return new Response(null, { status: 202 });
  });
  return { phones, mails, stop, vars: { PUSH_STAND_IN: url, MESSAGE_STAND_IN: url } };
}

/** Whose details stand in a message that neither they nor their buyer should find there. @param to in small letters */
export function tracesInMessage(text: string, to: string | null): string[] {
  const read = plain(text);
  const isTheirs = (traces: readonly string[]) =>
    to !== null && traces.some((trace) => plain(to).includes(trace));
  return PLANTED.filter(({ traces }) => !isTheirs(traces)).flatMap(({ whose, traces }) =>
    traces.filter((trace) => read.includes(trace)).map((trace) => `${whose}: "${trace}"`),
  );
}

/**
 * Searches everything that was sent. A lock screen is read by anybody: in a notification nobody's details may stand,
 * not even its reader's.
 * @returns how many messages that were
 */
export function searchSent({ target, judge }: Stage): { pushes: number; emails: number } {
  const { phones, mails } = target.outgoing;
  for (const { data } of phones.delivered)
    for (const trace of tracesInMessage(JSON.stringify(data), null))
      judge.add({ kind: "leak", where: `notification "${data.notification.title}"`, what: trace });
  for (const { to, ...letter } of mails)
    for (const trace of tracesInMessage(JSON.stringify(letter), to))
      judge.add({ kind: "leak", where: `email "${letter.subject}"`, what: trace });
  // An attack in which nobody is told anything has searched nothing.
  for (const [channel, sent] of [
    ["notifications", phones.delivered.length],
    ["emails", mails.length],
  ] as const)
    if (sent === 0) judge.add({ kind: "no answer", where: channel, what: "none was sent" });
  return { pushes: phones.delivered.length, emails: mails.length };
}
