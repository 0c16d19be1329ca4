import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

/** The URL map. Documents are visitors' pages; the application is for signed-in people. */
export default [
  layout("site/site-layout.tsx", [index("site/home-page.tsx"), route("*", "site/not-found-page.tsx")]),
  layout("app/app-layout.tsx", [route("dashboard", "leads/dashboard-page.tsx")]),
] satisfies RouteConfig;
