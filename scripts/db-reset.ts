/** `npm run db:reset`: deletes the local D1 and R2 data. The next start creates the demo world again. */
import { rmSync } from "node:fs";

import { main, readArguments } from "./command.ts";
import { STATE_DIR } from "./local.ts";
import { findRunningServer } from "./running-server.ts";

await main(async () => {
  readArguments({ name: "db:reset" });
  const serving = await findRunningServer();
  if (serving)
    throw new Error(
      `Nothing was deleted: Naturestrip is running at ${serving.url} and would lose its data. Stop it first (Ctrl+C in its window).`,
    );
  rmSync(STATE_DIR, { recursive: true, force: true });
  console.log("The local world is empty. `npm start` fills it again.");
});
