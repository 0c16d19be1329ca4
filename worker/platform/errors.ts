import { type FieldErrors, type Problem, type ProblemCode, PROBLEMS } from "../../contract/problem.ts";
import { log } from "./log.ts";

/** The error that features throw to reject a request. `onError` in api.ts turns it into an HTTP response. */
export class DomainError extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldErrors | undefined;
  readonly notes: Problem["notes"];

  /**
   * @param code one of the contract's problems
   * @param detail a sentence for the user; defaults to the problem's title
   * @param errors messages by field
   * @param notes the current notes, for a `notes_conflict`
   */
  constructor(code: ProblemCode, detail?: string, errors?: FieldErrors, notes?: Problem["notes"]) {
    super(detail ?? PROBLEMS[code].title);
    this.code = code;
    this.errors = errors;
    this.notes = notes;
  }
}

/** A temporary error: the caller may retry after `afterSeconds`. */
export class TryLater extends DomainError {
  readonly afterSeconds: number;

  constructor(code: ProblemCode, detail: string, afterSeconds: number) {
    super(code, detail);
    this.afterSeconds = afterSeconds;
  }
}

/** Returns the response for a problem, as application/problem+json (RFC 9457). */
export function problemResponse(error: DomainError, requestId: string): Response {
  const { status, title } = PROBLEMS[error.code];
  const problem: Problem = {
    type: `urn:naturestrip:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.errors && { errors: error.errors }),
    ...(error.notes && { notes: error.notes }),
  };
  const headers = {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    ...(error instanceof TryLater && { "Retry-After": String(error.afterSeconds) }),
  };
  return new Response(JSON.stringify(problem), { status, headers });
}

/**
 * Returns the response for an error outside the API. Logs every error except a DomainError, such as an outage of D1 or
 * a malformed setting.
 */
export function failureResponse(error: unknown, requestId: string): Response {
  if (error instanceof DomainError) return problemResponse(error, requestId);
  log("error", "unhandled", { error });
  return problemResponse(new DomainError("internal"), requestId);
}
