import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "web",
  ssr: true,
  // Route modules are discovered from the manifest in the page; no extra request per link.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
