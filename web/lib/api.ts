import type { ClientResponse, hc } from "hono/client";

import { type Problem, problemSchema } from "../../contract/problem.ts";
import type { Api } from "../../worker/api.ts";

/** The typed API, in the browser and, in-process, on the server. */
export type ApiClient = ReturnType<typeof hc<Api>>;

/**
 * Any answer that is not OK. `message` is "{status}: {body}" as the specification says; screens choose
 * their words by `problem.code` and show `problem.detail` as the server's message. It is shaped as React
 * Router's error responses are: a page that cannot be made for it answers with its status, not with a 500.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  readonly internal = false;
  readonly data = null;
  /** Null when the body was no problem+json, e.g. from a proxy. */
  readonly problem: Problem | null;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.status = status;
    this.statusText = statusText;
    this.problem = parseProblem(body);
  }
}

function parseProblem(body: string): Problem | null {
  try {
    return problemSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

type JsonOf<Response> =
  Response extends ClientResponse<infer Data, infer Status, "json">
    ? Status extends 200 | 201 | number
      ? Data
      : never
    : never;

/**
 * The JSON of an OK answer.
 * @throws ApiError for any other answer; TypeError when there was none (offline)
 */
export async function unwrap<Response extends ClientResponse<unknown, number, string>>(
  answer: Response | Promise<Response>,
): Promise<JsonOf<Response>> {
  const response = await answer;
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  return (await response.json()) as JsonOf<Response>;
}

/**
 * Waits for an answer that has nothing to say but that it is done (204).
 * @throws ApiError for any other answer; TypeError when there was none (offline)
 */
export async function expectDone(
  answer: ClientResponse<unknown, number, string> | Promise<ClientResponse<unknown, number, string>>,
): Promise<void> {
  const response = await answer;
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
}

/** The server's words for the person, or ours when it had none (offline, a proxy's page). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.problem ? error.problem.detail : fallback;
}

/** The problem's code, or null when the error was something else. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? (error.problem?.code ?? null) : null;
}
