/** All requests of a customer, on a page that a one-time link or the customer's account opens. */
import * as z from "zod/mini";

import { HOUR_MS } from "./durations.ts";
import { leadIdSchema, type LEAD_STATUSES } from "./leads.ts";
import { MAX_REQUEST_TOKEN_LENGTH, requestTokenSchema } from "./request-links.ts";
import { requiredEmailSchema } from "./text-fields.ts";

/** How long a link from an email works, and how long the page stays open after it. */
export const REQUEST_LIST_MS = HOUR_MS;

/** Body of POST /api/my-requests/links. The response does not say whether the address has requests. */
export const requestListSchema = z.object({ email: requiredEmailSchema("Please enter your email address") });

/** Body of POST /api/my-requests/open: the secret from the email's link. */
export const requestListOpeningSchema = z.object({ token: requestTokenSchema });

/** The list's secret, which the opened page keeps in a cookie. A signed-in customer needs none. */
export const listTokenSchema = z._default(z.string().check(z.maxLength(MAX_REQUEST_TOKEN_LENGTH)), "");

/** Body of POST /api/my-requests/request-links: one request of the list. */
export const requestOpeningSchema = z.object({ token: listTokenSchema, leadId: leadIdSchema });

/** A request in its customer's list. */
export type ListedRequest = {
  leadId: string;
  reference: string | null;
  /** Services from our catalogue. */
  services: string[];
  /** The suburb with its postcode; null without one. */
  place: string | null;
  /** When it was sent, epoch ms. */
  createdAt: number;
  status: Exclude<(typeof LEAD_STATUSES)[number], "withdrawn"> | "done";
};

/** Response of GET /api/my-requests, newest first. Null for an unknown or expired secret, without an account. */
export type MyRequestsAnswer = { requests: ListedRequest[] | null };

/** The file of GET /api/my-requests/export.json: the data that a signed-in user entered. `requests` has the answers by field. */
export type MyData = {
  account: {
    username: string;
    firstName: string;
    lastName: string;
    email: string | null;
    phone: string | null;
  };
  requests: Record<string, unknown>[];
};

/** Response of POST /api/my-requests/open and /request-links: a new secret. */
export type NewSecret = { token: string };
