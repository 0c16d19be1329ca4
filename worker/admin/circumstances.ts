import { type Actor, actorOf } from "../audit/commands.ts";
import type { Session } from "../auth/queries.ts";
import type { AppContext } from "../middleware/caller.ts";

/** Who does something and when, for the log's line about it. */
export function circumstancesOf(c: AppContext): { actor: Actor; now: number; requestId: string } {
  const session: Session = c.get("session");
  return { actor: actorOf(session), now: Date.now(), requestId: c.env.CALLER.requestId };
}
