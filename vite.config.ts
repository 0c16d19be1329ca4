import { fileURLToPath } from "node:url";

import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

import { documents } from "./scripts/documents-plugin.ts";

/**
 * Chunks of the signed-in application. Each contains the modules that `test` matches and all their imports. The first
 * match wins. Without groups, the bundler makes one file for each set of pages that shares modules: 73 files before the
 * dashboard hydrates.
 */
const APPLICATION_CHUNKS = [
  { name: "app", test: /web\/(?:entry\.client|root|app\/app-layout)\.tsx/ },
  { name: "dashboard", test: /web\/dashboard\/dashboard-page\.tsx/ },
];

export default defineConfig({
  plugins: [
    documents(fileURLToPath(new URL("web", import.meta.url))),
    cloudflare({ viteEnvironment: { name: "ssr" } }),
    reactRouter(),
  ],
  build: {
    // Icons and small drawings are inlined as JSX by hand; nothing else should be.
    assetsInlineLimit: 0,
    cssMinify: true,
  },
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: APPLICATION_CHUNKS } } } },
    },
  },
});
