import * as z from "zod/mini";

import type { AppContext } from "../context.ts";
import type { After } from "../db/sql.ts";
import { DomainError } from "../errors.ts";

/** Returns the query parameters of a paged list. @param maxLimit the largest page, and the default size */
export function pageParams(maxLimit: number) {
  const words = `A number from 1 to ${maxLimit}`;
  return {
    limit: z._default(z.coerce.number(words).check(z.int(), z.minimum(1), z.maximum(maxLimit)), maxLimit),
    cursor: z.optional(z.string().check(z.maxLength(200))),
  };
}

/** @throws DomainError invalid_input for a malformed cursor */
export function readAfter(cursor: string | undefined): After {
  if (cursor === undefined) return null;
  const after = decodeCursor(cursor);
  if (!after) throw new DomainError("invalid_input", "Unknown cursor", { cursor: "Unknown cursor" });
  return after;
}

/**
 * Adds the next page to the Link header when this page is full. The link repeats only the parameters that the list
 * reads, because a caller may send others of any length.
 */
export function linkNext(c: AppContext, rows: readonly { createdAt: number; id: string }[], limit: number) {
  const last = rows.at(-1);
  if (!last || rows.length < limit) return;
  const { pathname, searchParams } = new URL(c.req.url);
  const read = Object.keys(c.req.valid("query" as never));
  const next = new URLSearchParams([...searchParams].filter(([name]) => read.includes(name)));
  next.set("cursor", encodeCursor(last));
  c.header("Link", `<${pathname}?${next}>; rel="next"`);
}

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
