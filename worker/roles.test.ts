/** Tests access rights, with one column per kind of caller and one row per route. A new route needs a row. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { api } from "./api.ts";
import { leadPurchases } from "./platform/db/schema.ts";
import { raiseAttention } from "./outbox/attention-commands.ts";
import { BODY_ROUTES } from "../testing/bodies.ts";
import { call, callerFor, db } from "../testing/client.ts";
import {
  insertBooking,
  insertDudReport,
  insertManualPurchase,
  insertPayment,
  insertPendingLead,
  insertProfile,
  insertReview,
  insertTeamMember,
  insertUser,
  PASSWORD,
  quoteRequest,
} from "../testing/world.ts";
import { eventually } from "../testing/eventually.ts";

const CALLERS = ["visitor", "customer", "provider", "stranger", "team", "admin"] as const;
type CallerKind = (typeof CALLERS)[number];

/** Statuses in the order of CALLERS. `provider` owns the requested purchase, `stranger` does not. */
const TABLE: Record<string, readonly [number, number, number, number, number, number]> = {
  "GET /api/exchange/:region/live": [401, 403, 426, 426, 426, 426],
  "GET /api/business/live": [401, 403, 426, 426, 426, 426],
  "GET /api/health": [200, 200, 200, 200, 200, 200],
  "GET /api/auth/me": [401, 200, 200, 200, 200, 200],
  "POST /api/auth/login": [200, 200, 200, 200, 200, 200],
  // No caller is in the middle of signing in.
  "POST /api/auth/passkey/options": [200, 200, 200, 200, 200, 200],
  "POST /api/auth/passkey": [410, 410, 410, 410, 410, 410],
  "GET /api/auth/second-factor": [410, 410, 410, 410, 410, 410],
  "POST /api/auth/second-factor/options": [410, 410, 410, 410, 410, 410],
  "POST /api/auth/second-factor": [410, 410, 410, 410, 410, 410],
  "POST /api/auth/recovery-code": [410, 410, 410, 410, 410, 410],
  "GET /api/auth/confirm": [401, 200, 200, 200, 200, 200],
  "POST /api/auth/confirm/password": [401, 200, 200, 200, 200, 200],
  "POST /api/auth/confirm/passkey/options": [401, 200, 200, 200, 200, 200],
  // No caller has a passkey or a pending request for one.
  "POST /api/auth/confirm/passkey": [401, 410, 410, 410, 410, 410],
  "GET /api/passkeys": [401, 200, 200, 200, 200, 200],
  "POST /api/passkeys/options": [401, 200, 200, 200, 200, 200],
  "POST /api/passkeys": [401, 410, 410, 410, 410, 410],
  "PATCH /api/passkeys/:id": [401, 404, 404, 404, 404, 404],
  "DELETE /api/passkeys/:id": [401, 404, 404, 404, 404, 404],
  "POST /api/passkeys/recovery-codes": [401, 400, 400, 400, 400, 400],
  "POST /api/auth/logout": [200, 200, 200, 200, 200, 200],
  "POST /api/auth/provider/signup": [200, 200, 200, 200, 200, 201],
  "POST /api/auth/customer/signup": [200, 200, 200, 200, 200, 200],
  "POST /api/auth/impersonate": [401, 403, 403, 403, 403, 200],
  "POST /api/auth/stop-impersonation": [401, 409, 409, 409, 409, 409],
  "GET /api/users/providers": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/providers/:id": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/providers/:id/purchases": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/providers/:id/calls": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/providers/:id/notes": [401, 403, 403, 403, 403, 201],
  // No email is set up here.
  "POST /api/super-admin/providers/:id/message": [401, 403, 403, 403, 403, 503],
  "PUT /api/super-admin/providers/:id/profile": [401, 403, 403, 403, 403, 200],
  "DELETE /api/super-admin/provider-notes/:id": [401, 403, 403, 403, 403, 404],
  "PATCH /api/super-admin/providers/:id": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/providers/:id/password-link": [401, 403, 403, 403, 403, 201],
  "GET /api/super-admin/overview": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/market": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/market/calls": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/market/:file": [401, 403, 403, 403, 403, 404],
  "GET /api/super-admin/leads": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/bookings": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/bookings/:id/handled": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/payments": [401, 403, 403, 403, 403, 200],
  // Stripe does not know this payment, so the refund stays owed.
  "POST /api/super-admin/payments/:id/refund": [401, 403, 403, 403, 403, 200],
  // This payment holds no lead.
  "POST /api/super-admin/payments/:id/release": [401, 403, 403, 403, 403, 409],
  "GET /api/super-admin/attention": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/attention/resolve": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/suburbs": [401, 403, 403, 403, 403, 200],
  "PATCH /api/super-admin/suburbs/:id": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/audit": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/audit.csv": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/messages": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/messages/channels": [401, 403, 403, 403, 403, 200],
  "PUT /api/super-admin/messages/channels/:id": [401, 403, 403, 403, 403, 200],
  // No message has failed.
  "POST /api/super-admin/messages/:id/again": [401, 403, 403, 403, 403, 404],
  "POST /api/super-admin/messages/person": [401, 403, 403, 403, 403, 200],
  "PUT /api/super-admin/messages/stops": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/regions/paused": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/regions/:id/pause": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/regions/:id/resume": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/duds": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/duds/:id/answer": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/guarantee": [401, 403, 403, 403, 403, 200],
  // The purchase has no case.
  "POST /api/super-admin/guarantee/:id/answer": [401, 403, 403, 403, 403, 404],
  "POST /api/super-admin/leads/:id/wrong-number": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/leads/:id/release": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/leads/:id/drop": [401, 403, 403, 403, 403, 200],
  "GET /api/super-admin/checks": [401, 403, 403, 403, 403, 200],
  // There is no such check.
  "GET /api/super-admin/checks/:id/file": [401, 403, 403, 403, 403, 404],
  "POST /api/super-admin/checks/:id/decision": [401, 403, 403, 403, 403, 404],
  "GET /api/user/checks": [401, 403, 200, 200, 403, 200],
  "GET /api/user/checks/:id/file": [401, 403, 404, 404, 403, 404],
  "POST /api/user/checks": [401, 403, 201, 201, 403, 201],
  // Without its dates and file.
  "POST /api/user/checks/insurance": [401, 403, 400, 400, 403, 400],
  "GET /api/duds": [401, 403, 200, 200, 200, 200],
  "POST /api/lead-purchases/:id/dud": [401, 403, 201, 404, 403, 404],
  "POST /api/lead-purchases/:id/contest": [401, 403, 404, 404, 403, 404],
  // No caller has a free claim, and the provider already owns the lead.
  "POST /api/leads/:id/claim-with-credit": [401, 403, 201, 409, 403, 409],
  "GET /api/suburbs": [200, 200, 200, 200, 200, 200],
  "GET /api/suburbs/listed": [200, 200, 200, 200, 200, 200],
  "GET /api/suburbs/suggest": [200, 200, 200, 200, 200, 200],
  "GET /api/suburbs/by/address": [200, 200, 200, 200, 200, 200],
  "GET /api/suburbs/:name": [200, 200, 200, 200, 200, 200],
  "GET /api/suburbs/:name/card": [200, 200, 200, 200, 200, 200],
  "GET /api/profiles": [200, 200, 200, 200, 200, 200],
  "GET /api/profiles/near/:slug": [200, 200, 200, 200, 200, 200],
  "GET /api/profiles/jobs/:service": [200, 200, 200, 200, 200, 200],
  "GET /api/profiles/:slug": [200, 200, 200, 200, 200, 200],
  "GET /api/public-figures": [200, 200, 200, 200, 200, 200],
  "GET /api/public-figures/prices": [200, 200, 200, 200, 200, 200],
  // Tests have no key to sign with.
  "GET /api/forms/start": [204, 204, 204, 204, 204, 204],
  "POST /api/bookings": [201, 201, 201, 201, 201, 201],
  "POST /api/leads": [201, 201, 201, 201, 201, 201],
  "GET /api/leads": [401, 403, 200, 200, 200, 200],
  "GET /api/leads/offers": [401, 403, 200, 200, 200, 200],
  "POST /api/leads/:id/purchase": [401, 403, 201, 409, 403, 409],
  // The provider already owns the lead, so other callers cannot buy it.
  "POST /api/create-payment-intent": [401, 403, 409, 409, 403, 409],
  "POST /api/exchange/holds": [401, 403, 409, 409, 403, 409],
  "POST /api/payments/settle": [401, 403, 404, 404, 403, 404],
  "GET /api/payments/cards": [401, 403, 200, 200, 403, 200],
  // No caller has saved a card. Another business's card gives the same 404.
  "DELETE /api/payments/cards/:id": [401, 403, 404, 404, 403, 404],
  "POST /api/payments/keep-card": [401, 403, 404, 404, 403, 404],
  "POST /api/payments/pay-saved": [401, 403, 404, 404, 403, 404],
  "GET /api/payments": [401, 403, 200, 200, 403, 200],
  "GET /api/payments/open": [401, 403, 200, 200, 403, 200],
  "GET /api/payments/:id": [401, 403, 200, 404, 403, 404],
  "DELETE /api/exchange/holds/:id": [401, 403, 404, 404, 403, 404],
  "POST /api/stripe/webhook": [400, 400, 400, 400, 400, 400],
  // No gateway is set up here.
  "POST /api/sms/webhook/:secret": [404, 404, 404, 404, 404, 404],
  // An unknown link gets the same response as a valid one.
  "GET /api/requests": [200, 200, 200, 200, 200, 200],
  "POST /api/requests/withdraw": [200, 200, 200, 200, 200, 200],
  "POST /api/requests/call-answer": [200, 200, 200, 200, 200, 200],
  "POST /api/requests/guarantee": [200, 200, 200, 200, 200, 200],
  "GET /api/guarantee-rate": [200, 200, 200, 200, 200, 200],
  "POST /api/requests/contact": [200, 200, 200, 200, 200, 200],
  "POST /api/requests/change": [200, 200, 200, 200, 200, 200],
  "POST /api/requests/phone": [200, 200, 200, 200, 200, 200],
  "POST /api/requests/erase": [200, 200, 200, 200, 200, 200],
  // Without a token, and without a file.
  "POST /api/photos": [400, 400, 400, 400, 400, 400],
  "POST /api/photos/own/:kind": [401, 403, 422, 422, 403, 422],
  "GET /api/photos/own/:kind": [401, 403, 200, 200, 200, 200],
  "POST /api/photos/purchases/:id/:kind": [401, 403, 422, 404, 422, 404],
  "PATCH /api/photos/:id": [401, 403, 404, 404, 404, 404],
  "DELETE /api/photos/:id": [401, 403, 404, 404, 404, 404],
  "POST /api/photos/:id/removal": [404, 404, 404, 404, 404, 404],
  "POST /api/photos/:id/agreement": [404, 404, 404, 404, 404, 404],
  "GET /api/photos/:id/:size": [404, 404, 404, 404, 404, 404],
  "GET /api/reviews": [200, 200, 200, 200, 200, 200],
  "POST /api/reviews": [200, 200, 200, 200, 200, 200],
  "GET /api/reviews/totals": [200, 200, 200, 200, 200, 200],
  "GET /api/reviews/own": [401, 403, 200, 200, 403, 200],
  "GET /api/reviews/own/summary": [401, 403, 200, 200, 403, 200],
  "POST /api/reviews/:id/reply": [401, 403, 200, 404, 403, 404],
  "GET /api/super-admin/reviews": [401, 403, 403, 403, 403, 200],
  "POST /api/super-admin/reviews/:id": [401, 403, 403, 403, 403, 200],
  "DELETE /api/super-admin/reviews/:id/reply": [401, 403, 403, 403, 403, 200],
  "GET /api/my-requests": [200, 200, 200, 200, 200, 200],
  "POST /api/my-requests/links": [503, 503, 503, 503, 503, 503],
  "POST /api/my-requests/open": [410, 410, 410, 410, 410, 410],
  "POST /api/my-requests/request-links": [404, 404, 404, 404, 404, 404],
  "GET /api/email-stops": [200, 200, 200, 200, 200, 200],
  "POST /api/email-stops": [200, 200, 200, 200, 200, 200],
  "GET /api/lead-purchases": [401, 403, 200, 200, 200, 200],
  "GET /api/my-purchased-leads": [401, 403, 200, 200, 200, 200],
  "GET /api/lead-purchases/:id": [401, 403, 200, 404, 200, 404],
  "PATCH /api/lead-purchases/:id/customer": [401, 403, 200, 404, 200, 404],
  "POST /api/lead-purchases/:id/contacts": [401, 403, 200, 404, 200, 404],
  "POST /api/lead-purchases/:id/answers-seen": [401, 403, 200, 404, 200, 404],
  "POST /api/lead-purchases/:id/archive": [401, 403, 200, 404, 403, 404],
  "POST /api/lead-purchases/:id/restore": [401, 403, 200, 404, 403, 404],
  // Each caller deletes a new manual purchase. Super admins may delete from every business's pipeline.
  "DELETE /api/lead-purchases/:id": [401, 403, 204, 404, 403, 204],
  "GET /api/pipeline": [401, 403, 200, 200, 200, 200],
  "GET /api/pipeline/changes": [401, 403, 200, 200, 200, 200],
  "GET /api/pipeline/export.csv": [401, 403, 200, 200, 403, 200],
  "GET /api/figures": [401, 403, 200, 200, 403, 200],
  "GET /api/figures/standing": [401, 403, 200, 200, 403, 200],
  "GET /api/figures/calls": [401, 403, 200, 200, 403, 200],
  "PATCH /api/lead-purchases/:id/sales-stage": [401, 403, 200, 404, 200, 404],
  "POST /api/leads/manual": [401, 403, 201, 201, 403, 201],
  "GET /api/team-members": [401, 403, 200, 200, 403, 200],
  "GET /api/team-members/names": [401, 403, 200, 200, 200, 200],
  "PUT /api/team-members/:id/alerts": [401, 403, 200, 404, 403, 404],
  "POST /api/team-members": [401, 403, 201, 201, 403, 201],
  "POST /api/team-members/:id/password-link": [401, 403, 201, 404, 403, 404],
  "DELETE /api/team-members/:id": [401, 403, 200, 404, 403, 404],
  // Email is not set up here, and the link does not exist.
  "POST /api/auth/forgot-password": [503, 503, 503, 503, 503, 503],
  "GET /api/auth/password-link": [410, 410, 410, 410, 410, 410],
  "POST /api/auth/reset-password": [410, 410, 410, 410, 410, 410],
  "GET /api/auth/email-link": [410, 410, 410, 410, 410, 410],
  "POST /api/auth/confirm-email": [410, 410, 410, 410, 410, 410],
  "POST /api/user/pending-email": [401, 503, 503, 503, 503, 503],
  "DELETE /api/user/pending-email": [401, 200, 200, 200, 200, 200],
  "GET /api/user/personal-info": [401, 200, 200, 200, 200, 200],
  "PUT /api/user/personal-info": [401, 200, 200, 200, 200, 200],
  "GET /api/user/bank-details": [401, 403, 200, 200, 403, 200],
  "PUT /api/user/bank-details": [401, 403, 200, 200, 403, 200],
  "GET /api/user/suggested-regions": [401, 403, 200, 200, 200, 200],
  "GET /api/user/text-templates": [401, 403, 200, 200, 200, 200],
  "PUT /api/user/text-templates": [401, 403, 200, 200, 403, 200],
  "GET /api/user/home": [401, 403, 200, 200, 200, 200],
  "GET /api/user/profile": [401, 403, 200, 200, 403, 200],
  "PUT /api/user/profile": [401, 403, 200, 200, 403, 200],
  "PUT /api/user/services": [401, 403, 200, 200, 403, 200],
  "GET /api/user/sessions": [401, 200, 200, 200, 200, 200],
  "GET /api/user/sign-ins": [401, 200, 200, 200, 200, 200],
  "DELETE /api/user/sessions": [401, 200, 200, 200, 200, 200],
  "DELETE /api/user/sessions/:id": [401, 404, 404, 404, 404, 404],
  // The provider already owns the lead, so it cannot be claimed, assigned or moved.
  "POST /api/super-admin/claim-lead/:id": [401, 403, 403, 403, 403, 409],
  "POST /api/super-admin/assign-lead/:leadId/:providerId": [401, 403, 403, 403, 403, 409],
  "POST /api/super-admin/leads/:id/withdraw": [401, 403, 403, 403, 403, 409],
  "POST /api/super-admin/leads/:id/move": [401, 403, 403, 403, 403, 409],
  "PUT /api/user/password": [401, 200, 200, 200, 200, 200],
  "PUT /api/user/watched-regions": [401, 403, 200, 200, 200, 200],
  // Notification keys are not set up here, and the device does not exist.
  "GET /api/notifications": [401, 403, 200, 200, 200, 200],
  "PUT /api/notifications/quiet-hours": [401, 403, 200, 200, 200, 200],
  "PUT /api/notifications/lead-alerts": [401, 403, 200, 200, 403, 200],
  "POST /api/notifications/devices": [401, 403, 503, 503, 503, 503],
  "DELETE /api/notifications/devices/:id": [401, 403, 404, 404, 404, 404],
  "POST /api/notifications/devices/:id/test": [401, 403, 503, 503, 503, 503],
};

const owner = await insertUser(db);
const users = {
  customer: await insertUser(db, { userType: "customer", companyName: null }),
  provider: owner,
  stranger: await insertUser(db),
  team: await insertTeamMember(db, owner),
  admin: await insertUser(db, { isSuperAdmin: true }),
};
await insertProfile(db, users.stranger, { slug: "leichhardt" });
const purchaseId = await insertManualPurchase(db, owner, { stage: "accepted_lead", startedAt: 1 });
const leaver = await insertTeamMember(db, owner);
const account = await insertUser(db, { username: "role-table" });
const leadId = await eventually(async () => {
  const created = await call("POST", "/api/leads", {
    body: quoteRequest({ submissionId: "role-table-lead-1" }),
  });
  const { id } = (await created.json()) as { id: string };
  const bought = await (
    await callerFor(owner.id)
  )("POST", `/api/leads/${id}/purchase`, {
    ...BODY_ROUTES["POST /api/leads/:id/purchase"]!.body(),
  });
  if (bought.status !== 201) throw new Error("Not listed yet");
  return id;
});
const boughtId = await purchaseOf(leadId);
const bookingId = await insertBooking(db);
const dudId = await insertDudReport(
  db,
  owner,
  await insertManualPurchase(db, owner, { stage: "called", startedAt: 2 }),
);
const reviewId = await insertReview(
  db,
  await insertManualPurchase(db, owner, { stage: "job_complete", startedAt: 2 }),
);
await raiseAttention(db, "refund_failed", "pay_00000000000000000000", "A refund is still owed", 1);
const released = await insertPendingLead(db, {}, 1, ["honeypot"]);
const dropped = await insertPendingLead(db, {}, 1, ["honeypot"]);
const paymentId = await insertPayment(db, owner, leadId);

async function purchaseOf(lead: string) {
  const rows = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, lead));
  return rows[0]!.id;
}

/** Ids to insert in paths, by a part of the path. Other paths get a lead's id. */
const IDS: [part: string, id: string][] = [
  ["super-admin/leads/:id/release", released.id],
  ["super-admin/leads/:id/drop", dropped.id],
  ["super-admin/duds", dudId],
  ["reviews", reviewId],
  ["super-admin/bookings", bookingId],
  ["checks/:id", "chk_00000000000000000000"],
  ["messages/channels", "push"],
  ["super-admin/messages", "msg_00000000000000000000"],
  ["super-admin/regions", "macarthur"],
  ["super-admin/suburbs", "sub_manly"],
  ["lead-purchases/:id/dud", boughtId],
  ["lead-purchases", purchaseId],
  ["photos/purchases", purchaseId],
  ["photos/:id", "pho_00000000000000000000"],
  ["super-admin/guarantee", purchaseId],
  ["holds", "hold_00000000000000000000"],
  ["super-admin/providers", users.stranger.id],
  ["provider-notes", "note_00000000000000000000"],
  ["/cards/", "pm_0000000000"],
  ["/payments/", paymentId],
  ["password-link", users.team.id],
  ["team-members", leaver.id],
  ["sessions", "ses_00000000000000000000"],
  ["passkeys", "key_00000000000000000000"],
  ["notifications", "psh_00000000000000000000"],
];

async function pathOf(route: string): Promise<string> {
  const path = route.slice(route.indexOf(" ") + 1);
  if (["GET /api/requests", "GET /api/reviews", "GET /api/email-stops"].includes(route))
    return `${path}?token=made-up`;
  if (/\/auth\/(password|email)-link$/.test(path)) return `${path}?token=${"t".repeat(43)}`;
  // Create a new purchase for each caller, because a deleted purchase would affect later callers.
  const isRemoved = route.startsWith("DELETE /api/lead-purchases");
  const id = isRemoved
    ? await insertManualPurchase(db, owner, { stage: "called", startedAt: 2 })
    : (IDS.find(([part]) => path.includes(part))?.[1] ?? leadId);
  return path
    .replace(":region", "inner-west")
    .replace(":name", "leichhardt")
    .replace(":kind", path.includes("purchases") ? "after" : "logo")
    .replace(":size", "small")
    .replace(":slug", "leichhardt")
    .replace(":service", "lawn_mowing")
    .replace(":id", id)
    .replace(":leadId", leadId)
    .replace(":providerId", users.stranger.id);
}

function bodyOf(route: string): unknown {
  if (route === "POST /api/auth/login") return { username: account.username, password: PASSWORD };
  if (route === "POST /api/auth/logout") return {};
  if (route === "POST /api/create-payment-intent" || route === "POST /api/exchange/holds")
    return { leadId, amount: 5000 };
  if (route === "POST /api/auth/impersonate") return { targetUserId: users.stranger.id };
  const body = BODY_ROUTES[route]?.body();
  // An admin has to provide an email address for another person's account.
  return route.endsWith("/provider/signup") ? { ...body, email: `${crypto.randomUUID()}@example.com` } : body;
}

const cookies = new Map<CallerKind, string>();

/** Routes that change or end sessions. */
const CHANGES_SESSIONS = /auth|passkeys|sessions|password/;

/** Returns the cookie of a signed-in caller. */
async function cookieOf(kind: CallerKind, route: string): Promise<string | undefined> {
  if (kind === "visitor") return undefined;
  if (CHANGES_SESSIONS.test(route)) cookies.clear();
  const cookie = cookies.get(kind) ?? (await callerFor(users[kind].id)).cookie;
  if (!CHANGES_SESSIONS.test(route)) cookies.set(kind, cookie);
  return cookie;
}

test("the table has a row for every route and no other", () => {
  const routes = api.routes.filter(({ method }) => method !== "ALL");
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  expect(Object.keys(TABLE).toSorted()).toEqual([...known].toSorted());
});

test.each(Object.entries(TABLE))(
  "%s answers each kind of caller as the table says",
  async (route, expected) => {
    const method = route.slice(0, route.indexOf(" "));
    const statuses: Partial<Record<CallerKind, number>> = {};
    for (const kind of CALLERS) {
      const cookie = await cookieOf(kind, route);
      const response = await call(method, await pathOf(route), { cookie, body: bodyOf(route) });
      statuses[kind] = response.status;
    }
    expect(statuses).toEqual(Object.fromEntries(CALLERS.map((kind, i) => [kind, expected[i]])));
  },
);

test("rights are checked before the request's content", async () => {
  for (const [route, [visitor]] of Object.entries(TABLE)) {
    if (visitor !== 401 || route.startsWith("GET")) continue;
    const method = route.slice(0, route.indexOf(" "));
    const response = await call(method, await pathOf(route), { body: "{" });
    expect(response.status, route).toBe(401);
  }
});

test("another business's purchase is answered like an unknown one", async () => {
  const stranger = await callerFor(users.stranger.id);
  const answer = async (id: string) => {
    const response = await stranger("PATCH", `/api/lead-purchases/${id}/sales-stage`, {
      salesStage: "called",
    });
    const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>;
    return problem;
  };
  const theirs = await answer(purchaseId);
  expect(theirs).toMatchObject({ status: 404, code: "not_found" });
  expect(await answer("pur_00000000000000000000")).toEqual(theirs);
});

test("lists of purchases hold only the caller's business", async () => {
  for (const path of ["/api/lead-purchases", "/api/my-purchased-leads"]) {
    const ids = async (userId: string) => {
      const rows = (await (await (await callerFor(userId))("GET", path)).json()) as { id: string }[];
      return rows.map((row) => row.id);
    };
    const owners = await ids(owner.id);
    expect(owners, path).toContain(purchaseId);
    expect(await ids(users.team.id), path).toEqual(owners);
    for (const other of [users.stranger, users.admin]) {
      const theirs = await ids(other.id);
      expect(
        theirs.filter((id) => owners.includes(id)),
        path,
      ).toEqual([]);
    }
  }
});

test("a team member does not buy, not even what the owner has already bought", async () => {
  const team = await callerFor(users.team.id);
  const response = await team("POST", `/api/leads/${leadId}/purchase`, {
    ...BODY_ROUTES["POST /api/leads/:id/purchase"]!.body(),
  });
  expect(await response.json()).toMatchObject({ status: 403, code: "forbidden" });
});
