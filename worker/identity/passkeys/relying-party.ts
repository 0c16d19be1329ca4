import type { AppContext } from "../../platform/app.ts";
import { type RelyingParty, relyingParty } from "./rules.ts";

export function relyingPartyOf(c: AppContext): RelyingParty {
  return relyingParty(c.env.settings.siteHost, c.req.url);
}
