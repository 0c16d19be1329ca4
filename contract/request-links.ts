/** A customer follows their request on a page that only a secret link opens. */
import * as z from "zod/mini";

import { CALL_ANSWERS, type CallAnswer } from "./call-clock.ts";
import type { ShownCheck } from "./checks.ts";
import { type FieldsWith, fieldsWith } from "./lead-fields.ts";
import type { ContactPreference } from "./lead-labels.ts";
import { contactPreferenceFields, leadRequestSchema } from "./leads.ts";
import { visitorPhoneSchema } from "./phone-fields.ts";
import type { Photo } from "./photos.ts";
import { requiredEmailSchema } from "./text-fields.ts";

/** Maximum token length. All our tokens are shorter, so a longer one is treated as unknown. */
export const MAX_REQUEST_TOKEN_LENGTH = 64;

/** The last part of the link's path. */
export const requestTokenSchema = z
  .string("The link to your request, please")
  .check(z.maxLength(MAX_REQUEST_TOKEN_LENGTH, "The link to your request, please"));

/** Body of POST /api/requests/withdraw and /api/requests/opened. */
export const requestLinkSchema = z.object({ token: requestTokenSchema });

/** Body of POST /api/requests/contact. An omitted preference is cleared. */
export const contactPreferenceSchema = z.object({ token: requestTokenSchema, ...contactPreferenceFields });
const job = leadRequestSchema.shape;

/** The details of a job that its customer can change, in the order of that form: the first error is the first on the page. */
export const jobSchema = z.pick(
  leadRequestSchema,
  Object.fromEntries(
    [...fieldsWith({ step: "service" }), ...fieldsWith({ step: "property" })].map((name) => [name, true]),
  ) as Record<FieldsWith<{ step: "service" | "property" }>, true>,
);
export type RequestJob = z.infer<typeof jobSchema>;

/**
 * What a customer can change with the link alone. The page shows neither the name nor the address, because a link may be
 * forwarded. If one is missing, the stored one stays.
 */
export const requestChangeSchema = z.object({
  ...jobSchema.shape,
  customerName: z.optional(job.customerName),
  customerAddress: z.optional(job.customerAddress),
});

/** Body of POST /api/requests/change. */
export const jobChangeSchema = z.object({ token: requestTokenSchema, ...requestChangeSchema.shape });

/** The last four digits of the phone number on the request, so that a forwarded link is not enough. */
export const lastDigitsSchema = z
  .string("Please enter the last four digits")
  .check(z.trim(), z.regex(/^\d{4}$/, "Please enter the last four digits"));

/**
 * Wrong guesses that a request accepts, and one more for each 30 days: wrong last digits, and changes of contact details
 * that reveal another request. After that the customer must call us.
 */
export const MAX_DIGIT_TRIES = 5;

const NO_CONTACT = "Please enter a new phone number or email address";

/** Body of POST /api/requests/phone: a new phone number, a new email address, or both. In the form's order. */
export const contactChangeSchema = z
  .object({
    token: requestTokenSchema,
    customerPhone: z.optional(visitorPhoneSchema("Phone number must be at least 10 digits")),
    customerEmail: z.optional(requiredEmailSchema("Valid email is required")),
    lastDigits: lastDigitsSchema,
  })
  .check(
    z.refine(({ customerPhone, customerEmail }) => Boolean(customerPhone ?? customerEmail), {
      path: ["customerPhone"],
      message: NO_CONTACT,
    }),
  );

/** Body of POST /api/requests/erase. */
export const requestErasureSchema = z.object({ token: requestTokenSchema, lastDigits: lastDigitsSchema });

/** Steps of a request, in order. */
export const REQUEST_STEPS = ["received", "listed", "taken", "called", "quoted", "booked", "done"] as const;
export type RequestStep = (typeof REQUEST_STEPS)[number];

/** A request as its customer sees it. */
export type CustomerRequest = {
  reference: string | null;
  /** Services from our catalogue. */
  services: string[];
  /** The suburb with its postcode; null without one. */
  place: string | null;
  /** The steps reached so far, in order, with their time in epoch ms; null where it is not stored. */
  steps: { step: RequestStep; at: number | null }[];
  /**
   * "Did they call?": whether the customer can respond, their response so far, and when the provider's time to call
   * ends (epoch ms; null when it has). `isContactedSince`: the provider logged a call or a text after that response.
   * `isAskedAgain`: they said "not yet", but the provider logged a call. `isWithAdmin`: no call came, and we look for
   * another provider ourselves. Null if there is nothing to ask.
   */
  call: {
    canAnswer: boolean;
    answer: CallAnswer | null;
    callBy: number | null;
    isContactedSince: boolean;
    isAskedAgain: boolean;
    isWithAdmin: boolean;
  } | null;
  /** The customer's review of the provider. `later`: we have yet to ask for one. Null if they cannot write one. */
  review: "later" | "open" | "written" | null;
  /**
   * The provider who has the request. `checks`: what we have checked about them, and when. `slug`: of their public page,
   * if they have one.
   */
  provider: { name: string; phone: string | null; checks: ShownCheck[]; slug: string | null } | null;
  /** The provider says that the customer missed their calls, and the customer can say whether that is right. */
  isAskedAboutCalls: boolean;
  /** Someone said that the phone number is wrong, and no one has corrected it. */
  isNumberWrong: boolean;
  /** The first provider did not call, so we asked the next one. `by`: the first provider's name, if we still have it. */
  passedOn: { by: string | null } | null;
  /** No provider took the request in time. */
  isExpired: boolean;
  /** The customer asked to withdraw it while a provider was paying. */
  isWithdrawalPending: boolean;
  /** How and when the customer wants to be reached, and whether we have an email address for that. */
  contact: ContactPreference & { hasEmail: boolean };
  /** After the sale, the customer called off the job. */
  isCalledOff: boolean;
  /** A change has yet to reach the market or the provider, or we have yet to delete the customer's data. */
  isChangePending: boolean;
  isErasurePending: boolean;
  /** The job with the customer's latest changes. The text is redacted, because a link may be forwarded. */
  job: RequestJob;
  /** Their own photos, and those of the work that the provider would like to show. */
  photos: Photo[];
  /** Whether the customer may still enter the last digits of their number. */
  canEnterDigits: boolean;
};

/** Response of GET /api/requests. Null for an unknown link, and for a request that was withdrawn or erased. */
export type RequestPageAnswer = { request: CustomerRequest | null };

/**
 * Response of POST /api/requests/withdraw. `waiting`: a provider is paying, and we withdraw the request if they don't
 * finish. `called_off`: a provider has it, and now knows that the job is off. An unknown link gets `withdrawn` too, so it
 * reveals nothing.
 */
export type WithdrawalAnswer = { outcome: "withdrawn" | "waiting" | "called_off" };

/** Response of POST /api/requests/contact. `gone`: the link is unknown, or the request was withdrawn or erased. */
export type ContactPreferenceAnswer = { outcome: "saved" | "gone" };

/**
 * Response to a change. `waiting`: a provider is paying, or a part of our system does not respond; the sweep retries.
 * `closed`: the link opens no request, or it can no longer be changed. `call_us`: an admin must review it. `other_suburb`:
 * the new address is in another suburb, so it needs a new request.
 */
export type RequestChangeAnswer = { outcome: "changed" | "waiting" | "closed" | "call_us" | "other_suburb" };

/**
 * Response after the last digits. `wrong_digits`: with the number of further tries. `erased`: an unknown link gets
 * `closed`, whatever the digits.
 */
export type DigitsAnswer =
  | RequestChangeAnswer
  | { outcome: "erased" }
  | { outcome: "wrong_digits"; triesLeft: number };

/**
 * A customer's act after the sale. `changed`: details of the job or their contact details. `withdrawn`:
 * they do not need the job any more. `erased`: they deleted their data. `wrong_number`: they or an admin say that the phone
 * number is wrong.
 */
export type OwnUpdateKind = "changed" | "withdrawn" | "erased" | "wrong_number";

/** Body of POST /api/requests/call-answer. */
export const callAnswerSchema = z.object({
  token: requestTokenSchema,
  answer: z.enum(CALL_ANSWERS, "Did they call?"),
});

/** An entry in the buyer's timeline of the customer. The others are their response to "Did they call?". */
export type CustomerUpdateKind = OwnUpdateKind | CallAnswer;

/** A customer's act that is stored but not finished. Buyers do not see it. */
export type PendingUpdateKind = "pending_change" | "pending_erasure";

/** New values of details. */
export type RequestChange = Partial<
  z.infer<typeof requestChangeSchema> & { customerPhone: string; customerEmail: string }
>;

/**
 * One changed detail, as text: list items are separated by commas. `field` is a lead's field, perhaps one that
 * this release does not know. Phone numbers and email addresses are masked.
 */
export type CustomerChange = { field: string; before: string | null; after: string | null };
