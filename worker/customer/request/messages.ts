/** The message to a customer that a provider has taken their request. */
import { callDeadline } from "../../../contract/call-clock.ts";
import { describeCheck } from "../../../contract/checks.ts";
import { formatPhone } from "../../../contract/phone.ts";
import { formatMean } from "../../../contract/reviews.ts";
import { formatDeadline } from "../../../contract/sydney-time.ts";
import { listShownChecks } from "../../identity/checks/queries.ts";
import { createLink, findBoughtRequest } from "../../leads/message-queries.ts";
import { describeJob, linkToPage, type RequestLabels, type TextReach } from "../../leads/message-words.ts";
import { requestTakenRows } from "../../leads/messages.ts";
import { mailMessage, UNWANTED } from "../../outbox/message.ts";
import { gsmLength, MAX_TEXT_LENGTH, toGsmText, truncate } from "../../outbox/rules.ts";
import { selectReviewTotals } from "../../pipeline/reviews/queries.ts";

/** The visitor knows the job, so shorten it first to fit the company's name, down to this many characters. */
const MIN_JOB_LENGTH = 12;
const MAX_JOB_LENGTH = 40;

/**
 * Returns the text's frame. If we receive replies, we forward them to the provider. The text then says so and puts our
 * phone number next to our name.
 */
function frameOf({ contactPhone, takesReplies }: TextReach): (name: string, job: string) => string {
  return takesReplies
    ? (name, job) =>
        `Naturestrip ${contactPhone}: ${name} has taken your request for ${job} and will call you. Reply to message them, or STOP to opt out`
    : (name, job) =>
        `Naturestrip: ${name} has taken your request for ${job} and will call you. Questions? Call ${contactPhone}`;
}

/** @param company the name on the account; cut if it is too long for one text */
export function requestTakenText(
  { services }: Pick<RequestLabels, "services">,
  company: string,
  reach: TextReach,
): string {
  const frame = frameOf(reach);
  const name = toGsmText(company) || "A provider";
  const room = MAX_TEXT_LENGTH - gsmLength(frame("", ""));
  const forJob = Math.min(MAX_JOB_LENGTH, Math.max(MIN_JOB_LENGTH, room - gsmLength(name)));
  const job = truncate(toGsmText(services), forJob);
  return frame(truncate(name, room - gsmLength(job)), job);
}

export const requestTaken = mailMessage({
  ...requestTakenRows,
  load: async (loading) => {
    const { db, message, now } = loading;
    const found = await findBoughtRequest(loading);
    if (found?.purchase.paymentStatus !== "completed") return UNWANTED;
    const { lead, purchase, phone, request, company } = found;
    const [[totals], checks] = await Promise.all([
      selectReviewTotals(db, purchase.buyerId),
      listShownChecks(db, purchase.buyerId, now),
    ]);
    const pageLink = message.channel === "email" ? await createLink(loading, "request", lead.id) : null;
    const { mean, written, hidden } = totals!;
    const rating = { mean, shown: written - hidden };
    return { request, company, phone, rating, checks, callBy: callDeadline(purchase, now), pageLink };
  },
  email: ({ request, company, phone, rating, checks, callBy, pageLink }, { contactPhone }) => ({
    subject: `${company} has taken your request`,
    parts: [
      "Hello,",
      `${company} has taken your request for ${describeJob(request)}. They have your name, number and address now. Only one provider at a time gets them.`,
      `They'll call you${callBy === null ? "" : ` by ${formatDeadline(callBy)}`}, and the two of you can agree on a time and a price.${phone ? ` Their number is ${formatPhone(phone)}.` : ""}`,
      ...(rating.shown > 0 || checks.length > 0
        ? [
            "What we know about them:",
            { list: [...(rating.shown > 0 ? [formatMean(rating)] : []), ...checks.map(describeCheck)] },
          ]
        : []),
      ...linkToPage(pageLink),
      pageLink
        ? `If they don't call, tell us on that page or on ${contactPhone}, and we'll step in.`
        : `If they don't call, tell us on ${contactPhone}, and we'll step in.`,
    ],
  }),
  text: ({ request, company }, reach) => requestTakenText(request, company, reach),
});
