import { fileURLToPath } from "node:url";

import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

import { routesOf } from "./scripts/deploy-rules.ts";
import { documents } from "./scripts/documents-plugin.ts";
import { markdown } from "./scripts/markdown-plugin.ts";
import { offlineFiles } from "./scripts/offline-files-plugin.ts";

const WEB = fileURLToPath(new URL("web", import.meta.url));

/** @param paths modules without their extension, separated by spaces */
const modules = (paths: string) => new RegExp(`/(?:${paths.replaceAll(" ", "|")})\\.tsx?`);

/**
 * Chunks of the signed-in application. Each contains the modules that `test` matches and all their imports. The first
 * match wins. Without groups, the bundler makes one file for each set of pages that shares modules: 73 files before the
 * dashboard hydrates.
 */
const APPLICATION_CHUNKS = [
  { name: "app", test: modules("web/entry.client web/root web/app/app-layout") },
  { name: "dashboard", test: modules("web/dashboard/dashboard-page") },
  // Settings and the admin pages use these modules without the dashboard's late parts.
  {
    name: "shared",
    test: modules(
      "contract/bad-leads contract/guarantee contract/leads contract/payments contract/phone web/lib/check-form web/lib/use-app-form " +
        "web/notifications/notifications web/team/password-link-dialog " +
        "web/ui/alert web/ui/choice-group web/ui/field",
    ),
  },
  // The lists, the purchase dialog and signing out share these modules, so that each loads without the others.
  {
    name: "purchases",
    test: modules(
      "web/payments/purchase-session web/payments/saved-cards-query web/purchases/call-clock-mark " +
        "web/purchases/call-question web/purchases/contact-links web/purchases/use-outbox web/purchases/use-purchase-change " +
        "web/purchases/warn-before-unload",
    ),
  },
  { name: "purchase-dialog", test: modules("web/payments/purchase-dialog") },
  {
    name: "lists",
    test: modules(
      "web/dashboard/after-call web/dashboard/live-lists " +
        "web/dashboard/set-up-checklist web/pipeline/pipeline-view web/team/team-section",
    ),
  },
];

export default defineConfig({
  plugins: [
    markdown(),
    documents(WEB),
    offlineFiles(WEB),
    // The site's host becomes a custom domain of the Worker, so that `npx wrangler deploy` alone connects it too.
    cloudflare({ viteEnvironment: { name: "ssr" }, config: (config) => ({ routes: routesOf(config) }) }),
    reactRouter(),
  ],
  build: {
    // Icons are inlined as JSX by hand; nothing else should be.
    assetsInlineLimit: 0,
    cssMinify: true,
  },
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: APPLICATION_CHUNKS } } } },
    },
  },
});
