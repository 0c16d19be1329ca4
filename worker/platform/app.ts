import type { Context } from "hono";

import type { Caller } from "../caller.ts";
import type { Env } from "../env.ts";

/** What every handler of the API works with. */
export type AppEnv = { Bindings: Env & { CALLER: Caller } };
/** A handler's context, whichever gate it stands behind. */
// oxlint-disable-next-line typescript/no-explicit-any -- Variables differ by gate and are not read through this type
export type AppContext = Context<AppEnv & { Variables: any }>;
