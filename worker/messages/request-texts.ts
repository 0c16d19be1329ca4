/** What visitors are told by text message. Each is one text, names its sender, and asks for no tap on a link. */
import type { RequestWords } from "./request-mails.ts";
import { cutTo, plainSigns, signsOf } from "./text-rules.ts";

/** How a text reaches back: our phone, and whether a reply to it reaches us. */
export type TextReach = { contactPhone: string; takesReplies: boolean };

const MOST = 160;
/** The job is known to who asked for it: it gives way to the company's name, down to so many signs. */
const LEAST_FOR_JOB = 12;
const MOST_FOR_JOB = 40;

/** Where a reply reaches us it reaches the provider: the text says so, and has our phone beside our name. */
function frameOf({ contactPhone, takesReplies }: TextReach): (name: string, job: string) => string {
  return takesReplies
    ? (name, job) =>
        `Naturestrip ${contactPhone}: ${name} has taken your request for ${job} and will call you. Reply to message them, or STOP to opt out`
    : (name, job) =>
        `Naturestrip: ${name} has taken your request for ${job} and will call you. Questions? Call ${contactPhone}`;
}

/** @param company as it stands on its account; cut where it is too long for one text */
export function requestTakenText(
  { services }: Pick<RequestWords, "services">,
  company: string,
  reach: TextReach,
): string {
  const words = frameOf(reach);
  const name = plainSigns(company) || "A provider";
  const room = MOST - signsOf(words("", ""));
  const forJob = Math.min(MOST_FOR_JOB, Math.max(LEAST_FOR_JOB, room - signsOf(name)));
  const job = cutTo(plainSigns(services), forJob);
  return words(cutTo(name, room - signsOf(job)), job);
}
