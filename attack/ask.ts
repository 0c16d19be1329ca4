/** Sends one request and has its answer judged. */
import { setTimeout as after } from "node:timers/promises";

import { OBJECT_ROWS } from "./counting.ts";
import type { CallerKind } from "./people.ts";
import type { Stage } from "./walk.ts";
import type { Answer, Shot } from "./wire.ts";

/** Longer than what an earlier request has left to be done behind its answer. */
const QUIET_MS = 300;

/**
 * An answer with the rows that the request itself has changed. What an object writes cannot be told from what
 * it was still doing for somebody else, so a refused request that seems to have made it write is sent again,
 * when all is quiet.
 */
async function ownAnswer({ wire }: Stage, shot: Shot): Promise<Answer> {
  const answer = await wire.send(shot);
  if (answer.status < 400 || !(OBJECT_ROWS in answer.rows)) return answer;
  await after(QUIET_MS);
  const { rows } = await wire.send(shot);
  const { [OBJECT_ROWS]: _, ...others } = answer.rows;
  return OBJECT_ROWS in rows ? answer : { ...answer, rows: others };
}

/**
 * @param goal what is asked for, such as `POST /api/leads`
 * @param replay the arguments that send it again
 * @returns null when there was no answer, which is found as well
 */
export async function ask(
  stage: Stage,
  goal: string,
  caller: CallerKind,
  shot: Shot,
  replay?: string,
): Promise<Answer | null> {
  try {
    const answer = await ownAnswer(stage, shot);
    stage.judge.look(goal, caller, shot, answer, replay);
    return answer;
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    stage.judge.add({ kind: "no answer", where: `${goal} as ${caller}`, what, ...(replay && { replay }) });
    return null;
  }
}
