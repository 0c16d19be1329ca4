/**
 * Lists who may call which route. Written by hand from the roles. If it were derived from the Worker's gates, an open
 * gate would go unnoticed.
 */
import { CALLERS, type CallerKind } from "./people.ts";

const SIGNED_IN = ["customer", "provider", "stranger", "team", "admin", "impersonating"] as const;
const BUSINESSES = ["provider", "stranger", "team", "admin", "impersonating"] as const;
const OWNERS = ["provider", "stranger", "admin", "impersonating"] as const;

/** Removes the impersonating admin, who must not buy, speak for a business, or access passwords, passkeys or bank details. */
const withoutImpersonation = (callers: readonly CallerKind[]) =>
  callers.filter((caller) => caller !== "impersonating");

/** Each line has a path and its methods. A deactivated provider has a visitor's rights. */
const TABLE: readonly { callers: readonly CallerKind[]; routes: string }[] = [
  {
    callers: CALLERS,
    routes: `
      /api/health GET
      /api/auth/login POST
      /api/auth/logout POST
      /api/auth/provider/signup POST
      /api/auth/customer/signup POST
      /api/auth/forgot-password POST
      /api/auth/password-link GET
      /api/auth/reset-password POST
      /api/auth/email-link GET
      /api/auth/confirm-email POST
      /api/auth/passkey/options POST
      /api/auth/passkey POST
      /api/auth/second-factor GET POST
      /api/auth/second-factor/options POST
      /api/auth/recovery-code POST
      /api/suburbs GET
      /api/suburbs/listed GET
      /api/suburbs/suggest GET
      /api/suburbs/by/address GET
      /api/suburbs/:name GET
      /api/suburbs/:name/card GET
      /api/profiles GET
      /api/profiles/near/:slug GET
      /api/profiles/jobs/:service GET
      /api/profiles/:slug GET
      /api/public-figures GET
      /api/public-figures/prices GET
      /api/forms/start GET
      /api/bookings POST
      /api/leads POST
      /api/requests GET
      /api/requests/withdraw POST
      /api/requests/call-answer POST
      /api/requests/guarantee POST
      /api/guarantee-rate GET
      /api/requests/contact POST
      /api/requests/change POST
      /api/requests/phone POST
      /api/requests/erase POST
      /api/photos POST
      /api/photos/:id/removal POST
      /api/photos/:id/agreement POST
      /api/photos/:id/:size GET
      /api/reviews GET POST
      /api/reviews/totals GET
      /api/my-requests GET
      /api/my-requests/links POST
      /api/my-requests/open POST
      /api/my-requests/request-links POST
      /api/email-stops GET POST
      /api/stripe/webhook POST
      /api/sms/webhook/:secret POST`,
  },
  {
    callers: SIGNED_IN,
    routes: `
      /api/auth/me GET
      /api/auth/stop-impersonation POST
      /api/user/personal-info GET PUT
      /api/user/sessions GET
      /api/user/sign-ins GET`,
  },
  {
    callers: withoutImpersonation(SIGNED_IN),
    routes: `
      /api/auth/confirm GET
      /api/auth/confirm/password POST
      /api/auth/confirm/passkey/options POST
      /api/auth/confirm/passkey POST
      /api/passkeys GET POST
      /api/passkeys/options POST
      /api/passkeys/recovery-codes POST
      /api/passkeys/:id PATCH DELETE
      /api/user/password PUT
      /api/user/pending-email POST DELETE
      /api/user/sessions DELETE
      /api/user/sessions/:id DELETE`,
  },
  {
    // Team members work on the pipeline: they read the market, and change stages, notes, amounts and contact details. An
    // impersonating admin changes the same, except the stage (below).
    callers: BUSINESSES,
    routes: `
      /api/exchange/:region/live GET
      /api/business/live GET
      /api/leads GET
      /api/leads/offers GET
      /api/duds GET
      /api/lead-purchases GET
      /api/my-purchased-leads GET
      /api/lead-purchases/:id GET
      /api/lead-purchases/:id/customer PATCH
      /api/lead-purchases/:id/answers-seen POST
      /api/photos/own/:kind GET
      /api/pipeline GET
      /api/pipeline/changes GET
      /api/team-members/names GET
      /api/notifications GET
      /api/notifications/quiet-hours PUT
      /api/user/watched-regions PUT
      /api/user/text-templates GET
      /api/user/suggested-regions GET
      /api/user/home GET`,
  },
  {
    // The valid body of `sales-stage` moves the lead, which stops the customer's clock like a logged call.
    callers: withoutImpersonation(BUSINESSES),
    routes: `
      /api/lead-purchases/:id/sales-stage PATCH
      /api/lead-purchases/:id/contacts POST
      /api/photos/purchases/:id/:kind POST
      /api/photos/:id PATCH DELETE
      /api/notifications/devices POST
      /api/notifications/devices/:id DELETE
      /api/notifications/devices/:id/test POST`,
  },
  {
    // Routes that change the business or show its finances. Team members may not call them.
    callers: OWNERS,
    routes: `
      /api/leads/manual POST
      /api/lead-purchases/:id DELETE
      /api/lead-purchases/:id/archive POST
      /api/lead-purchases/:id/restore POST
      /api/pipeline/export.csv GET
      /api/figures GET
      /api/figures/standing GET
      /api/figures/calls GET
      /api/reviews/own GET
      /api/reviews/own/summary GET
      /api/payments GET
      /api/payments/open GET
      /api/payments/cards GET
      /api/payments/:id GET
      /api/team-members GET
      /api/team-members/:id DELETE
      /api/team-members/:id/alerts PUT
      /api/notifications/lead-alerts PUT
      /api/user/profile GET
      /api/user/services PUT
      /api/user/text-templates PUT
      /api/user/checks GET
      /api/user/checks/:id/file GET`,
  },
  {
    callers: withoutImpersonation(OWNERS),
    routes: `
      /api/leads/:id/purchase POST
      /api/leads/:id/claim-with-credit POST
      /api/create-payment-intent POST
      /api/exchange/holds POST
      /api/exchange/holds/:id DELETE
      /api/payments/settle POST
      /api/payments/keep-card POST
      /api/payments/pay-saved POST
      /api/payments/cards/:id DELETE
      /api/lead-purchases/:id/dud POST
      /api/lead-purchases/:id/contest POST
      /api/reviews/:id/reply POST
      /api/team-members POST
      /api/team-members/:id/password-link POST
      /api/user/bank-details GET PUT
      /api/photos/own/:kind POST
      /api/user/profile PUT
      /api/user/checks POST
      /api/user/checks/insurance POST`,
  },
  {
    callers: ["admin"],
    routes: `
      /api/auth/impersonate POST
      /api/users/providers GET
      /api/super-admin/overview GET
      /api/super-admin/market GET
      /api/super-admin/market/calls GET
      /api/super-admin/market/:file GET
      /api/super-admin/leads GET
      /api/super-admin/claim-lead/:id POST
      /api/super-admin/assign-lead/:leadId/:providerId POST
      /api/super-admin/leads/:id/withdraw POST
      /api/super-admin/leads/:id/move POST
      /api/super-admin/leads/:id/release POST
      /api/super-admin/leads/:id/drop POST
      /api/super-admin/regions/paused GET
      /api/super-admin/regions/:id/pause POST
      /api/super-admin/regions/:id/resume POST
      /api/super-admin/bookings GET
      /api/super-admin/bookings/:id/handled POST
      /api/super-admin/payments GET
      /api/super-admin/payments/:id/refund POST
      /api/super-admin/payments/:id/release POST
      /api/super-admin/duds GET
      /api/super-admin/duds/:id/answer POST
      /api/super-admin/checks GET
      /api/super-admin/checks/:id/file GET
      /api/super-admin/checks/:id/decision POST
      /api/super-admin/guarantee GET
      /api/super-admin/guarantee/:id/answer POST
      /api/super-admin/leads/:id/wrong-number POST
      /api/super-admin/reviews GET
      /api/super-admin/reviews/:id POST
      /api/super-admin/reviews/:id/reply DELETE
      /api/super-admin/providers/:id GET PATCH
      /api/super-admin/providers/:id/purchases GET
      /api/super-admin/providers/:id/calls GET
      /api/super-admin/providers/:id/password-link POST
      /api/super-admin/providers/:id/notes POST
      /api/super-admin/providers/:id/profile PUT
      /api/super-admin/providers/:id/message POST
      /api/super-admin/provider-notes/:id DELETE
      /api/super-admin/suburbs GET
      /api/super-admin/suburbs/:id PATCH
      /api/super-admin/attention GET
      /api/super-admin/attention/resolve POST
      /api/super-admin/audit GET
      /api/super-admin/audit.csv GET
      /api/super-admin/messages GET
      /api/super-admin/messages/channels GET
      /api/super-admin/messages/channels/:id PUT
      /api/super-admin/messages/:id/again POST
      /api/super-admin/messages/person POST
      /api/super-admin/messages/stops PUT`,
  },
];

/** The permitted callers of each route, such as `GET /api/leads`. */
export const RIGHTS: ReadonlyMap<string, readonly CallerKind[]> = new Map(
  TABLE.flatMap(({ callers, routes }) =>
    routes
      .trim()
      .split("\n")
      .flatMap((line) => {
        const [path, ...methods] = line.trim().split(" ");
        return methods.map((method) => [`${method} ${path}`, callers] as const);
      }),
  ),
);

/** Returns the callers that a route must not refuse. Only admin pages refuse callers. */
function allowedCallers(route: string): readonly CallerKind[] {
  const path = route.slice(route.indexOf(" ") + 1).replace(/\.data$/, "");
  if (path.startsWith("/api/")) return RIGHTS.get(route) ?? [];
  return path === "/admin" || path.startsWith("/admin/") ? ["admin"] : CALLERS;
}

/** Error codes with which a gate refuses a caller. Other refusals depend on the request. */
const GATE_CODES = new Set([
  "unauthenticated",
  "forbidden",
  "impersonating",
  "must_change_password",
  "passkey_needed",
]);

/**
 * Compares a response with the access table.
 *
 * @param code the response's error code, or "" if it has none
 * @returns a description of the difference; null if there is none
 */
export function findWrongAccess(
  route: string,
  caller: CallerKind,
  { status, code }: { status: number; code: string },
): string | null {
  if (allowedCallers(route).includes(caller))
    return GATE_CODES.has(code) && status < 500 ? `refused with ${status} ${code}` : null;
  const expected = caller === "visitor" || caller === "deactivated" ? 401 : 403;
  return status === expected ? null : `answered ${status}, not ${expected}`;
}
