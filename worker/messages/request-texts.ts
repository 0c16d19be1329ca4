/** What visitors are told by text message. Each is one text, names its sender, and asks for no tap on a link. */
import type { RequestWords } from "./request-mails.ts";
import { cutTo, plainSigns, signsOf } from "./text-rules.ts";

/** How a text reaches back: our phone, and whether a reply to it reaches us. */
export type TextReach = { contactPhone: string; takesReplies: boolean };

const MOST = 160;
/** The job is known to who asked for it: the company's name gets the room first. */
const MOST_FOR_JOB = 40;

/** @param company as it stands on its account; cut where it is too long for one text */
export function requestTakenText(
  { services }: Pick<RequestWords, "services">,
  company: string,
  { contactPhone, takesReplies }: TextReach,
): string {
  const job = cutTo(plainSigns(services), MOST_FOR_JOB);
  const words = (name: string) =>
    `Naturestrip: ${name} has taken your request for ${job} and will call you. Questions? ${contactPhone}${takesReplies ? ". Reply STOP to end texts" : ""}`;
  const room = MOST - signsOf(words(""));
  return words(cutTo(plainSigns(company) || "A provider", room));
}
