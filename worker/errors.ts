import { type FieldErrors, type Problem, type ProblemCode, PROBLEMS } from "../contract/problem.ts";
import { log } from "./log.ts";

/** The one way a feature says no. `onError` in api.ts turns it into HTTP. */
export class DomainError extends Error {
  readonly code: ProblemCode;
  readonly errors: FieldErrors | undefined;
  readonly notes: Problem["notes"];

  /**
   * @param code which of the contract's problems this is
   * @param detail a sentence for the person who asked; the problem's title when left out
   * @param errors messages by field
   * @param notes what the notes are now, for a conflict over them
   */
  constructor(code: ProblemCode, detail?: string, errors?: FieldErrors, notes?: Problem["notes"]) {
    super(detail ?? PROBLEMS[code].title);
    this.code = code;
    this.errors = errors;
    this.notes = notes;
  }
}

/** A no for the moment only: the same may be asked again after a while. */
export class TryLater extends DomainError {
  readonly afterSeconds: number;

  constructor(code: ProblemCode, detail: string, afterSeconds: number) {
    super(code, detail);
    this.afterSeconds = afterSeconds;
  }
}

/** The answer for a problem, as application/problem+json (RFC 9457). */
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

/** The answer for an error outside of the API. Anything but a DomainError is logged: D1 away, a setting malformed. */
export function failureResponse(error: unknown, requestId: string): Response {
  if (error instanceof DomainError) return problemResponse(error, requestId);
  log("error", "unhandled", { error });
  return problemResponse(new DomainError("internal"), requestId);
}
