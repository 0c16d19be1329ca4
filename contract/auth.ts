import * as z from "zod/mini";

import { maxCharacters, optionalEmailSchema, optionalText, requiredEmailSchema } from "./text-fields.ts";
import { optionalBusinessName, requiredBusinessName } from "./business-names.ts";
import { optionalPhoneSchema, phoneSchema } from "./phone-fields.ts";
import { isPersonName, normaliseUsername, PERSON_NAME_MAX, USERNAME } from "./names.ts";
import { REGION_SLUGS } from "./regions.ts";

export const USER_TYPES = ["customer", "provider", "team_member"] as const;
export type UserType = (typeof USER_TYPES)[number];

export const SIGN_IN_METHODS = [
  "password",
  "password_and_passkey",
  "passkey",
  "recovery_code",
  "sign_up",
] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Minimum length of a new password. */
export const PASSWORD_MIN = 6;

export const loginSchema = z.object({
  /** A username or an email address. */
  username: z
    .string("Username is required")
    .check(z.trim(), z.minLength(1, "Username is required"), z.maxLength(254)),
  password: z.string("Password is required").check(z.minLength(1, "Password is required"), z.maxLength(200)),
});

/** Schema of a person's name that must not be blank. */
export function requiredName(message: string) {
  const wrong = `Please enter a name of up to ${PERSON_NAME_MAX} letters, without links`;
  return z.string(message).check(
    z.trim(),
    z.minLength(1, message),
    z.refine((text) => !text || isPersonName(text), wrong),
  );
}

/** A new password. */
export const newPasswordSchema = z
  .string("Password must be at least 6 characters")
  .check(z.minLength(PASSWORD_MIN, "Password must be at least 6 characters"), z.maxLength(200));

/**
 * Schema of a new username of at least `shortest` characters, without spaces and look-alike letters. The user signs in
 * with the normalised form.
 */
function usernameSchema(shortest: number, message: string) {
  return z
    .string(message)
    .check(
      z.trim(),
      z.overwrite(normaliseUsername),
      z.minLength(shortest, message),
      z.maxLength(254),
      z.regex(/^[^ \t\r\n]*$/, "Username must not contain spaces"),
      z.regex(USERNAME, "Please use only letters, digits and . _ - + @ ' in a username"),
    );
}

const newUsername = usernameSchema(1, "Username is required");

/** Placeholder stored until a business enters its address. Never shown as an address. */
export const ADDRESS_PLACEHOLDER = "To be updated after signup";

/** Fields of a new provider account, for sign-up and for creation by an admin. */
const providerFields = {
  username: newUsername,
  email: optionalEmailSchema("Valid email required"),
  password: newPasswordSchema,
  confirmPassword: z.optional(z.nullable(z.string())),
  firstName: requiredName("First name is required"),
  lastName: requiredName("Last name is required"),
  phone: phoneSchema("Phone number required"),
  businessAddress: z._default(
    z.string().check(z.trim(), z.minLength(1, "Business address is required"), maxCharacters(200)),
    ADDRESS_PLACEHOLDER,
  ),
  abn: optionalText(20),
  insuranceDetails: optionalText(500),
  serviceAreas: optionalText(1000),
  licenseNumber: optionalText(60),
};

const passwordsMatch = z.refine<{ password: string; confirmPassword?: string | null | undefined }>(
  (form) => !form.confirmPassword || form.confirmPassword === form.password,
  { path: ["confirmPassword"], message: "Passwords don't match" },
);

/** Sign-up of a provider. The form cannot grant rights. */
export const providerSignupSchema = z
  .object({ ...providerFields, companyName: requiredBusinessName("Company name is required", 80) })
  .check(passwordsMatch);

/** Creation of a provider by a super admin. The address is required; the company name is optional. */
export const providerCreationSchema = z
  .object({
    ...providerFields,
    username: usernameSchema(3, "Username must be at least 3 characters"),
    email: requiredEmailSchema("Valid email required"),
    companyName: optionalBusinessName(80),
    businessAddress: z._default(
      z.pipe(
        z.string().check(z.trim(), maxCharacters(200)),
        z.transform((text) => text || ADDRESS_PLACEHOLDER),
      ),
      ADDRESS_PLACEHOLDER,
    ),
  })
  .check(passwordsMatch);
export type ProviderSignup = z.infer<typeof providerSignupSchema> | z.infer<typeof providerCreationSchema>;

export const customerSignupSchema = z.object({
  username: newUsername,
  email: optionalEmailSchema("Valid email required"),
  password: newPasswordSchema,
  firstName: requiredName("First name is required"),
  lastName: requiredName("Last name is required"),
  phone: optionalPhoneSchema("Phone number required"),
});
export type CustomerSignup = z.infer<typeof customerSignupSchema>;

/** The secret token of a one-time link. */
export const linkTokenSchema = z
  .string("Open the link again")
  .check(z.regex(/^[\w-]{43}$/, "Open the link again"));

/** A new password, entered twice. */
const newPasswords = { newPassword: newPasswordSchema, confirmPassword: newPasswordSchema };

// Report a password that is too short first.
const newPasswordsMatch = z.refine<{ newPassword: string; confirmPassword: string }>(
  (form) => form.newPassword.length < PASSWORD_MIN || form.newPassword === form.confirmPassword,
  { path: ["confirmPassword"], message: "Passwords don't match" },
);

/** Fields of every form for a new password. */
export const newPasswordsSchema = z.object(newPasswords).check(newPasswordsMatch);

/** Body of POST /api/auth/reset-password: sets a new password by one-time link. */
export const passwordResetSchema = z
  .object({ token: linkTokenSchema, ...newPasswords })
  .check(newPasswordsMatch);

/** Body of PUT /api/user/password. */
export const passwordChangeSchema = z
  .object({
    currentPassword: z
      .string("Current password is required")
      .check(z.minLength(1, "Current password is required"), z.maxLength(200)),
    ...newPasswords,
  })
  .check(newPasswordsMatch);

/** Body of POST /api/auth/confirm-email. */
export const emailConfirmationSchema = z.object({ token: linkTokenSchema });

/** Body of POST /api/auth/forgot-password. */
export const forgotPasswordSchema = z.object({ username: loginSchema.shape.username });

/** Body of PUT /api/user/watched-regions: the regions whose leads the dashboard shows. */
export const watchedRegionsSchema = z.object({
  regions: z
    .array(z.enum(REGION_SLUGS, "Unknown region"), "Please select at least one region")
    .check(z.minLength(1, "Please select at least one region"), z.maxLength(REGION_SLUGS.length)),
});

/** The signed-in user, from GET /api/auth/me. */
export type CurrentUser = {
  id: string;
  userType: UserType;
  firstName: string;
  lastName: string;
  username: string;
  email: string | null;
  /** A new address that is not confirmed yet. */
  pendingEmail: string | null;
  phone: string | null;
  companyName: string | null;
  /** The business that owns the leads and purchases this user works on; null for customers. */
  businessId: string | null;
  isVerified: boolean;
  /** True only while super admin rights are active; see `needsPasskey`. */
  isSuperAdmin: boolean;
  /** True for a super admin who must still sign in or confirm with a passkey to activate their rights. */
  needsPasskey: boolean;
  isImpersonating: boolean;
  /** The user signed in with a temporary password and may do nothing until they choose their own. */
  mustChangePassword: boolean;
  watchedRegions: string[];
  /** Services the business offers; empty means all. */
  services: string[];
};

export const userIdSchema = z.string("Unknown user").check(z.regex(/^user_[0-9a-z]{8,40}$/, "Unknown user"));

/** Body of POST /api/auth/impersonate. */
export const impersonateSchema = z.object({ targetUserId: userIdSchema });

/** Path of the second step, when the password alone does not sign in. */
export const SECOND_STEP = "/login/passkey";

/** Response of POST /api/auth/login: the signed-in user, or the page of the next step. */
export type LoginResponse = CurrentUser | { next: typeof SECOND_STEP };
