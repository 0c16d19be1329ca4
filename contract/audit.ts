import * as z from "zod/mini";

import { REGION_SLUGS } from "./regions.ts";

/** Subjects in the audit log: the part of an action before the dot. */
export const AUDIT_SUBJECTS = [
  "impersonation",
  "user",
  "check",
  "team_member",
  "bank_details",
  "card",
  "lead",
  "purchase",
  "payment",
  "bad_lead",
  "guarantee",
  "review",
  "photo",
  "booking",
  "region",
  "suburb",
  "attention",
  "message",
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** An audit log entry. The log stores ids only, so queries look up the names. */
export type AuditEntry = {
  id: number;
  at: number;
  actor: { id: string; name: string } | null;
  as: { id: string; name: string } | null;
  action: string;
  subjectType: string;
  subjectId: string;
  before: unknown;
  after: unknown;
  requestId: string | null;
};

const epochMs = z.optional(z.coerce.number("A time in epoch milliseconds").check(z.int()));

/** Query of the audit log. */
export const auditFilterSchema = z.object({
  /** The user who acted, or the user they impersonated. */
  userId: z.optional(z.string().check(z.maxLength(60))),
  /** An action, or its part before the dot. */
  action: z.optional(z.string().check(z.regex(/^[a-z_.]{0,60}$/, "Unknown action"))),
  subjectId: z.optional(z.string().check(z.maxLength(200))),
  /** Entries about a region, and about leads first listed in it. */
  region: z.optional(z.enum(REGION_SLUGS, "Unknown region")),
  from: epochMs,
  to: epochMs,
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;
