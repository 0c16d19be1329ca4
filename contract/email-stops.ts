/** Recipients unsubscribe from emails about requests by the link in each of those emails. */
import * as z from "zod/mini";

/** Maximum length, above that of any of our tokens. A longer token is treated like one that is not ours. */
export const MAX_TOKEN_LENGTH = 200;

/** The last part of the link's path. */
export const stopTokenSchema = z
  .string("The link from the email, please")
  .check(z.maxLength(MAX_TOKEN_LENGTH, "The link from the email, please"));

/** Body of POST /api/email-stops. */
export const emailStopSchema = z.object({
  token: stopTokenSchema,
  /** False subscribes the recipient again. */
  isStopped: z.boolean("Stop them or not?"),
});

/** Response of GET and POST /api/email-stops. A link that is not ours gets the same response as an unused one. */
export type EmailStop = { isStopped: boolean };
