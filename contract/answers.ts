/** Customers' replies to our text messages. */
import * as z from "zod/mini";

/** Body of POST /api/lead-purchases/{id}/answers-seen. */
export const answersSeenSchema = z.object({
  /** Time of the newest reply that the user has seen, epoch ms. */
  upTo: z.int("Please reload the page").check(z.minimum(1)),
});
