import * as z from "zod/mini";

import { REGION_SLUGS } from "./regions.ts";

/** What an action of the log is about: the part before its dot. */
export const AUDIT_SUBJECTS = [
  "impersonation",
  "user",
  "team_member",
  "bank_details",
  "card",
  "lead",
  "purchase",
  "payment",
  "dud",
  "booking",
  "region",
  "suburb",
  "attention",
  "message",
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** A line of the audit log. Names are looked up when it is read; the log itself holds ids only. */
export type AuditLine = {
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

/** Which lines of the log are wanted. */
export const auditFilterSchema = z.object({
  /** Whoever was at the keyboard or impersonated. */
  userId: z.optional(z.string().check(z.maxLength(60))),
  /** An action, or the part before its dot. */
  action: z.optional(z.string().check(z.regex(/^[a-z_.]{0,60}$/, "Unknown action"))),
  subjectId: z.optional(z.string().check(z.maxLength(200))),
  /** A region's own lines, and those of leads that were first listed there. */
  region: z.optional(z.enum(REGION_SLUGS, "Unknown region")),
  from: epochMs,
  to: epochMs,
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;
