import type { Session } from "../platform/session.ts";
import { type Actor, actorOf } from "./commands.ts";

/** Somebody does something: who and on whose behalf, when (epoch ms), and in which request. */
export type Act<By = Actor> = { actor: By; now: number; requestId: string };

/** The same while nobody is known yet: a link's token or a new account will say who it was. */
export type UnsignedAct = Omit<Act, "actor">;

/** The act of a session's person. Gates make it; commands take it as it is. */
export function actOf(session: Session, requestId: string, now: number): Act {
  return { actor: actorOf(session), now, requestId };
}
