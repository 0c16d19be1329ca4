import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

import { PAGE_LIST } from "../contract/visitor-pages.ts";

const visitorPages = (layout: "site" | "form") =>
  PAGE_LIST.filter((page) => page.layout === layout).map(({ pattern, file, id }) =>
    pattern === "/" ? index(file) : route(pattern.slice(1), file, id ? { id } : {}),
  );

/** The routes. Documents are pages for visitors; the application is for signed-in users. */
export default [
  layout("site/site-layout.tsx", [...visitorPages("site"), route("*", "site/not-found-page.tsx")]),
  layout("site/form-layout.tsx", visitorPages("form")),
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
        index("admin/to-decide-page.tsx"),
        route("leads", "admin/leads-page.tsx"),
        route("providers", "admin/providers-page.tsx"),
        route("providers/:id", "admin/provider-page.tsx"),
        route("payments", "admin/payments-page.tsx"),
        route("figures", "market-figures/market-figures-page.tsx"),
        route("audit", "admin/audit-page.tsx"),
        route("settings", "admin/settings-page.tsx"),
      ]),
    ]),
  ]),
] satisfies RouteConfig;
