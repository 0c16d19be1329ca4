import { settings } from "../../platform/env.ts";
import type { AppContext } from "../../platform/app.ts";
import { type RelyingParty, relyingParty } from "./rules.ts";

export function partyOf(c: AppContext): RelyingParty {
  return relyingParty(settings(c.env).siteHost, c.req.url);
}
