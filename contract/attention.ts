import * as z from "zod/mini";

/** A problem that the system could not fix by itself. */
export type AttentionItem = {
  kind: string;
  subjectId: string;
  detail: string;
  since: number;
  resolvedAt: number | null;
};

/** Body of POST /api/super-admin/attention/resolve. */
export const resolveAttentionSchema = z.object({
  kind: z.string("Which kind?").check(z.regex(/^[a-z_]{1,60}$/, "Which kind?")),
  subjectId: z.string("About what?").check(z.minLength(1, "About what?"), z.maxLength(200, "About what?")),
});
