/** A customer follows their request on a page that only a secret link opens. */
import * as z from "zod/mini";

import type { CallAnswer } from "./call-clock.ts";
import type { ContactPreference } from "./lead-labels.ts";
import { contactPreferenceFields } from "./leads.ts";

/** Maximum token length. All our tokens are shorter, so a longer one is treated as unknown. */
export const MAX_REQUEST_TOKEN_LENGTH = 64;

/** The last part of the link's path. */
export const requestTokenSchema = z
  .string("The link to your request, please")
  .check(z.maxLength(MAX_REQUEST_TOKEN_LENGTH, "The link to your request, please"));

/** Body of POST /api/requests/withdraw. */
export const requestWithdrawalSchema = z.object({ token: requestTokenSchema });

/** Body of POST /api/requests/contact. An omitted or empty preference clears it. */
export const contactPreferenceSchema = z.object({ token: requestTokenSchema, ...contactPreferenceFields });

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
   * ends (epoch ms; null when it has). `isAskedAgain`: they said "not yet", but the provider logged a call. Null if there
   * is nothing to ask.
   */
  call: {
    canAnswer: boolean;
    answer: CallAnswer | null;
    callBy: number | null;
    isAskedAgain: boolean;
  } | null;
  /** The provider who has the request. */
  provider: { name: string; phone: string | null } | null;
  /** No provider took the request in time. */
  isExpired: boolean;
  /** The customer asked to withdraw it while a provider was paying. */
  isWithdrawalPending: boolean;
  /** How and when the customer wants to be reached, and whether we have an email address for that. */
  contact: ContactPreference & { hasEmail: boolean };
};

/** Response of GET /api/requests. Null for an unknown link, and for a request that was withdrawn or erased. */
export type RequestPageAnswer = { request: CustomerRequest | null };

/**
 * Response of POST /api/requests/withdraw. `waiting`: a provider is paying, and we withdraw the request if they don't
 * finish. `taken`: a provider already has it. An unknown link gets `withdrawn` too, so it reveals nothing.
 */
export type WithdrawalAnswer = { outcome: "withdrawn" | "waiting" | "taken" };

/** Response of POST /api/requests/contact. `gone`: the link is unknown, or the request was withdrawn or erased. */
export type ContactPreferenceAnswer = { outcome: "saved" | "gone" };

/**
 * What a customer did after the sale, as the buyer sees it. `changed`: details of the job or the customer. `withdrawn`:
 * they do not need the job any more. The others are their response to "Did they call?".
 */
export type CustomerUpdateKind = "changed" | "withdrawn" | "called" | "not_yet" | "never_asked";

/** One changed detail. The field is a key of the request. */
export type CustomerChange = { field: string; before: string | null; after: string | null };
