/** Returns whether D1 reported an error with this text. D1 reports errors only in the message of the error or its cause. */
export function hasMessage(error: unknown, text: string): boolean {
  return `${error} ${error instanceof Error ? (error.cause ?? "") : ""}`.includes(text);
}

/**
 * Returns whether D1 rejected a write that would violate a UNIQUE index. Its message is such as "UNIQUE constraint
 * failed: users.email".
 * @param named the part of the message that names the index or its column, such as "passkeys.credential_id"
 */
export function isUniqueViolation(error: unknown, named: string): boolean {
  return hasMessage(error, named);
}
