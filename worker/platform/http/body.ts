import type { MiddlewareHandler } from "hono";
import type * as z from "zod/mini";

import { fieldErrors } from "../../../contract/problem.ts";
import { DomainError } from "../errors.ts";
import { withTimeout } from "../timeout.ts";
import type { AppEnv } from "../context.ts";
import type { Caller } from "../caller.ts";

/** Maximum body size. Our forms send much less. */
export const MAX_BODY_BYTES = 64 * 1024;

function tooLarge(maxBytes: number): DomainError {
  const limit = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} kB` : `${maxBytes / 1024 / 1024} MB`;
  return new DomainError("payload_too_large", `Send at most ${limit}`);
}

/**
 * Reads a body up to the limit, regardless of its Content-Length.
 * @throws DomainError payload_too_large; body_incomplete when the client disconnects before the end
 */
export async function readBytes(
  request: Request,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get("Content-Length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    // HTTP ends a body at its Content-Length, so read only a body without one in chunks.
    const bytes =
      length === null ? await readChunks(request, maxBytes) : new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("body_incomplete");
  }
}

/** Reads a body of unknown length. @throws DomainError payload_too_large as soon as the body exceeds the limit */
async function readChunks(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leave the rest of a body over the limit in the stream, for `discardBody`.
  for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** Reads a body as text, up to the limit. @throws DomainError payload_too_large, body_incomplete */
export async function readLimited(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBytes(request));
}

/**
 * Maximum bytes to discard, enough for an honest mistake such as a photo. The Worker disconnects a client that sends
 * more or takes longer.
 */
export const MAX_DISCARDED_BYTES = 1024 * 1024;
export const DISCARD_TIMEOUT_MS = 2_000;

/**
 * Reads and discards the unread rest of a request's body. Call it once the response is ready. A server that leaves a
 * body unread must close the connection. The client's next request on it then gets no response, or a bare 500 from the
 * local runtime. Cancels a body that is too large or too slow.
 */
export async function discardBody({ body, headers }: Request): Promise<void> {
  if (!body || body.locked) return;
  const reader = body.getReader();
  async function drop(): Promise<void> {
    for (let left = MAX_DISCARDED_BYTES; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.byteLength;
    }
    throw new Error("The body does not end");
  }
  try {
    if (Number(headers.get("Content-Length") ?? 0) > MAX_DISCARDED_BYTES) await reader.cancel();
    else await withTimeout(drop(), DISCARD_TIMEOUT_MS);
  } catch {
    // The rest is not needed, and the client may have disconnected.
    await reader.cancel().catch(() => {});
  }
}

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/**
 * Rejects requests to a page's action that our forms cannot have sent.
 * @returns the request with its body read, so that reading the form can no longer fail
 * @throws DomainError unsupported_media_type, payload_too_large, body_incomplete, malformed_form
 */
export async function requirePlainForm(request: Request): Promise<Request> {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const type = request.headers.get("Content-Type") ?? "";
  if (!FORM_TYPES.test(type)) throw new DomainError("unsupported_media_type", "Send the page's form");
  const { method, url, headers, signal } = request;
  const body = await readBytes(request);
  try {
    await new Response(body, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new DomainError("malformed_form");
  }
  return new Request(url, { method, headers, signal, body });
}

/** @throws DomainError invalid_input with a message by field */
function parseOrThrow<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error.issues);
  throw new DomainError("invalid_input", Object.values(errors)[0], errors);
}

/**
 * Drops a `length` that is an object. For a string or an array, zod compares `length` before it checks the type.
 * Comparing an object may throw. No contract has a field `length`.
 */
function dropObjectLength(name: string, value: unknown): unknown {
  return name === "length" && typeof value === "object" ? undefined : value;
}

type Checked<Target extends "json" | "query" | "param", Schema extends z.ZodMiniType> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { [K in Target]: z.input<Schema> }; out: { [K in Target]: z.output<Schema> } }
>;

/**
 * Checks a JSON body against its contract.
 * @param contract the schema, or a function that returns the caller's schema
 * @throws DomainError unsupported_media_type, payload_too_large, body_incomplete, malformed_json, invalid_input
 */
export function jsonBody<Schema extends z.ZodMiniType>(
  contract: Schema | ((caller: Caller) => Schema),
): Checked<"json", Schema> {
  return async (c, next) => {
    const type = c.req.header("Content-Type") ?? "";
    if (!/^application\/json\s*(;|$)/i.test(type)) {
      throw new DomainError("unsupported_media_type", "Send the body as application/json");
    }
    const text = await readLimited(c.req.raw);
    let value: unknown;
    try {
      value = JSON.parse(text, dropObjectLength);
    } catch {
      throw new DomainError("malformed_json");
    }
    const schema = typeof contract === "function" ? contract(c.env.CALLER) : contract;
    c.req.addValidatedData("json", parseOrThrow(schema, value) as object);
    await next();
  };
}

/** Checks query parameters against their contract. @throws DomainError invalid_input */
export function query<Schema extends z.ZodMiniType>(schema: Schema): Checked<"query", Schema> {
  return async (c, next) => {
    c.req.addValidatedData("query", parseOrThrow(schema, c.req.query()) as object);
    await next();
  };
}

/** Checks path parameters. A malformed id cannot exist. @throws DomainError not_found */
export function params<Schema extends z.ZodMiniType>(schema: Schema): Checked<"param", Schema> {
  return async (c, next) => {
    const result = schema.safeParse(c.req.param());
    if (!result.success) throw new DomainError("not_found");
    c.req.addValidatedData("param", result.data as object);
    await next();
  };
}
