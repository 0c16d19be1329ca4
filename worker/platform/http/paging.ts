import * as z from "zod/mini";

import type { After } from "../db/paging.ts";
import { DomainError } from "../errors.ts";
import { decodeCursor, encodeCursor } from "./cursors.ts";
import type { AppContext } from "../app.ts";

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
