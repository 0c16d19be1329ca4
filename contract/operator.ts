import * as z from "zod/mini";

import { REGION_SLUGS } from "./regions.ts";

/** The person whose data an operator's command erases. */
const personSchema = z
  .object({
    phone: z.nullable(z.string().check(z.maxLength(40))),
    email: z.nullable(z.string().check(z.maxLength(254))),
    /** An account to erase, even if its phone and email differ: a provider's with its team, or a team member's. */
    username: z.optional(z.nullable(z.string().check(z.maxLength(254)))),
  })
  .check(
    z.refine(
      ({ phone, email, username }) => (phone ?? email ?? username ?? null) !== null,
      "Name a phone number, an email address or a username",
    ),
  );

/** Commands that an operator can send the Worker. The Worker parses rows of `operator_jobs` with it. */
export const operatorJobSchema = z.discriminatedUnion("kind", [
  /** Erases a person everywhere except in the ledger and the audit log. */
  z.object({ kind: z.literal("erase_person"), input: personSchema }),
  /** Counts what `erase_person` would erase. Changes nothing. */
  z.object({ kind: z.literal("preview_erasure"), input: personSchema }),
  /** Pauses a region for a reason, or resumes it (null). */
  z.object({
    kind: z.literal("region"),
    input: z.object({
      region: z.enum(REGION_SLUGS),
      pause: z.nullable(z.string().check(z.minLength(1), z.maxLength(500))),
    }),
  }),
  /**
   * Compares the exchanges, D1 and Stripe since a time (epoch ms), and repairs the differences if `isFix`. A region: only
   * its exchange and D1.
   */
  z.object({
    kind: z.literal("reconcile"),
    input: z.object({
      since: z.int().check(z.nonnegative()),
      isFix: z.boolean(),
      region: z.nullable(z.enum(REGION_SLUGS)),
    }),
  }),
  /** Computes the figures that the public pages show. */
  z.object({ kind: z.literal("public_figures"), input: z.object({}) }),
]);
export type OperatorJob = z.infer<typeof operatorJobSchema>;
