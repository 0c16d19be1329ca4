import * as z from "zod/mini";

import { leadIdSchema } from "./leads.ts";
import { REGION_SLUGS } from "./regions.ts";
import { startOfSydneyDay } from "./sydney-time.ts";

/** Whom an operator means. */
const personSchema = z
  .object({
    phone: z.nullable(z.string().check(z.maxLength(40))),
    email: z.nullable(z.string().check(z.maxLength(254))),
    /** An account to erase whatever it is: a provider's with its team, or a team member's. */
    username: z.optional(z.nullable(z.string().check(z.maxLength(254)))),
  })
  .check(
    z.refine(
      ({ phone, email, username }) => (phone ?? email ?? username ?? null) !== null,
      "Name a phone number, an email address or a username",
    ),
  );

/** What an operator can ask the Worker to do; rows of `operator_jobs` are read through this. */
export const operatorJobSchema = z.discriminatedUnion("kind", [
  /** Take one person out of everything but the ledger and the audit log. */
  z.object({ kind: z.literal("erase_person"), input: personSchema }),
  /** Count what that would take out; changes nothing. */
  z.object({ kind: z.literal("preview_erasure"), input: personSchema }),
  /** Write into D1 what the exchanges have decided since then (epoch ms). */
  z.object({ kind: z.literal("reproject"), input: z.object({ since: z.int().check(z.nonnegative()) }) }),
  /**
   * Take an exchange's storage back to a moment (epoch ms), or to one of the platform's bookmarks, and bring it
   * and D1 together again. Its region stays off the market.
   */
  z.object({
    kind: z.literal("rewind_exchange"),
    input: z.object({
      region: z.enum(REGION_SLUGS),
      to: z.union([z.int().check(z.positive()), z.string().check(z.regex(/^[0-9a-f-]{10,200}$/i))]),
    }),
  }),
  /** Hold D1 against what the exchanges have decided since then (epoch ms); changes nothing. */
  z.object({ kind: z.literal("compare_market"), input: z.object({ since: z.int().check(z.nonnegative()) }) }),
  /** Put leads back on the market that D1 offers and their exchange has forgotten; null: in every region. */
  z.object({ kind: z.literal("relist"), input: z.object({ region: z.nullable(z.enum(REGION_SLUGS)) }) }),
  /** Seal all bank details with the first key of the ring. */
  z.object({ kind: z.literal("reseal_bank_details"), input: z.object({}) }),
  /** Work out again what rivals may read, after a rule of redaction has changed. */
  z.object({ kind: z.literal("redact_again"), input: z.object({}) }),
  /** Take a region off the market for a while. */
  z.object({
    kind: z.literal("pause_region"),
    input: z.object({
      region: z.enum(REGION_SLUGS),
      reason: z.string().check(z.minLength(1), z.maxLength(500)),
    }),
  }),
  /** Hold Stripe, ledger, purchases and exchanges against each other, for what happened since then (epoch ms). */
  z.object({ kind: z.literal("reconcile"), input: z.object({ since: z.int().check(z.nonnegative()) }) }),
  /** Name every stored value that no list of the contract knows. */
  z.object({ kind: z.literal("check_data"), input: z.object({}) }),
  /** Count the market's figures anew, from a day in Sydney on; null: from the first lead on. */
  z.object({
    kind: z.literal("recount_figures"),
    input: z.object({
      since: z.nullable(z.string().check(z.refine((day) => startOfSydneyDay(day) !== null))),
    }),
  }),
  /** Give a lead back whose payment does not come to its end by itself. */
  z.object({ kind: z.literal("release_lead"), input: z.object({ leadId: leadIdSchema }) }),
  z.object({ kind: z.literal("resume_region"), input: z.object({ region: z.enum(REGION_SLUGS) }) }),
]);
export type OperatorJob = z.infer<typeof operatorJobSchema>;
