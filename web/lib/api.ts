import type { ClientResponse, hc } from "hono/client";

import { type Problem, readProblem } from "../../contract/problem.ts";
import type { Api } from "../../worker/api.ts";

/** The typed API client. It works in the browser and, in-process, on the server. */
export type ApiClient = ReturnType<typeof hc<Api>>;

/**
 * An error for a response that is not OK. `message` is "{status}: {body}", as the specification requires. Screens
 * choose their text by `problem.code` and show `problem.detail` as the server's message. The error has the shape of
 * React Router's error responses, so a failed page responds with this status, not with 500.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly statusText: string;
  readonly internal = false;
  readonly data = null;
  /** Null if the body is not problem+json, for example from a proxy. */
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
    return readProblem(JSON.parse(body));
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
 * Returns the JSON of an OK response.
 * @throws ApiError for any other response; TypeError without a response (offline)
 */
export async function unwrap<Response extends ClientResponse<unknown, number, string>>(
  answer: Response | Promise<Response>,
): Promise<JsonOf<Response>> {
  const response = await answer;
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
  return (await response.json()) as JsonOf<Response>;
}

/**
 * Waits for a response without content (204).
 * @throws ApiError for any other response; TypeError without a response (offline)
 */
export async function expectOk(
  answer: ClientResponse<unknown, number, string> | Promise<ClientResponse<unknown, number, string>>,
): Promise<void> {
  const response = await answer;
  if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
}

/** Returns the server's message, or `fallback` if the error has none (offline, a proxy's page). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.problem ? error.problem.detail : fallback;
}

/** Returns the problem's code, or null for any other error. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? (error.problem?.code ?? null) : null;
}
