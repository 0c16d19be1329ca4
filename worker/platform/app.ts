import type { Context } from "hono";

import type { Caller } from "./caller.ts";
import type { Env } from "./env.ts";

export type AppEnv = { Bindings: Env & { CALLER: Caller } };
/** The context of a handler behind any gate. */
// oxlint-disable-next-line typescript/no-explicit-any -- Variables differ by gate and are not read through this type
export type AppContext = Context<AppEnv & { Variables: any }>;
