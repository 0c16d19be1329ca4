/**
 * Whether D1 refused to write because a UNIQUE index would be broken. It only says so in words, here or in
 * the cause, such as "UNIQUE constraint failed: users.email".
 * @param named the part of the words that names the index or its column, such as "lead_purchases.lead_id"
 */
export function breaksUnique(error: unknown, named: string): boolean {
  const text = `${error} ${error instanceof Error ? (error.cause ?? "") : ""}`;
  return text.includes(named);
}
