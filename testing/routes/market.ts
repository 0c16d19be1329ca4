/** Leads for sale, payments and notifications. */
import { getPauseDayRange, leadAlertsSchema } from "../../contract/lead-alerts.ts";
import { manualLeadSchema } from "../../contract/manual-leads.ts";
import { pushSubscriptionSchema, quietHoursSchema } from "../../contract/notifications.ts";
import {
  holdRequestSchema,
  paymentIntentRequestSchema,
  saveCardRequestSchema,
  savedCardPaymentSchema,
  settleRequestSchema,
} from "../../contract/payments.ts";
import { purchaseRequestSchema } from "../../contract/purchases.ts";
import { anyone, type ApiRoute, business, owner, type RouteTable } from "./route.ts";

const claim = {
  body: () => ({ leadId: "lead_inner-west_00000000000000000000", amount: 5000 }),
  required: ["leadId", "amount"],
  wrong: { leadId: "lead_x", amount: 50.5 },
} satisfies Partial<ApiRoute>;

export const MARKET_ROUTES = {
  "GET /api/exchange/:region/live": { gets: business(426) },
  "GET /api/business/live": { gets: business(426) },
  // No caller has a free claim, and the provider already owns the lead.
  "POST /api/leads/:id/claim-with-credit": { gets: owner(201, 409), refusesImpersonation: true },
  "GET /api/leads": {
    gets: business(),
    examples: [
      "/api/leads?region=inner-west",
      "/api/leads?region=inner-west,blacktown,nsw",
      "/api/leads?limit=10",
    ],
  },
  "GET /api/leads/own-customers": { gets: business() },
  "GET /api/leads/offers": { gets: business() },
  "POST /api/leads/:id/purchase": {
    gets: owner(201, 409),
    refusesImpersonation: true,
    schema: purchaseRequestSchema,
    body: () => ({ buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" }),
    required: ["buyerName", "buyerEmail", "buyerPhone"],
    wrong: { buyerName: "", buyerEmail: "pat", buyerPhone: "000", buyerCompany: "x".repeat(121) },
  },
  // The provider already owns the lead, so other callers cannot buy it.
  "POST /api/create-payment-intent": {
    gets: owner(409),
    refusesImpersonation: true,
    schema: paymentIntentRequestSchema,
    ...claim,
  },
  "POST /api/exchange/holds": {
    gets: owner(409),
    refusesImpersonation: true,
    schema: holdRequestSchema,
    ...claim,
  },
  "POST /api/payments/settle": {
    gets: owner(404),
    refusesImpersonation: true,
    schema: settleRequestSchema,
    body: () => ({ holdId: "hold_00000000000000000000" }),
    required: ["holdId"],
    wrong: { holdId: "hold", buyer: "Pat" },
  },
  "GET /api/payments/cards": { gets: owner() },
  // No caller has saved a card. Another business's card gives the same 404.
  "DELETE /api/payments/cards/:id": { gets: owner(404), refusesImpersonation: true },
  "POST /api/payments/keep-card": {
    gets: owner(404),
    refusesImpersonation: true,
    schema: saveCardRequestSchema,
    body: () => ({ holdId: "hold_00000000000000000000", consent: null }),
    required: ["holdId"],
    wrong: { holdId: "hold", consent: "yes" },
  },
  "POST /api/payments/pay-saved": {
    gets: owner(404),
    refusesImpersonation: true,
    schema: savedCardPaymentSchema,
    body: () => ({ holdId: "hold_00000000000000000000", cardId: "pm_0000000000" }),
    required: ["holdId", "cardId"],
    wrong: { holdId: "hold", cardId: "4242", buyer: "Pat" },
  },
  "GET /api/payments": { gets: owner() },
  "GET /api/payments/open": { gets: owner() },
  "GET /api/payments/:id": { gets: owner(200, 404) },
  "DELETE /api/exchange/holds/:id": { gets: owner(404), refusesImpersonation: true },
  "POST /api/stripe/webhook": { gets: anyone(400) },
  // No gateway is set up here.
  "POST /api/sms/webhook/:secret": { gets: anyone(404) },
  "POST /api/leads/manual": {
    gets: owner(201),
    schema: manualLeadSchema,
    body: () => ({
      customerName: "Walter Wiese",
      customerPhone: "0491 570 006",
      serviceType: ["lawn_care"],
      urgency: "flexible",
    }),
    required: ["customerName", "customerPhone", "serviceType", "urgency"],
    wrong: {
      submissionId: "short",
      customerName: " ",
      customerPhone: "12345",
      customerEmail: "not an address",
      customerAddress: "x".repeat(201),
      preferredLocation: "x".repeat(101),
      serviceType: [],
      propertyType: "castle",
      propertySize: "tiny",
      frequency: "hourly",
      urgency: "yesterday",
      budgetConcern: "what budget",
      previousExperience: "plenty",
      specificRequests: "x".repeat(2001),
    },
  },
  // Notification keys are not set up here, and the device does not exist.
  "GET /api/notifications": { gets: business() },
  "PUT /api/notifications/quiet-hours": {
    gets: business(),
    schema: quietHoursSchema,
    body: () => ({ isOn: true, startsAt: "21:30", endsAt: "06:45" }),
    required: ["isOn", "startsAt", "endsAt"],
    wrong: { isOn: "yes", startsAt: "9 pm", endsAt: "24:00" },
  },
  "PUT /api/notifications/lead-alerts": {
    gets: owner(),
    schema: leadAlertsSchema,
    body: () => ({
      regions: ["inner-west"],
      services: ["lawn_mowing"],
      urgencies: ["urgent", "within_week"],
      leastSize: "medium",
      pausedUntil: getPauseDayRange(Date.now()).first,
    }),
    // An omitted field stays unchanged. Null matches everything.
    required: [],
    wrong: {
      regions: ["atlantis"],
      services: [],
      urgencies: ["someday"],
      leastSize: "paddock",
      pausedUntil: "2026-01-01",
    },
  },
  "POST /api/notifications/devices": {
    gets: business(503),
    refusesImpersonation: true,
    schema: pushSubscriptionSchema,
    body: () => ({
      endpoint: "https://fcm.googleapis.com/fcm/send/abc",
      p256dh: `B${"A".repeat(86)}`,
      auth: "A".repeat(22),
    }),
    required: ["endpoint", "p256dh", "auth"],
    wrong: { endpoint: "http://127.0.0.1/", p256dh: "A".repeat(87), auth: "" },
  },
  "DELETE /api/notifications/devices/:id": { gets: business(404), refusesImpersonation: true },
  "POST /api/notifications/devices/:id/test": { gets: business(503), refusesImpersonation: true },
} satisfies RouteTable;
