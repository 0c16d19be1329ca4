import * as z from "zod/mini";

import { optionalBusinessName } from "./business-names.ts";
import { requiredName, type SignInMethod } from "./auth.ts";
import { SERVICE_IDS } from "./catalogue.ts";
import { optionalEmailSchema, optionalText } from "./text-fields.ts";
import { phoneSchema } from "./phone-fields.ts";

/** Body of PUT /api/user/personal-info. The company's fields apply to providers only. */
export const personalInfoSchema = z.object({
  firstName: requiredName("First name is required"),
  lastName: requiredName("Last name is required"),
  phone: phoneSchema("Phone number required"),
  email: optionalEmailSchema("Valid email required"),
  companyName: optionalBusinessName(120),
  businessAddress: optionalText(200),
  abn: optionalText(20),
  insuranceDetails: optionalText(500),
  serviceAreas: optionalText(1000),
});
export type PersonalInfoForm = z.infer<typeof personalInfoSchema>;

/** Response of GET and PUT /api/user/personal-info. The company's fields are null unless the user is a provider. */
export type PersonalInfo = {
  username: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  email: string | null;
  /** A new address that is not confirmed yet. `email` does not change until it is. */
  pendingEmail: string | null;
  companyName: string | null;
  businessAddress: string | null;
  abn: string | null;
  insuranceDetails: string | null;
  serviceAreas: string | null;
};

/** Schema of a field of digits. Removes spaces and hyphens; empty becomes null. */
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

/** Body of PUT /api/user/bank-details. It replaces all four fields. If all are empty, the details are deleted. */
export const bankDetailsSchema = z.object({
  bankName: optionalText(80),
  accountName: optionalText(80),
  bsb: digits(/^\d{6}$/, "A BSB has 6 digits, such as 062-000"),
  accountNumber: digits(/^\d{5,10}$/, "An account number has 5 to 10 digits"),
});
export type BankDetailsForm = z.infer<typeof bankDetailsSchema>;

/** Bank details as shown to their owner. Dots hide all digits except the last three. */
export type MaskedBankDetails = {
  bankName: string | null;
  accountName: string | null;
  bsb: string | null;
  accountNumber: string | null;
  /** Epoch milliseconds; null when there are no details. */
  updatedAt: number | null;
};

/** Body of PUT /api/user/services: the services the business offers. An empty list means all. */
export const servicesSchema = z.object({
  services: z
    .array(z.enum(SERVICE_IDS, "Unknown service"), "Please select at least one service")
    .check(z.maxLength(SERVICE_IDS.length)),
});

export const sessionIdSchema = z.string().check(z.regex(/^ses_[0-9a-z]{8,40}$/));

/** One signed-in session. */
export type SessionInfo = {
  id: string;
  /** Browser and system, e.g. "Safari on iPhone". */
  device: string;
  isCurrent: boolean;
  /** True for an admin who impersonates the user. */
  isSupport: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds, to the day. */
  lastSeenAt: number;
};

/** A sign-in to the account, successful or not. */
export type SignInInfo = {
  id: number;
  /** Epoch milliseconds. */
  at: number;
  method: SignInMethod;
  succeeded: boolean;
  /** Browser and system, e.g. "Safari on iPhone". */
  device: string;
};

/** Response of GET /api/user/home: the suburb of a business and its centre; null when unknown. */
export type Home = { name: string; postcode: string; latitude: number; longitude: number };
