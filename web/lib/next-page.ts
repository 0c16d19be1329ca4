/**
 * Where a list goes on, from the Link header of its page.
 * @returns the cursor of the next page; null when this was the last one
 */
export function nextCursor(response: { headers: Headers }): string | null {
  const next = /<([^>]+)>\s*;\s*rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  return next ? new URL(next, "https://page.invalid").searchParams.get("cursor") : null;
}
