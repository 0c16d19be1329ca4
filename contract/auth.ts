import * as z from "zod/mini";

import { optionalEmailSchema, optionalText, phoneSchema } from "./leads.ts";
import { REGION_SLUGS } from "./regions.ts";

export const USER_TYPES = ["customer", "provider", "team_member"] as const;
export type UserType = (typeof USER_TYPES)[number];

/** Shortest password a form accepts. */
export const PASSWORD_MIN = 6;

export const loginSchema = z.object({
  /** A username or an e-mail address. */
  username: z
    .string("Username is required")
    .check(z.trim(), z.minLength(1, "Username is required"), z.maxLength(254)),
  password: z.string("Password is required").check(z.minLength(1, "Password is required"), z.maxLength(200)),
});

function requiredName(message: string) {
  return z.string(message).check(z.trim(), z.minLength(1, message), z.maxLength(80));
}

const newPassword = z
  .string("Password must be at least 6 characters")
  .check(z.minLength(PASSWORD_MIN, "Password must be at least 6 characters"), z.maxLength(200));

const newUsername = z
  .string("Username is required")
  .check(
    z.trim(),
    z.minLength(1, "Username is required"),
    z.maxLength(254),
    z.regex(/^\S+$/, "Username must not contain spaces"),
  );

/** Sign-up of a provider. Rights are never read from here. */
export const providerSignupSchema = z
  .object({
    username: newUsername,
    email: optionalEmailSchema("Valid email required"),
    password: newPassword,
    confirmPassword: z.optional(z.nullable(z.string())),
    firstName: requiredName("First name is required"),
    lastName: requiredName("Last name is required"),
    phone: phoneSchema("Phone number required"),
    companyName: requiredName("Company name is required"),
    businessAddress: z._default(
      z.string().check(z.trim(), z.minLength(1, "Business address is required"), z.maxLength(200)),
      "To be updated after signup",
    ),
    abn: optionalText(20),
    insuranceDetails: optionalText(500),
    serviceAreas: optionalText(1000),
    licenseNumber: optionalText(60),
  })
  .check(
    z.refine((form) => !form.confirmPassword || form.confirmPassword === form.password, {
      path: ["confirmPassword"],
      message: "Passwords don't match",
    }),
  );
export type ProviderSignup = z.infer<typeof providerSignupSchema>;

/** Sign-up of a customer. */
export const customerSignupSchema = z.object({
  username: newUsername,
  email: optionalEmailSchema("Valid email required"),
  password: newPassword,
  firstName: requiredName("First name is required"),
  lastName: requiredName("Last name is required"),
  phone: z.optional(z.nullable(phoneSchema("Phone number required"))),
});
export type CustomerSignup = z.infer<typeof customerSignupSchema>;

/** Body of PUT /api/user/password. */
export const passwordChangeSchema = z
  .object({
    currentPassword: z
      .string("Current password is required")
      .check(z.minLength(1, "Current password is required"), z.maxLength(200)),
    newPassword,
    confirmPassword: newPassword,
  })
  .check(
    // A password that is too short is told so first.
    z.refine((form) => form.newPassword.length < PASSWORD_MIN || form.newPassword === form.confirmPassword, {
      path: ["confirmPassword"],
      message: "Passwords don't match",
    }),
  );

/** Body of PUT /api/user/watched-regions: the regions whose leads the dashboard shows. */
export const watchedRegionsSchema = z.object({
  regions: z
    .array(z.enum(REGION_SLUGS, "Unknown region"), "Choose regions from the list")
    .check(z.minLength(1, "Choose at least one region"), z.maxLength(REGION_SLUGS.length)),
});

/** The signed-in person, as GET /api/auth/me tells it. */
export type CurrentUser = {
  id: string;
  userType: UserType;
  firstName: string;
  lastName: string;
  username: string;
  email: string | null;
  phone: string | null;
  companyName: string | null;
  /** Business whose leads and purchases this person works on; null for customers. */
  businessId: string | null;
  isVerified: boolean;
  isSuperAdmin: boolean;
  isImpersonating: boolean;
  watchedRegions: string[];
};

/** A user's id, as the API names people. */
export const userIdSchema = z.string("Unknown user").check(z.regex(/^user_[0-9a-z]{8,40}$/, "Unknown user"));

/** Body of POST /api/auth/impersonate. */
export const impersonateSchema = z.object({ targetUserId: userIdSchema });
