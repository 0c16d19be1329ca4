/** Routes of super admins. */
import { moveLeadSchema, pauseRegionSchema, withdrawLeadSchema } from "../../contract/admin-leads.ts";
import { resolveAttentionSchema } from "../../contract/attention.ts";
import { handledSchema } from "../../contract/bookings.ts";
import { checkDecisionSchema } from "../../contract/checks.ts";
import { freeClaimDecisionSchema } from "../../contract/bad-leads.ts";
import { channelSettingSchema, messageRecipientSchema, messageStopSchema } from "../../contract/messages.ts";
import { refundSchema } from "../../contract/payments.ts";
import { profileHidingSchema } from "../../contract/profiles.ts";
import { providerChangeSchema, providerTextSchema } from "../../contract/providers.ts";
import { dropLeadSchema, releaseLeadSchema } from "../../contract/quarantine.ts";
import { reviewDecisionSchema } from "../../contract/reviews.ts";
import { suburbChangeSchema } from "../../contract/suburbs.ts";
import { admin, type RouteTable } from "./route.ts";

export const ADMIN_ROUTES = {
  "GET /api/super-admin/providers/:id": {
    gets: admin(),
    examples: ["/api/super-admin/providers/{provider}"],
  },
  "GET /api/super-admin/providers/:id/purchases": {
    gets: admin(),
    examples: ["/api/super-admin/providers/{provider}/purchases?limit=5"],
  },
  "GET /api/super-admin/providers/:id/calls": {
    gets: admin(),
    examples: ["/api/super-admin/providers/{provider}/calls?limit=5&show=called&period=all"],
  },
  "POST /api/super-admin/providers/:id/notes": {
    gets: admin(201),
    schema: providerTextSchema,
    body: () => ({ text: "Rings back within the hour" }),
    required: ["text"],
    wrong: { text: " " },
  },
  // No email is set up here.
  "POST /api/super-admin/providers/:id/message": {
    gets: admin(503),
    schema: providerTextSchema,
    body: () => ({ text: "Your insurance runs out on Friday." }),
    required: ["text"],
    wrong: { text: "" },
  },
  "PUT /api/super-admin/providers/:id/profile": {
    gets: admin(),
    schema: profileHidingSchema,
    body: () => ({ isHidden: false, reason: null }),
    required: ["isHidden"],
    wrong: { isHidden: "yes", reason: "x".repeat(501) },
  },
  "DELETE /api/super-admin/provider-notes/:id": { gets: admin(404) },
  "PATCH /api/super-admin/providers/:id": {
    gets: admin(),
    schema: providerChangeSchema,
    body: () => ({ isActive: true }),
    required: ["isActive"],
    wrong: { isActive: "yes", reason: "x".repeat(501) },
  },
  "POST /api/super-admin/providers/:id/password-link": { gets: admin(201) },
  "GET /api/super-admin/overview": { gets: admin() },
  "GET /api/super-admin/market": { gets: admin() },
  "GET /api/super-admin/market/calls": { gets: admin() },
  "GET /api/super-admin/market/:file": {
    gets: admin(404),
    examples: ["/api/super-admin/market/calls.csv", "/api/super-admin/market/days.csv"],
  },
  "GET /api/super-admin/leads": {
    gets: admin(),
    examples: [
      "/api/super-admin/leads?limit=20&state=pending",
      "/api/super-admin/leads?limit=20&state=listed",
      "/api/super-admin/leads?limit=20&state=quarantined",
      "/api/super-admin/leads?limit=20&state=private",
      "/api/super-admin/leads?limit=20&state=closed",
      "/api/super-admin/leads?limit=20&state=available",
      "/api/super-admin/leads?limit=20&state=sold",
      "/api/super-admin/leads?limit=20&state=withdrawn",
      "/api/super-admin/leads?limit=20&state=expired",
      "/api/super-admin/leads?limit=20",
      "/api/super-admin/leads?limit=20&region=inner-west",
      "/api/super-admin/leads?limit=20&state=sold&region=inner-west",
      "/api/super-admin/leads?q={lead}",
      "/api/super-admin/leads?q=0400000100",
      "/api/super-admin/leads?q=anna100@example.com",
      "/api/super-admin/leads?q={purchase}",
      "/api/super-admin/leads?limit=20&market=only",
      "/api/super-admin/leads?q=anna%20leichhardt",
      "/api/super-admin/leads?q=banksia%20brown&state=sold",
    ],
  },
  "GET /api/super-admin/bookings": {
    gets: admin(),
    examples: [
      "/api/super-admin/bookings?limit=20&kind=inspection",
      "/api/super-admin/bookings?limit=20&kind=inspection&open=yes",
      "/api/super-admin/bookings?limit=20&kind=garden",
      "/api/super-admin/bookings?limit=20&kind=garden&open=yes",
      "/api/super-admin/bookings?q=K7M2QX",
    ],
  },
  "POST /api/super-admin/bookings/:id/handled": {
    gets: admin(),
    schema: handledSchema,
    body: () => ({ handled: true }),
    required: ["handled"],
    wrong: { handled: "yes" },
  },
  "GET /api/super-admin/payments": {
    gets: admin(),
    examples: [
      "/api/super-admin/payments?limit=20&state=succeeded",
      "/api/super-admin/payments?limit=20&state=cancelled",
      "/api/super-admin/payments?limit=20&state=refunded",
      "/api/super-admin/payments?limit=20&state=pending",
      "/api/super-admin/payments?limit=20",
      "/api/super-admin/payments?q={payment}",
      "/api/super-admin/payments?limit=5&buyerId={provider}",
    ],
  },
  // Stripe does not know this payment, so the refund stays owed.
  "POST /api/super-admin/payments/:id/refund": {
    gets: admin(),
    schema: refundSchema,
    body: () => ({ reason: "The number belongs to someone else" }),
    required: ["reason"],
    wrong: { reason: "no" },
  },
  // This payment holds no lead.
  "POST /api/super-admin/payments/:id/release": { gets: admin(409) },
  "GET /api/super-admin/attention": {
    gets: admin(),
    examples: ["/api/super-admin/attention?resolved=yes"],
  },
  "POST /api/super-admin/attention/resolve": {
    gets: admin(),
    schema: resolveAttentionSchema,
    body: () => ({ kind: "refund_failed", subjectId: "pay_00000000000000000000" }),
    required: ["kind", "subjectId"],
    wrong: { kind: "Refund failed", subjectId: "" },
  },
  "GET /api/super-admin/suburbs": {
    gets: admin(),
    examples: ["/api/super-admin/suburbs?q=man"],
  },
  "PATCH /api/super-admin/suburbs/:id": {
    gets: admin(),
    schema: suburbChangeSchema,
    body: () => ({ priceFrom: 52 }),
    required: [],
    wrong: {
      isActive: "yes",
      priceFrom: 0,
      description: "x".repeat(4001),
      phone: "x".repeat(41),
      email: "x".repeat(255),
      address: "x".repeat(201),
      openingHours: "x".repeat(401),
    },
  },
  "GET /api/super-admin/audit": {
    gets: admin(),
    examples: [
      "/api/super-admin/audit?limit=20",
      "/api/super-admin/audit?limit=20&userId={provider}",
      "/api/super-admin/audit?limit=20&subjectId={purchase}",
      "/api/super-admin/audit?limit=20&action=purchase",
      "/api/super-admin/audit?limit=20&action=never.happened",
      "/api/super-admin/audit?limit=20&region=inner-west",
      "/api/super-admin/audit?limit=20&from=1700000000000",
      "/api/super-admin/audit?limit=20&to=1700000000000",
    ],
  },
  "GET /api/super-admin/audit.csv": { gets: admin() },
  "GET /api/super-admin/messages": {
    gets: admin(),
    examples: ["/api/super-admin/messages?limit=5"],
  },
  "GET /api/super-admin/messages/channels": { gets: admin() },
  "PUT /api/super-admin/messages/channels/:id": {
    gets: admin(),
    schema: channelSettingSchema,
    body: () => ({ isOn: true, mostADay: 1_000 }),
    // Notifications have no limit.
    required: ["isOn"],
    wrong: { isOn: "yes", mostADay: 100_001 },
  },
  // No message has failed.
  "POST /api/super-admin/messages/:id/again": { gets: admin(404) },
  "POST /api/super-admin/messages/person": {
    gets: admin(),
    schema: messageRecipientSchema,
    body: () => ({ address: "0491 570 156" }),
    required: ["address"],
    wrong: { address: "12345" },
  },
  "PUT /api/super-admin/messages/stops": {
    gets: admin(),
    schema: messageStopSchema,
    body: () => ({ address: "anna100@example.com", isStopped: true }),
    required: ["address", "isStopped"],
    wrong: { address: "not an address", isStopped: "yes" },
  },
  "GET /api/super-admin/regions/paused": { gets: admin() },
  "POST /api/super-admin/regions/:id/pause": {
    gets: admin(),
    schema: pauseRegionSchema,
    body: () => ({ reason: "Storms, mowing is not possible" }),
    required: ["reason"],
    wrong: { reason: "no" },
  },
  "POST /api/super-admin/regions/:id/resume": { gets: admin() },
  "GET /api/super-admin/bad-leads": {
    gets: admin(),
    examples: ["/api/super-admin/bad-leads?limit=5", "/api/super-admin/bad-leads?limit=5&state=granted"],
  },
  "POST /api/super-admin/bad-leads/:id/answer": {
    gets: admin(),
    schema: freeClaimDecisionSchema,
    body: () => ({ decision: "granted" }),
    required: ["decision"],
    wrong: { decision: "maybe", answer: "x".repeat(1001) },
  },
  "GET /api/super-admin/guarantee": {
    gets: admin(),
    examples: [
      "/api/super-admin/guarantee?limit=5&list=open",
      "/api/super-admin/guarantee?limit=5&list=granted",
      "/api/super-admin/guarantee?limit=5&list=refused",
      "/api/super-admin/guarantee?limit=5&list=pending",
    ],
  },
  // The purchase has no case.
  "POST /api/super-admin/guarantee/:id/answer": {
    gets: admin(404),
    schema: freeClaimDecisionSchema,
    body: () => ({ decision: "granted" }),
    required: ["decision"],
    wrong: { decision: "maybe", answer: "x".repeat(1001) },
  },
  "POST /api/super-admin/leads/:id/wrong-number": { gets: admin() },
  "POST /api/super-admin/leads/:id/release": {
    gets: admin(),
    schema: releaseLeadSchema,
    // The admin read a request that its customer has not changed.
    body: () => ({ revision: 0 }),
    required: ["revision"],
    wrong: { revision: "now" },
  },
  "POST /api/super-admin/leads/:id/drop": {
    gets: admin(),
    schema: dropLeadSchema,
    body: () => ({ reason: null }),
    required: [],
    wrong: { reason: "x".repeat(501) },
  },
  "GET /api/super-admin/checks": {
    gets: admin(),
    examples: ["/api/super-admin/checks?limit=5&state=valid"],
  },
  // There is no such check.
  "GET /api/super-admin/checks/:id/file": { gets: admin(404) },
  "POST /api/super-admin/checks/:id/decision": {
    gets: admin(404),
    schema: checkDecisionSchema,
    body: () => ({ decision: "valid", seenOn: "2026-11-25", endsOn: null }),
    required: ["decision"],
    wrong: { decision: "maybe", seenOn: "yesterday", endsOn: "2026-02-30", reason: "x".repeat(501) },
  },
  "GET /api/super-admin/reviews": {
    gets: admin(),
    examples: [
      "/api/super-admin/reviews?limit=5&list=flagged",
      "/api/super-admin/reviews?limit=5&list=hidden",
      "/api/super-admin/reviews?limit=5&list=all",
    ],
  },
  "POST /api/super-admin/reviews/:id": {
    gets: admin(),
    schema: reviewDecisionSchema,
    body: () => ({ rule: "abuse" }),
    // Null shows a hidden review.
    required: [],
    wrong: { rule: "too_negative" },
  },
  "DELETE /api/super-admin/reviews/:id/reply": { gets: admin() },
  // The provider already owns the lead, so it cannot be claimed, assigned or moved.
  "POST /api/super-admin/claim-lead/:id": { gets: admin(409) },
  "POST /api/super-admin/assign-lead/:leadId/:providerId": { gets: admin(409) },
  "POST /api/super-admin/leads/:id/withdraw": {
    gets: admin(409),
    schema: withdrawLeadSchema,
    body: () => ({ reason: "The customer rang: they found someone." }),
    required: ["reason"],
    wrong: { reason: "no" },
  },
  "POST /api/super-admin/leads/:id/move": {
    gets: admin(409),
    schema: moveLeadSchema,
    body: () => ({ region: "blacktown" }),
    required: ["region"],
    wrong: { region: "atlantis" },
  },
} satisfies RouteTable;
