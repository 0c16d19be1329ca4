import * as z from "zod/mini";

import { requiredName, type SignInMethod } from "./auth.ts";
import { SERVICE_IDS } from "./catalogue.ts";
import { optionalEmailSchema, optionalText, phoneSchema } from "./text-fields.ts";

/** Body of PUT /api/user/personal-info. The company's fields count only when a provider sends them. */
export const personalInfoSchema = z.object({
  firstName: requiredName("First name is required"),
  lastName: requiredName("Last name is required"),
  phone: phoneSchema("Phone number required"),
  email: optionalEmailSchema("Valid email required"),
  companyName: optionalText(120),
  businessAddress: optionalText(200),
  abn: optionalText(20),
  insuranceDetails: optionalText(500),
  serviceAreas: optionalText(1000),
});
export type PersonalInfoForm = z.infer<typeof personalInfoSchema>;

/** What GET and PUT /api/user/personal-info answer. The company's fields are null for everybody but providers. */
export type PersonalInfo = {
  username: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  email: string | null;
  /** An address they have yet to confirm; until then `email` stays. */
  pendingEmail: string | null;
  companyName: string | null;
  businessAddress: string | null;
  abn: string | null;
  insuranceDetails: string | null;
  serviceAreas: string | null;
};

/** Digits however they are spaced; empty becomes null. */
function digits(pattern: RegExp, message: string) {
  return z.optional(
    z.nullable(
      z.pipe(
        z.string().check(
          z.trim(),
          z.maxLength(30, message),
          z.refine((text) => text === "" || pattern.test(text.replaceAll(/[\s-]/g, "")), message),
        ),
        z.transform((text) => text.replaceAll(/[\s-]/g, "") || null),
      ),
    ),
  );
}

/** Body of PUT /api/user/bank-details. All four replace what was there; all empty takes them away. */
export const bankDetailsSchema = z.object({
  bankName: optionalText(80),
  accountName: optionalText(80),
  bsb: digits(/^\d{6}$/, "A BSB has 6 digits, such as 062-000"),
  accountNumber: digits(/^\d{5,10}$/, "An account number has 5 to 10 digits"),
});
export type BankDetailsForm = z.infer<typeof bankDetailsSchema>;

/** Bank details as their owner sees them again: the numbers but for their last three digits are dots. */
export type MaskedBankDetails = {
  bankName: string | null;
  accountName: string | null;
  bsb: string | null;
  accountNumber: string | null;
  /** Epoch milliseconds; null when there are none. */
  updatedAt: number | null;
};

/** Body of PUT /api/user/services: what the business works in. None chosen means all. */
export const servicesSchema = z.object({
  services: z
    .array(z.enum(SERVICE_IDS, "Unknown service"), "Choose services from the list")
    .check(z.maxLength(SERVICE_IDS.length)),
});

export const sessionIdSchema = z.string().check(z.regex(/^ses_[0-9a-z]{8,40}$/));

/** A place where somebody is signed in. */
export type SessionInfo = {
  id: string;
  /** Browser and system in words, e.g. "Safari on iPhone". */
  device: string;
  isCurrent: boolean;
  /** Our support looks through the account's eyes. */
  isSupport: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds, to the day. */
  lastSeenAt: number;
};

/** A sign-in to the account, or a try. */
export type SignInInfo = {
  id: number;
  /** Epoch milliseconds. */
  at: number;
  method: SignInMethod;
  succeeded: boolean;
  /** Browser and system in words, e.g. "Safari on iPhone". */
  device: string;
};

/** The suburb a business is in, with its centre, as GET /api/user/home tells it; null when none is known. */
export type Home = { name: string; postcode: string; latitude: number; longitude: number };
