import * as z from "zod/mini";

import { leadIdSchema } from "./leads.ts";
import { REGION_SLUGS } from "./regions.ts";
import { startOfSydneyDay } from "./sydney-time.ts";

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
  /** Writes the exchanges' decisions since this time (epoch ms) to D1. */
  z.object({ kind: z.literal("reproject"), input: z.object({ since: z.int().check(z.nonnegative()) }) }),
  /**
   * Restores an exchange's storage to a time (epoch ms), or to one of the platform's bookmarks, and reconciles it with
   * D1. The region stays paused.
   */
  z.object({
    kind: z.literal("rewind_exchange"),
    input: z.object({
      region: z.enum(REGION_SLUGS),
      to: z.union([z.int().check(z.positive()), z.string().check(z.regex(/^[0-9a-f-]{10,200}$/i))]),
    }),
  }),
  /** Compares D1 with the exchanges' decisions since this time (epoch ms). Changes nothing. */
  z.object({ kind: z.literal("compare_market"), input: z.object({ since: z.int().check(z.nonnegative()) }) }),
  /** Relists leads that D1 lists and their exchange has lost. Null relists in every region. */
  z.object({ kind: z.literal("relist"), input: z.object({ region: z.nullable(z.enum(REGION_SLUGS)) }) }),
  /** Re-encrypts all bank details with the first key of the ring. */
  z.object({ kind: z.literal("reseal_bank_details"), input: z.object({}) }),
  /** Pauses a region. */
  z.object({
    kind: z.literal("pause_region"),
    input: z.object({
      region: z.enum(REGION_SLUGS),
      reason: z.string().check(z.minLength(1), z.maxLength(500)),
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
  /** Lists stored values that no list in `contract/` contains. */
  z.object({ kind: z.literal("check_data"), input: z.object({}) }),
  /** Recounts the market's figures from a day in Sydney; null: from the first lead. */
  z.object({
    kind: z.literal("recount_figures"),
    input: z.object({
      since: z.nullable(z.string().check(z.refine((day) => startOfSydneyDay(day) !== null))),
    }),
  }),
  /** Computes the figures that the public pages show. */
  z.object({ kind: z.literal("public_figures"), input: z.object({}) }),
  /** Releases a lead whose payment is stuck. */
  z.object({ kind: z.literal("release_lead"), input: z.object({ leadId: leadIdSchema }) }),
  z.object({ kind: z.literal("resume_region"), input: z.object({ region: z.enum(REGION_SLUGS) }) }),
]);
export type OperatorJob = z.infer<typeof operatorJobSchema>;
