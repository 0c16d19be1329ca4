import * as z from "zod/mini";

import { PASSWORD_MIN, type UserType } from "./auth.ts";
import { phoneSchema } from "./leads.ts";

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

const optional = (max: number) =>
  z.string().check(z.trim(), z.maxLength(max, `Please use at most ${max} characters`));

function required(message: string) {
  return z.string(message).check(z.trim(), z.minLength(1, message), z.maxLength(80));
}

/** What the Create New Provider dialog asks for; sent to POST /api/auth/provider/signup. */
export const newProviderSchema = z.object({
  firstName: required("First name is required"),
  lastName: required("Last name is required"),
  username: z
    .string("Username must be at least 3 characters")
    .check(
      z.trim(),
      z.minLength(3, "Username must be at least 3 characters"),
      z.maxLength(254),
      z.regex(/^\S+$/, "Username must not contain spaces"),
    ),
  email: z
    .string("Valid email required")
    .check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email("Valid email required")),
  password: z
    .string("Password must be at least 6 characters")
    .check(z.minLength(PASSWORD_MIN, "Password must be at least 6 characters"), z.maxLength(200)),
  phone: phoneSchema("Phone number required"),
  companyName: optional(120),
  businessAddress: optional(200),
  abn: optional(20),
  serviceAreas: optional(1000),
});
export type NewProvider = z.infer<typeof newProviderSchema>;
