/** What customers write back to a text message of ours. */
import * as z from "zod/mini";

/** Body of POST /api/lead-purchases/{id}/answers-seen. */
export const answersSeenSchema = z.object({
  /** The time of the newest answer that somebody had before their eyes, epoch ms. */
  upTo: z.int("Please reload the page").check(z.minimum(1)),
});
