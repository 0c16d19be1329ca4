/** Recipients unsubscribe from emails about requests with the link in each of those emails. */
import * as z from "zod/mini";

/** Maximum token length. All our tokens are shorter, so a longer one is treated as invalid. */
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

/** Response of GET and POST /api/email-stops. An invalid link gets the same response as an unused one. */
export type EmailStop = { isStopped: boolean };
