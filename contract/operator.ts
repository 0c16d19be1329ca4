import * as z from "zod/mini";

import { REGION_SLUGS } from "./regions.ts";

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
  /** Seal all bank details with the first key of the ring. */
  z.object({ kind: z.literal("reseal_bank_details"), input: z.object({}) }),
  /** Take a region off the market for a while. */
  z.object({
    kind: z.literal("pause_region"),
    input: z.object({
      region: z.enum(REGION_SLUGS),
      reason: z.string().check(z.minLength(1), z.maxLength(500)),
    }),
  }),
  z.object({ kind: z.literal("resume_region"), input: z.object({ region: z.enum(REGION_SLUGS) }) }),
]);
export type OperatorJob = z.infer<typeof operatorJobSchema>;
