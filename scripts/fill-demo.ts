/** Fills the local D1 and R2 with the demo world. Called by scripts/demo.ts. */
import sharp from "sharp";
import { getPlatformProxy } from "wrangler";

import { fillDemoWorld } from "../testing/demo.ts";
import { ROOT } from "../testing/tools.ts";
import { addPhoto } from "../worker/leads/photos/commands.ts";
import type { Context } from "../worker/platform/context.ts";
import { database } from "../worker/platform/db/client.ts";
import { STATE_DIR } from "./local.ts";

const proxy = await getPlatformProxy<Pick<Context, "DB" | "FILES" | "IMAGES">>({
  configPath: `${ROOT}wrangler.toml`,
  persist: { path: `${STATE_DIR}/v3` },
});
const store = { ...proxy.env, db: database(proxy.env.DB) };
await fillDemoWorld({
  db: store.db,
  addDrawing: async (owner, svg, now) =>
    addPhoto(store, owner, await sharp(Buffer.from(svg)).jpeg().toBuffer(), now),
  now: Date.now(),
});
await proxy.dispose();
