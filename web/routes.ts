import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

/**
 * The routes. Documents are pages for visitors; the application is for signed-in users. The dashboard's first load
 * includes this list. It compresses best when pages that share files are next to each other.
 */
export default [
  layout("site/site-layout.tsx", [
    route("locations", "suburbs/locations-page.tsx"),
    route("location/:suburb", "suburbs/suburb-page.tsx"),
    route("services", "services/services-page.tsx"),
    route("service/:service", "services/service-page.tsx"),
    index("home/home-page.tsx"),
    route("providers", "site/providers-page.tsx"),
    route("provider/:slug", "provider-profiles/profile-page.tsx"),
    route("privacy-policy", "site/privacy-page.tsx"),
    route("reviews", "reviews/how-reviews-work-page.tsx"),
    route("terms-conditions", "site/terms-page.tsx"),
    route("how-it-works", "site/how-it-works-page.tsx"),
    route("success", "quotes/success-page.tsx"),
    route("*", "site/not-found-page.tsx"),
  ]),
  layout("site/form-layout.tsx", [
    route("get-quote", "quotes/get-quote-page.tsx"),
    route("provider-signup", "auth/signup-page.tsx", { id: "provider-signup" }),
    route("signup", "auth/signup-page.tsx", { id: "signup" }),
    route("login", "auth/login-page.tsx"),
    route("login/passkey", "passkeys/passkey-page.tsx"),
    route("forgot-password", "auth/forgot-password-page.tsx"),
    route("reset-password/:token", "auth/reset-password-page.tsx"),
    route("confirm-email/:token", "auth/confirm-email-page.tsx"),
    route("request/:token", "requests/request-page.tsx"),
    route("request/:token/change", "requests/change-page.tsx"),
    route("review/:token", "reviews/review-page.tsx"),
    route("my-requests", "requests/my-requests-page.tsx"),
    route("my-requests/:token", "requests/open-requests-page.tsx"),
    route("stop-emails/:token", "site/stop-emails-page.tsx"),
    route("choose-password", "auth/choose-password-page.tsx"),
  ]),
  route("og/:file", "share-pictures/og-image.ts"),
  route("sitemap.xml", "site/sitemap.ts", { id: "sitemap" }),
  route("sitemap/:file", "site/sitemap.ts", { id: "sitemap-part" }),
  route("robots.txt", "site/robots.ts"),
  route("naturestrip.vcf", "site/contact-card.ts"),
  route("auth/login", "auth/login-redirect.ts"),
  route("logout", "site/logout.ts"),
  // Outside the application's layout, which fetches the user. A phone caches this page for offline use.
  route("dashboard/offline", "offline/offline-page.tsx"),
  layout("app/app-layout.tsx", [
    // Shows a page's failure below the app's bar.
    layout("app/app-pages.tsx", [
      route("dashboard", "dashboard/dashboard-page.tsx"),
      route("receipts", "payments/receipts-page.tsx"),
      route("receipts/:id", "payments/receipt-page.tsx"),
      route("settings", "account/settings-page.tsx"),
      route("my-page", "provider-profiles/editor-page.tsx"),
      route("figures", "figures/figures-page.tsx"),
      route("my-reviews", "reviews/own-reviews-page.tsx"),
      route("admin", "admin/admin-layout.tsx", [
        index("market-figures/market-overview-page.tsx", { id: "admin-glance" }),
        route("providers", "admin/providers-page.tsx"),
        route("providers/:id", "admin/provider-page.tsx"),
        route("leads", "admin/leads-page.tsx"),
        route("bookings", "admin/bookings-page.tsx"),
        route("payments", "admin/payments-page.tsx"),
        route("duds", "admin/duds-page.tsx"),
        route("guarantee", "admin/guarantee-page.tsx"),
        route("reviews", "admin/reviews-page.tsx", { id: "admin-reviews" }),
        route("checks", "admin/checks-page.tsx"),
        route("suburbs", "admin/suburbs-page.tsx"),
        route("audit", "admin/audit-page.tsx"),
        route("messages", "admin/messages-page.tsx"),
      ]),
    ]),
  ]),
] satisfies RouteConfig;
