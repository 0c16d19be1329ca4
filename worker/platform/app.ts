import type { Context as HonoContext } from "hono";

import type { Caller } from "./caller.ts";
import type { Context } from "./context.ts";

export type AppEnv = { Bindings: Context & { CALLER: Caller } };
/** Context of a handler behind any gate. */
// oxlint-disable-next-line typescript/no-explicit-any -- Variables differ by gate and are not read through this type
export type AppContext = HonoContext<AppEnv & { Variables: any }>;
