import * as z from "zod/mini";

import { formatLongDay, startOfSydneyDay } from "./sydney-time.ts";
import { maxCharacters, optionalText } from "./text-fields.ts";

/** What a business can prove. A licence is needed for residential building work over $5,000. */
export const CHECK_KINDS = ["abn", "insurance", "police", "licence"] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** A business is verified while these are valid. */
export const VERIFYING_KINDS = ["abn", "insurance", "police"] as const satisfies readonly CheckKind[];

export const CHECK_LABELS: Record<CheckKind, string> = {
  abn: "ABN",
  insurance: "Public liability insurance",
  police: "Police check",
  licence: "Contractor licence",
};

/** Returns a check's name within a sentence. */
export const nameOfCheck = (kind: CheckKind) => (kind === "abn" ? "ABN" : CHECK_LABELS[kind].toLowerCase());

/**
 * `waiting`: an admin has not decided yet. `ended`: it was valid until its last day, or until a newer one. `unused`: its
 * upload has not finished, or a newer one replaced it. The sweep deletes unused ones.
 */
export const CHECK_STATES = ["waiting", "valid", "refused", "ended", "unused"] as const;
export type CheckState = (typeof CHECK_STATES)[number];

/** States in which an admin can list checks. */
export const LISTED_CHECK_STATES = ["waiting", "valid", "refused", "ended"] as const;

/** Days before the last day of a check on which the business gets a reminder. */
export const CHECK_REMINDER_DAYS = [30, 7] as const;

export const MAX_CERTIFICATE_BYTES = 10 * 1024 * 1024;

/** Accepted types of an insurance certificate, with the ending of their file names. */
export const CERTIFICATE_TYPES = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
} as const;
export type CertificateType = keyof typeof CERTIFICATE_TYPES;

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** Returns whether 11 digits are an ABN by the register's checksum (abr.business.gov.au). */
export function isAbn(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const sum = ABN_WEIGHTS.reduce(
    (total, weight, i) => total + weight * (Number(digits[i]) - (i === 0 ? 1 : 0)),
    0,
  );
  return sum % 89 === 0;
}

/** Formats an ABN as the register does: "51 824 753 556". */
export const formatAbn = (digits: string) => digits.replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3 $4");

const requiredText = (max: number, message: string) =>
  z.string(message).check(z.trim(), z.minLength(1, message), maxCharacters(max));

const daySchema = (message: string) =>
  z.string(message).check(z.refine((text) => startOfSydneyDay(text) !== null, message));

/** Body of POST /api/user/checks. Insurance needs a file and has its own route. */
export const checkStatementSchema = z
  .object({ kind: z.enum(["abn", "police", "licence"], "Which check?"), number: optionalText(40) })
  .check(
    z.refine(({ kind, number }) => kind !== "abn" || isAbn(number?.replaceAll(/\s/g, "") ?? ""), {
      error: "That's not an ABN. Please check its 11 digits.",
      path: ["number"],
    }),
    z.refine(({ kind, number }) => kind !== "licence" || Boolean(number), {
      error: "Please enter your licence number",
      path: ["number"],
    }),
  );
export type CheckStatement = z.infer<typeof checkStatementSchema>;

/** Query of POST /api/user/checks/insurance. The body is the certificate itself. */
export const certificateSchema = z.object({
  endsOn: daySchema("Please enter the last day of your insurance"),
  number: requiredText(40, "Please enter your policy number"),
});
export type CertificateForm = z.infer<typeof certificateSchema>;

/**
 * Body of POST /api/super-admin/checks/{id}/decision. An approval needs its dates, and a refusal its reason. Days are in
 * Sydney time. An ABN has no last day.
 */
export const checkDecisionSchema = z.object({
  decision: z.enum(["valid", "refused"], "Approve or decline"),
  seenOn: z.optional(z.nullable(daySchema("When did you see it?"))),
  endsOn: z.optional(z.nullable(daySchema("Until when is it valid?"))),
  reason: optionalText(500),
});
export type CheckDecision = z.infer<typeof checkDecisionSchema>;

/** A check as its business sees it. Days are such as "2026-11-25". */
export type Check = {
  id: string;
  kind: CheckKind;
  state: CheckState;
  number: string | null;
  seenOn: string | null;
  endsOn: string | null;
  /** Whether its certificate is stored. */
  hasFile: boolean;
  /** Why an admin declined it. */
  reason: string | null;
  createdAt: number;
};

/** The checks of one kind: the valid one, and the newest other one if it is newer. */
export type CheckOverview = { kind: CheckKind; valid: Check | null; latest: Check | null }[];

/** Response of GET /api/user/checks. */
export type OwnChecks = { isVerified: boolean; abn: string | null; checks: CheckOverview };

/** A check as super admins see it. */
export type AdminCheck = Check & {
  businessId: string;
  businessName: string;
  fileBytes: number | null;
  decidedAt: number | null;
};

/** Formats a check for customers, such as "ABN: checked on 3 November 2026". */
export function describeCheck(check: ShownCheck): string {
  const { kind, number } = check;
  return `${CHECK_LABELS[kind]}${number ? ` ${number}` : ""}: ${describeCheckDays(check)}`;
}

/** Returns when we checked it, for customers. */
export function describeCheckDays({ kind, seenOn, endsOn }: ShownCheck): string {
  const seen = `${kind === "abn" ? "checked" : "seen"} on ${formatLongDay(seenOn)}`;
  // A police check only says something about its own day.
  return endsOn && kind !== "police" ? `${seen}, valid until ${formatLongDay(endsOn)}` : seen;
}

/** A valid check as customers see it. `number`: of a licence only. */
export type ShownCheck = { kind: CheckKind; seenOn: string; endsOn: string | null; number: string | null };
