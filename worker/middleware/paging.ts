import * as z from "zod/mini";

import type { After } from "../db/paging.ts";
import { DomainError } from "../errors.ts";
import { decodeCursor, encodeCursor } from "./cursors.ts";
import type { AppContext } from "../platform/app.ts";

/** The query parameters of a list's page. */
export function pageParams(most: number) {
  const words = `A number from 1 to ${most}`;
  return {
    limit: z._default(z.coerce.number(words).check(z.int(), z.minimum(1), z.maximum(most)), most),
    cursor: z.optional(z.string().check(z.maxLength(200))),
  };
}

/** @throws DomainError invalid_input for a cursor that is none of ours */
export function readAfter(cursor: string | undefined): After {
  if (cursor === undefined) return null;
  const after = decodeCursor(cursor);
  if (!after) throw new DomainError("invalid_input", "Unknown cursor", { cursor: "Unknown cursor" });
  return after;
}

/**
 * Names the next page in the Link header when this one is full: with the parameters the list reads, and none
 * of the others that somebody may have put into its address, however long they are.
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
