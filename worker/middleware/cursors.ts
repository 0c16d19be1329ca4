/** Where a page of a list ended, as browsers hand it back. */

/** Where a page of leads ended: creation time and id, as opaque text. */
export function encodeCursor(lead: { createdAt: number; id: string }): string {
  return btoa(`${lead.createdAt}|${lead.id}`).replaceAll("=", "");
}

/** Reads a cursor; null when it is none of ours. */
export function decodeCursor(cursor: string): { createdAt: number; id: string } | null {
  try {
    const [time, id] = atob(cursor).split("|");
    const createdAt = Number(time);
    return id && Number.isSafeInteger(createdAt) ? { createdAt, id } : null;
  } catch {
    return null;
  }
}
