import { AsyncLocalStorage } from "node:async_hooks";

type Level = "info" | "warn" | "error";

/** Which request, sweep or alarm is being worked on; every line it causes carries the id. */
const current = new AsyncLocalStorage<{ requestId: string }>();

/** Runs `work` so that every log line it writes carries `requestId`. */
export function traced<T>(requestId: string, work: () => T): T {
  return current.run({ requestId }, work);
}

const WITHHELD = "▮";
const MAIL = /[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/gu;
/* Seven digits or more, however they are spaced, that are no part of an id. */
const PHONE = /(?<![\p{L}\p{N}_-])\+?\d(?:[\s().-]{0,2}\d){6,}(?![\p{L}\p{N}_])/gu;
const LONGEST = 500;

/** A text without email addresses and phone numbers, cut to a line's length. */
function withhold(text: string): string {
  return text.replaceAll(MAIL, WITHHELD).replaceAll(PHONE, WITHHELD).slice(0, LONGEST);
}

/**
 * An error as it may stand in the log. The database library names a statement's values in its message and
 * JSON.parse quotes what it could not read: both may be somebody's name or number and are left out.
 */
export function describeError(error: unknown): { name: string; message: string; cause?: string } {
  if (!(error instanceof Error)) return { name: typeof error, message: withhold(String(error)) };
  const { name, cause } = error;
  const isStatement = "query" in error && "params" in error;
  const message = isStatement
    ? `Failed query: ${String(error.query)}`
    : error instanceof SyntaxError
      ? "Not what was expected"
      : error.message;
  const text = withhold(message);
  return cause instanceof Error
    ? { name, message: text, cause: describeError(cause).message }
    : { name, message: text };
}

/**
 * Writes one line of JSON. Nothing about people goes in but the ids of users.
 * @param event what happened, in snake_case
 * @param fields ids, counts and states; an `error` is described without personal data
 */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  const { error, ...rest } = fields;
  const requestId = current.getStore()?.requestId;
  const line = { level, event, ...(requestId && { requestId }), ...rest };
  const text = JSON.stringify(error === undefined ? line : { ...line, error: describeError(error) });
  // oxlint-disable-next-line no-console -- the one place where the Worker writes its log
  (level === "info" ? console.log : console[level])(text);
}
