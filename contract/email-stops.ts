/** Who wants no more emails about requests, by the link that each of those emails holds. */
import * as z from "zod/mini";

/** Longer than any of ours: whatever else it is, it is answered like one that is not ours. */
export const MOST_TOKEN = 200;

/** The last part of a link's address. */
export const stopTokenSchema = z
  .string("The link from the email, please")
  .check(z.maxLength(MOST_TOKEN, "The link from the email, please"));

/** Body of POST /api/email-stops. */
export const emailStopSchema = z.object({
  token: stopTokenSchema,
  /** False: they may come again. */
  isStopped: z.boolean("Stop them or not?"),
});

/** Answer of GET and POST /api/email-stops. A link that is not ours is answered like one that nobody used. */
export type EmailStop = { isStopped: boolean };
