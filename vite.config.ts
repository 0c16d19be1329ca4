import { fileURLToPath } from "node:url";

import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

import { documents } from "./scripts/documents-plugin.ts";

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
});
