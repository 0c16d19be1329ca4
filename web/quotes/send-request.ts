import { type FieldErrors, readProblem } from "../../contract/problem.ts";
import { groupErrorsByField } from "./quote-check.ts";

/** Timeout of a request. The visitor can send the same submission again. */
const SEND_TIMEOUT_MS = 20_000;

export type Outcome =
  | { sent: true; answer: unknown }
  | { sent: false; errors: FieldErrors; failure: string | null };

/**
 * Sends a validated form from an island to the API.
 * @param failedText the error message if the server gives no reason
 */
export async function sendForm(path: `/api/${string}`, body: object, failedText: string): Promise<Outcome> {
  const failed = { sent: false, errors: {}, failure: failedText } as const;
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    if (response.ok) return { sent: true, answer: await response.json().catch(() => null) };
    const problem = readProblem(await response.json());
    if (response.status >= 500 || !problem) return failed;
    const errors = groupErrorsByField(problem.errors ?? {});
    return { sent: false, errors, failure: Object.keys(errors).length > 0 ? null : problem.detail };
  } catch {
    return failed;
  }
}
