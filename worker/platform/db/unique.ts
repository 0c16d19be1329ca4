/**
 * Returns whether D1 rejected a write that would violate a UNIQUE index. D1 reports this only in the message of the
 * error or its cause, such as "UNIQUE constraint failed: users.email".
 * @param named the part of the message that names the index or its column, such as "lead_purchases.lead_id"
 */
export function isUniqueViolation(error: unknown, named: string): boolean {
  const text = `${error} ${error instanceof Error ? (error.cause ?? "") : ""}`;
  return text.includes(named);
}
