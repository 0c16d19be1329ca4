import * as z from "zod/mini";

import type { UserType } from "./auth.ts";

/** A provider as super admins see it. */
export type ProviderListItem = {
  id: string;
  firstName: string;
  lastName: string;
  companyName: string | null;
  username: string;
  email: string | null;
  userType: UserType;
  phone: string | null;
  abn: string | null;
  isActive: boolean;
  isVerified: boolean;
  isSuperAdmin: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** Body of PATCH /api/super-admin/providers/{id}. Absent fields stay as they are. */
export const providerChangeSchema = z
  .object({
    isActive: z.optional(z.boolean("Yes or no")),
    isVerified: z.optional(z.boolean("Yes or no")),
  })
  .check(
    z.refine(
      (change) => change.isActive !== undefined || change.isVerified !== undefined,
      "Nothing to change",
    ),
  );
export type ProviderChange = z.infer<typeof providerChangeSchema>;

/** With what admins write about a provider: a plain note, or the reason or words of what they did. */
export const PROVIDER_NOTE_KINDS = ["note", "deactivated", "activated", "refund", "message"] as const;
export type ProviderNoteKind = (typeof PROVIDER_NOTE_KINDS)[number];
