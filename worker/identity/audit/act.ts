import type { Session } from "../../platform/session.ts";
import { type Actor, actorOf } from "./commands.ts";

/** The actor, time (epoch milliseconds) and request id of a change. */
export type Act<By = Actor> = { actor: By; now: number; requestId: string };

/** An act without its actor. A link's token or a new account supplies the actor later. */
export type UnsignedAct = Omit<Act, "actor">;

/** Returns the act of a session's user. Gates create it, and commands take it unchanged. */
export function actOf(session: Session, requestId: string, now: number): Act {
  return { actor: actorOf(session), now, requestId };
}
