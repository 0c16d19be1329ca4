/** Routes of visitors' pages and forms. */
import { bookingSchema } from "../../contract/bookings.ts";
import { emailStopSchema } from "../../contract/email-stops.ts";
import { guaranteeAnswerSchema } from "../../contract/guarantee.ts";
import { type FieldsWith, mapFields } from "../../contract/lead-fields.ts";
import { leadRequestSchema } from "../../contract/leads.ts";
import {
  requestListOpeningSchema,
  requestListSchema,
  requestOpeningSchema,
} from "../../contract/my-requests.ts";
import { pageReportSchema } from "../../contract/profiles.ts";
import { photoAgreementSchema, photoOfferSchema, photoRemovalSchema } from "../../contract/photos.ts";
import {
  callAnswerSchema,
  contactChangeSchema,
  contactPreferenceSchema,
  jobChangeSchema,
  requestChangeSchema,
  requestErasureSchema,
  requestLinkSchema,
} from "../../contract/request-links.ts";
import { reviewFormSchema } from "../../contract/reviews.ts";
import type { LeadRequest, screeningFields } from "../../contract/leads.ts";
import { newId } from "../../worker/platform/ids.ts";
import { bookingRequest, quoteRequest } from "../world.ts";
import { anyone, business, owner, type RouteTable, signedIn } from "./route.ts";

/** A wrong answer to each question of the quote form. */
const WRONG_ANSWERS = mapFields<Record<FieldsWith<{ ask: string }>, unknown>>(
  ({ ask, max = 0 }) => ask && (ask === "boxes" ? ["x"] : "x".repeat(max + 1)),
);

export const VISITOR_ROUTES = {
  "GET /api/health": { gets: anyone() },
  "GET /api/suburbs": {
    gets: anyone(),
    examples: ["/api/suburbs?council=Waverley%20Council"],
  },
  "GET /api/suburbs/listed": { gets: anyone() },
  "GET /api/suburbs/suggest": { gets: anyone() },
  "GET /api/suburbs/by/address": { gets: anyone() },
  "GET /api/suburbs/:name": {
    gets: anyone(),
    examples: ["/api/suburbs/leichhardt"],
  },
  "GET /api/suburbs/:name/card": {
    gets: anyone(),
    examples: ["/api/suburbs/leichhardt/card"],
  },
  "GET /api/profiles": { gets: anyone() },
  "GET /api/profiles/near/:slug": { gets: anyone() },
  "GET /api/profiles/jobs/:service": {
    gets: anyone(),
    examples: ["/api/profiles/jobs/lawn_care"],
  },
  "GET /api/profiles/:slug": { gets: anyone() },
  "POST /api/profiles/:slug/report": {
    gets: anyone(),
    schema: pageReportSchema,
    body: () => ({ reason: "other" }),
    required: ["reason"],
    wrong: { reason: "spam" },
  },
  "GET /api/public-figures": { gets: anyone() },
  "GET /api/public-figures/prices": {
    gets: anyone(),
    examples: ["/api/public-figures/prices?service=lawn_mowing"],
  },
  // Tests have no key to sign with.
  "GET /api/forms/start": { gets: anyone(204) },
  "POST /api/bookings": {
    gets: anyone(201),
    schema: bookingSchema,
    body: () => ({ ...bookingRequest() }),
    required: ["name", "phone", "email", "vehicle", "serviceType", "propertySize"],
    wrong: {
      submissionId: "short",
      name: "A",
      phone: "12345",
      email: "not an address",
      vehicle: "x".repeat(121),
      serviceType: "car_wash",
      propertySize: "tiny",
      preferredDate: "2026-02-30",
      message: "x".repeat(2001),
      suburbId: "Leichhardt",
      consentWording: "x".repeat(41),
    },
  },
  "POST /api/leads": {
    gets: anyone(201),
    schema: leadRequestSchema,
    body: () => ({ ...quoteRequest() }),
    required: [
      "customerName",
      "customerPhone",
      "customerAddress",
      "serviceType",
      "propertyType",
      "propertySize",
      "urgency",
      "frequency",
      "budgetConcern",
      "previousExperience",
    ],
    wrong: {
      ...WRONG_ANSWERS,
      submissionId: "short",
      customerName: " ",
      customerPhone: "12345",
      customerEmail: "not an address",
      customerAddress: "1 A",
      serviceType: [],
      stated: ["customerName"],
      suburbId: "Leichhardt",
      addressSuburb: "x".repeat(61),
      addressPostcode: "x".repeat(11),
      consentWording: "x".repeat(41),
    } satisfies Record<Exclude<keyof LeadRequest, keyof typeof screeningFields>, unknown>,
  },
  // An unknown link gets the same response as a valid one.
  "GET /api/requests": { gets: anyone() },
  "POST /api/requests/opened": {
    gets: anyone(),
    schema: requestLinkSchema,
    body: () => ({ token: newId("link") }),
    required: ["token"],
    wrong: { token: "t".repeat(65) },
  },
  "POST /api/requests/withdraw": {
    gets: anyone(),
    schema: requestLinkSchema,
    body: () => ({ token: newId("link") }),
    required: ["token"],
    wrong: { token: "t".repeat(65) },
  },
  "POST /api/requests/call-answer": {
    gets: anyone(),
    schema: callAnswerSchema,
    body: () => ({ token: newId("link"), answer: "not_yet" }),
    required: ["token", "answer"],
    wrong: { token: "t".repeat(65), answer: "maybe" },
  },
  "POST /api/requests/guarantee": {
    gets: anyone(),
    schema: guaranteeAnswerSchema,
    body: () => ({ token: newId("link"), answer: "wrong_number" }),
    required: ["token", "answer"],
    wrong: { token: "t".repeat(65), answer: "maybe" },
  },
  "GET /api/guarantee-rate": { gets: anyone() },
  "POST /api/requests/contact": {
    gets: anyone(),
    schema: contactPreferenceSchema,
    body: () => ({ token: "made-up", contactMethod: "text", contactTime: "evening" }),
    required: ["token"],
    wrong: { token: "t".repeat(65), contactMethod: "pigeon", contactTime: "midnight" },
  },
  "POST /api/requests/change": {
    gets: anyone(),
    schema: jobChangeSchema,
    body: () => ({ token: newId("link"), ...requestChangeSchema.parse(quoteRequest()) }),
    required: ["token", "serviceType", "propertyType", "propertySize", "urgency", "frequency"],
    wrong: {
      token: "t".repeat(65),
      serviceType: [],
      propertyType: "castle",
      propertySize: "huge",
      urgency: "now",
      frequency: "hourly",
      hasPets: "yes",
      specificRequests: "x".repeat(2001),
      customerName: "x".repeat(101),
      customerAddress: "PO Box 12, Leichhardt NSW 2040",
    },
  },
  "POST /api/requests/phone": {
    gets: anyone(),
    schema: contactChangeSchema,
    body: () => ({ token: newId("link"), lastDigits: "0123", customerPhone: "02 5550 0124" }),
    required: ["token", "lastDigits", "customerPhone"],
    wrong: { token: "t".repeat(65), lastDigits: "123", customerPhone: "12345", customerEmail: "no address" },
  },
  "POST /api/requests/erase": {
    gets: anyone(),
    schema: requestErasureSchema,
    body: () => ({ token: newId("link"), lastDigits: "0123" }),
    required: ["token", "lastDigits"],
    wrong: { token: "t".repeat(65), lastDigits: "12345" },
  },
  // Without a token, and without a file.
  "POST /api/photos": { gets: anyone(400) },
  "POST /api/photos/own/:kind": { gets: owner(422), refusesImpersonation: true },
  "GET /api/photos/own/:kind": { gets: business() },
  "POST /api/photos/purchases/:id/:kind": { gets: business(422, 404), refusesImpersonation: true },
  "PATCH /api/photos/:id": {
    gets: business(404),
    refusesImpersonation: true,
    schema: photoOfferSchema,
    body: () => ({ isOffered: true }),
    required: ["isOffered"],
    wrong: { isOffered: "yes" },
  },
  "DELETE /api/photos/:id": { gets: business(404), refusesImpersonation: true },
  "POST /api/photos/:id/removal": {
    gets: anyone(404),
    schema: photoRemovalSchema,
    body: () => ({ token: "made-up" }),
    required: [],
    wrong: { token: "t".repeat(65), uploadToken: "short" },
  },
  "POST /api/photos/:id/agreement": {
    gets: anyone(404),
    schema: photoAgreementSchema,
    body: () => ({ token: "made-up", isAgreed: true }),
    required: ["token", "isAgreed"],
    wrong: { token: "t".repeat(65), isAgreed: "yes" },
  },
  "GET /api/photos/:id/:size": { gets: anyone(404) },
  "GET /api/reviews": { gets: anyone() },
  "POST /api/reviews": {
    gets: anyone(),
    schema: reviewFormSchema,
    body: () => ({ token: newId("link"), stars: 4, words: "Neat edges, and on time." }),
    required: ["token", "stars"],
    wrong: { token: "t".repeat(65), stars: 6, words: "x".repeat(1501) },
  },
  "GET /api/reviews/totals": { gets: anyone() },
  "GET /api/my-requests": { gets: anyone() },
  "GET /api/my-requests/export.json": { gets: signedIn() },
  "POST /api/my-requests/links": {
    gets: anyone(503),
    schema: requestListSchema,
    body: () => ({ email: "unknown@example.com" }),
    required: ["email"],
    wrong: { email: "not an address" },
  },
  "POST /api/my-requests/open": {
    gets: anyone(410),
    schema: requestListOpeningSchema,
    body: () => ({ token: "made-up" }),
    required: ["token"],
    wrong: { token: "t".repeat(65) },
  },
  "POST /api/my-requests/request-links": {
    gets: anyone(404),
    schema: requestOpeningSchema,
    body: () => ({ token: "made-up", leadId: "lead_inner-west_00000000000000000000" }),
    required: ["leadId"],
    wrong: { token: "t".repeat(65), leadId: "lead" },
  },
  "GET /api/email-stops": { gets: anyone() },
  "POST /api/email-stops": {
    gets: anyone(),
    schema: emailStopSchema,
    body: () => ({ token: "made-up", isStopped: true }),
    required: ["token", "isStopped"],
    wrong: { token: "t".repeat(201), isStopped: "yes" },
  },
} satisfies RouteTable;
