import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "web",
  ssr: true,
  // Read the routes from the manifest in the page, so that no link needs an extra request.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
