import * as z from "zod/mini";

/** What an operator can ask the Worker to do; rows of `operator_jobs` are read through this. */
export const operatorJobSchema = z.discriminatedUnion("kind", [
  /** Take one person out of everything but the ledger and the audit log. */
  z.object({
    kind: z.literal("erase_person"),
    input: z
      .object({
        phone: z.nullable(z.string().check(z.maxLength(40))),
        email: z.nullable(z.string().check(z.maxLength(254))),
      })
      .check(
        z.refine(
          ({ phone, email }) => phone !== null || email !== null,
          "Name a phone number or an e-mail address",
        ),
      ),
  }),
  /** Write into D1 what the exchanges have decided since then (epoch ms). */
  z.object({ kind: z.literal("reproject"), input: z.object({ since: z.int().check(z.nonnegative()) }) }),
]);
export type OperatorJob = z.infer<typeof operatorJobSchema>;
