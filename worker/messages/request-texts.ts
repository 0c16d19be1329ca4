/** Texts to visitors. Each fits one message, names its sender, and asks for no tap on a link. */
import type { RequestWords } from "./request-mails.ts";
import { cutTo, plainSigns, signsOf } from "./text-rules.ts";

/** How the recipient reaches us: our phone, and whether replies reach us. */
export type TextReach = { contactPhone: string; takesReplies: boolean };

const MOST = 160;
/** The visitor knows the job, so the company's name takes its space, down to this many characters. */
const LEAST_FOR_JOB = 12;
const MOST_FOR_JOB = 40;

/** If replies reach us, they reach the provider. The text then says so and puts our phone beside our name. */
function frameOf({ contactPhone, takesReplies }: TextReach): (name: string, job: string) => string {
  return takesReplies
    ? (name, job) =>
        `Naturestrip ${contactPhone}: ${name} has taken your request for ${job} and will call you. Reply to message them, or STOP to opt out`
    : (name, job) =>
        `Naturestrip: ${name} has taken your request for ${job} and will call you. Questions? Call ${contactPhone}`;
}

/** @param company the name on its account; cut if it is too long for one text */
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
