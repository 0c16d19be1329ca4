/** `npm run db:reset`: empties the local database and objects. The next start fills the demo world again. */
import { rmSync } from "node:fs";

import { STATE_DIR } from "./local.ts";

rmSync(STATE_DIR, { recursive: true, force: true });
console.log("The local world is empty. `npm start` fills it again.");
