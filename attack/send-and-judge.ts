/** Sends one request and passes its response to the judge. */
import { setTimeout as after } from "node:timers/promises";

import { OBJECT_ROWS } from "./counting.ts";
import type { CallerKind } from "./people.ts";
import type { AttackContext } from "./walk.ts";
import type { AttackResponse, AttackRequest } from "./wire.ts";

/** Wait for the background work of earlier requests. It takes less time than this. */
const SETTLE_MS = 300;

/**
 * Returns a response with only the rows that its own request changed. We cannot attribute an object's writes: they may
 * come from earlier work for another caller. So if a refused request seems to write in an object, sends it again when
 * no other work is running.
 */
async function sendForOwnRows({ wire }: AttackContext, request: AttackRequest): Promise<AttackResponse> {
  const response = await wire.send(request);
  if (response.status < 400 || !(OBJECT_ROWS in response.rows)) return response;
  await after(SETTLE_MS);
  const { rows } = await wire.send(request);
  const { [OBJECT_ROWS]: _, ...others } = response.rows;
  return OBJECT_ROWS in rows ? response : { ...response, rows: others };
}

/**
 * @param endpoint the route, such as `POST /api/leads`
 * @param replay the command-line arguments that repeat the request
 * @returns null if there was no response, which is recorded as a finding
 */
export async function sendAndJudge(
  context: AttackContext,
  endpoint: string,
  caller: CallerKind,
  request: AttackRequest,
  replay?: string,
): Promise<AttackResponse | null> {
  try {
    const response = await sendForOwnRows(context, request);
    context.judge.inspect(endpoint, caller, request, response, replay);
    return response;
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    context.judge.add({
      kind: "no answer",
      where: `${endpoint} as ${caller}`,
      what,
      ...(replay && { replay }),
    });
    return null;
  }
}
