import { AsyncLocalStorage } from "node:async_hooks";

type Level = "info" | "warn" | "error";

/** The current request, sweep or alarm. All its log lines contain its id. */
const current = new AsyncLocalStorage<{ requestId: string }>();

/** Runs `work` and adds `requestId` to all its log lines. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return current.run({ requestId }, work);
}

const WITHHELD = "▮";
const MAIL = /[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/gu;
/* Seven or more digits with any spacing, unless they are part of an id. */
const PHONE = /(?<![\p{L}\p{N}_-])\+?\d(?:[\s().-]{0,2}\d){6,}(?![\p{L}\p{N}_])/gu;
const MAX_LENGTH = 500;

/** Replaces email addresses and phone numbers in a text, and truncates it. */
function withhold(text: string): string {
  return text.replaceAll(MAIL, WITHHELD).replaceAll(PHONE, WITHHELD).slice(0, MAX_LENGTH);
}

/**
 * Describes an error for the log. Drizzle's messages contain a statement's values, and JSON.parse quotes its input.
 * Omits both, because they may contain a person's name or number.
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
 * Writes one line of JSON. It contains no personal data except user ids.
 * @param event the event, in snake_case
 * @param fields ids, counts and states; an `error` is described without personal data
 */
export function log(level: Level, event: string, fields: Record<string, unknown> = {}): void {
  const { error, ...rest } = fields;
  const requestId = current.getStore()?.requestId;
  const line = { level, event, ...(requestId && { requestId }), ...rest };
  const text = JSON.stringify(error === undefined ? line : { ...line, error: describeError(error) });
  // oxlint-disable-next-line no-console -- only this function writes the Worker's log
  (level === "info" ? console.log : console[level])(text);
}
