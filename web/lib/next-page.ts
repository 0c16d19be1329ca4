/** Reads the next page's cursor from a response's Link header. @returns null on the last page */
export function nextCursor(response: { headers: Headers }): string | null {
  const next = /<([^>]+)>\s*;\s*rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  return next ? new URL(next, "https://page.invalid").searchParams.get("cursor") : null;
}
