/** Fills the local D1 with the demo world. Called by scripts/demo.ts. */
import { getPlatformProxy } from "wrangler";

import { fillDemoWorld } from "../testing/demo.ts";
import { STATE_DIR } from "./local.ts";
import { ROOT } from "../testing/tools.ts";

const proxy = await getPlatformProxy<{ DB: D1Database }>({
  configPath: `${ROOT}wrangler.toml`,
  persist: { path: `${STATE_DIR}/v3` },
});
await fillDemoWorld(proxy.env.DB, Date.now());
await proxy.dispose();
