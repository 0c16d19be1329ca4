/** Sends one request and passes its response to the judge. */
import { setTimeout as after } from "node:timers/promises";

import { OBJECT_ROWS } from "./counting.ts";
import type { CallerKind } from "./people.ts";
import type { Stage } from "./walk.ts";
import type { Answer, Shot } from "./wire.ts";

/** Wait for the background work of earlier requests. It takes less time than this. */
const QUIET_MS = 300;

/**
 * Returns a response with only the rows that its own request changed. We cannot attribute an object's writes: they may
 * come from earlier work for another caller. So if a refused request seems to write in an object, sends it again when
 * no other work is running.
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
 * @param goal the route, such as `POST /api/leads`
 * @param replay the command-line arguments that repeat the request
 * @returns null if there was no response, which is recorded as a finding
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
