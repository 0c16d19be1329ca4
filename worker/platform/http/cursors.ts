/** Encodes a page's last creation time and id as opaque text. */
export function encodeCursor(lead: { createdAt: number; id: string }): string {
  return btoa(`${lead.createdAt}|${lead.id}`).replaceAll("=", "");
}

/** Decodes a cursor. Returns null when it is malformed. */
export function decodeCursor(cursor: string): { createdAt: number; id: string } | null {
  try {
    const [time, id] = atob(cursor).split("|");
    const createdAt = Number(time);
    return id && Number.isSafeInteger(createdAt) ? { createdAt, id } : null;
  } catch {
    return null;
  }
}
