import { Hono } from "hono";

import { customerPhotoRoutes } from "./customer/request/photo-routes.ts";
import { accountRoutes } from "./identity/account/routes.ts";
import { adminRoutes } from "./operations/admin/routes.ts";
import { attentionAdminRoutes } from "./operations/attention/admin-routes.ts";
import { auditAdminRoutes } from "./identity/audit/admin-routes.ts";
import { authRoutes } from "./identity/auth/routes.ts";
import { bookingAdminRoutes } from "./leads/bookings/admin-routes.ts";
import { bookingRoutes } from "./leads/bookings/routes.ts";
import { DomainError, problemResponse } from "./platform/errors.ts";
import { badLeadAdminRoutes } from "./pipeline/bad-leads/admin-routes.ts";
import { badLeadRoutes } from "./pipeline/bad-leads/routes.ts";
import { guaranteeAdminRoutes } from "./pipeline/guarantee/admin-routes.ts";
import { guaranteeRoutes } from "./pipeline/guarantee/routes.ts";
import { liveRoutes } from "./live-routes.ts";
import { regionAdminRoutes } from "./exchange/admin-routes.ts";
import { checkAdminRoutes } from "./identity/checks/admin-routes.ts";
import { checkRoutes } from "./identity/checks/routes.ts";
import { figureRoutes } from "./pipeline/figures/routes.ts";
import { healthRoutes } from "./operations/health/routes.ts";
import { impersonationRoutes } from "./identity/impersonation/routes.ts";
import { leadAdminRoutes } from "./operations/leads/admin-routes.ts";
import { leadRoutes } from "./leads/routes.ts";
import { log } from "./platform/log.ts";
import { marketFigureAdminRoutes } from "./operations/market-figures/admin-routes.ts";
import { messageAdminRoutes } from "./messages/admin-routes.ts";
import { emailStopRoutes, notificationRoutes, smsRoutes } from "./messages/routes.ts";
import type { AppEnv } from "./platform/context.ts";
import { NO_ROUTE } from "./middleware/request-log.ts";
import { confirmRoutes, passkeyRoutes } from "./identity/passkeys/routes.ts";
import { passkeySignInRoutes } from "./identity/passkeys/sign-in-routes.ts";
import { paymentAdminRoutes } from "./selling/payments/admin-routes.ts";
import { paymentRoutes } from "./selling/payments/routes.ts";
import { manualLeadRoutes, pipelineRoutes } from "./pipeline/routes.ts";
import { ownProfileRoutes, profileRoutes } from "./pipeline/profiles/routes.ts";
import { reviewAdminRoutes } from "./pipeline/reviews/admin-routes.ts";
import { reviewRoutes } from "./pipeline/reviews/routes.ts";
import { providerAdminRoutes, providerListRoutes } from "./operations/providers/admin-routes.ts";
import { buyRoutes } from "./selling/purchases/routes.ts";
import { purchaseRoutes } from "./pipeline/purchases/routes.ts";
import { publicFigureRoutes } from "./operations/public-figures/routes.ts";
import { closureRoutes, requestErasureRoutes } from "./operations/erasure/routes.ts";
import { photoRoutes } from "./leads/photos/routes.ts";
import { requestListRoutes } from "./customer/my-requests/routes.ts";
import { customerReviewRoutes, requestLinkRoutes } from "./customer/request/routes.ts";
import { quarantineAdminRoutes } from "./leads/quarantine/admin-routes.ts";
import { formRoutes } from "./leads/quarantine/routes.ts";
import { accountPlaceRoutes, suburbRoutes } from "./leads/suburbs/routes.ts";
import { suburbAdminRoutes } from "./leads/suburbs/admin-routes.ts";
import { teamRoutes } from "./identity/team/routes.ts";

const app = new Hono<AppEnv>();

/** The API. Socket routes come first: other routes may add headers, but a 101 response must not be changed. */
export const api = app
  .route("/api", liveRoutes)
  .route("/api/health", healthRoutes)
  .route("/api/auth", authRoutes)
  .route("/api/auth", impersonationRoutes)
  .route("/api/auth", passkeySignInRoutes)
  .route("/api/auth/confirm", confirmRoutes)
  .route("/api/passkeys", passkeyRoutes)
  .route("/api/super-admin", adminRoutes)
  .route("/api/super-admin", marketFigureAdminRoutes)
  .route("/api/super-admin", leadAdminRoutes)
  .route("/api/super-admin", quarantineAdminRoutes)
  .route("/api/super-admin", regionAdminRoutes)
  .route("/api/super-admin", bookingAdminRoutes)
  .route("/api/super-admin", paymentAdminRoutes)
  .route("/api/super-admin", badLeadAdminRoutes)
  .route("/api/super-admin", reviewAdminRoutes)
  .route("/api/super-admin", providerAdminRoutes)
  .route("/api/super-admin", checkAdminRoutes)
  .route("/api/super-admin", suburbAdminRoutes)
  .route("/api/super-admin", attentionAdminRoutes)
  .route("/api/super-admin", auditAdminRoutes)
  .route("/api/super-admin", messageAdminRoutes)
  .route("/api/super-admin", guaranteeAdminRoutes)
  .route("/api", badLeadRoutes)
  .route("/api", guaranteeRoutes)
  .route("/api/users", providerListRoutes)
  .route("/api/suburbs", suburbRoutes)
  .route("/api/profiles", profileRoutes)
  .route("/api/bookings", bookingRoutes)
  .route("/api/leads", leadRoutes)
  .route("/api/leads", manualLeadRoutes)
  .route("/api/leads", buyRoutes)
  .route("/api/requests", requestLinkRoutes)
  .route("/api/my-requests", requestListRoutes)
  .route("/api/requests", requestErasureRoutes)
  .route("/api/photos", photoRoutes)
  .route("/api/photos", customerPhotoRoutes)
  .route("/api/reviews", customerReviewRoutes)
  .route("/api/reviews", reviewRoutes)
  .route("/api/forms", formRoutes)
  .route("/api", paymentRoutes)
  .route("/api", purchaseRoutes)
  .route("/api/pipeline", pipelineRoutes)
  .route("/api/figures", figureRoutes)
  .route("/api/public-figures", publicFigureRoutes)
  .route("/api/team-members", teamRoutes)
  .route("/api/notifications", notificationRoutes)
  .route("/api/sms", smsRoutes)
  .route("/api/email-stops", emailStopRoutes)
  .route("/api/user", accountRoutes)
  .route("/api/user/checks", checkRoutes)
  .route("/api/user", accountPlaceRoutes)
  .route("/api/user", closureRoutes)
  .route("/api/user", ownProfileRoutes);

/** The only type that `web/` imports from the Worker. */
export type Api = typeof api;

app.notFound((c) =>
  problemResponse(new DomainError("not_found", "There is no such call"), c.env.CALLER.requestId),
);

app.onError((error, c) => {
  const { requestId } = c.env.CALLER;
  if (error instanceof DomainError) return problemResponse(error, requestId);
  log("error", "unhandled", {
    requestId,
    method: c.req.method,
    route: apiRoute(c.req.method, c.req.path),
    error,
  });
  return problemResponse(new DomainError("internal"), requestId);
});

/** Returns the route pattern that matches a path, such as `/api/leads/:id/purchase`. */
export function apiRoute(method: string, path: string): string {
  const [matches] = api.router.match(method, path);
  return matches.map(([[, route]]) => route.path).findLast((pattern) => !pattern.includes("*")) ?? NO_ROUTE;
}
