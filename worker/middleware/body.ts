import type { MiddlewareHandler } from "hono";
import type * as z from "zod/mini";

import { fieldErrors } from "../../contract/problem.ts";
import { DomainError } from "../errors.ts";
import type { AppEnv, Caller } from "./caller.ts";

/** Far above any form of ours, far below what could hurt. */
export const MAX_BODY_BYTES = 64 * 1024;

function tooLarge(): DomainError {
  return new DomainError("payload_too_large", `Send at most ${MAX_BODY_BYTES / 1024} kB`);
}

/** Reads a body up to the limit, whatever its Content-Length claims. @throws DomainError payload_too_large */
export async function readLimited(request: Request): Promise<string> {
  const length = request.headers.get("Content-Length");
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  // HTTP ends a body where its length says so: a named one need not be read piece by piece.
  if (length !== null) {
    const bytes = await request.arrayBuffer();
    if (bytes.byteLength > MAX_BODY_BYTES) throw tooLarge();
    return new TextDecoder().decode(bytes);
  }
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

/**
 * Lets a page's action see only what a form of ours could have sent. Browsers name the length of a form.
 * @throws DomainError unsupported_media_type, payload_too_large
 */
export function requirePlainForm(request: Request): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (!FORM_TYPES.test(request.headers.get("Content-Type") ?? "")) {
    throw new DomainError("unsupported_media_type", "Send the page's form");
  }
  const length = request.headers.get("Content-Length");
  if (length === null || Number(length) > MAX_BODY_BYTES) throw tooLarge();
}

/** @throws DomainError invalid_input with a message by field */
function parseOrThrow<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = fieldErrors(result.error.issues);
  throw new DomainError("invalid_input", Object.values(errors)[0], errors);
}

type Checked<Target extends "json" | "query" | "param", Schema extends z.ZodMiniType> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { [K in Target]: z.input<Schema> }; out: { [K in Target]: z.output<Schema> } }
>;

/**
 * Checks a JSON body against its contract.
 * @param contract the schema, or which schema it is for this caller
 * @throws DomainError unsupported_media_type, payload_too_large, malformed_json, invalid_input
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
      value = JSON.parse(text);
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

/** Checks path parameters; a malformed id names nothing we know. @throws DomainError not_found */
export function params<Schema extends z.ZodMiniType>(schema: Schema): Checked<"param", Schema> {
  return async (c, next) => {
    const result = schema.safeParse(c.req.param());
    if (!result.success) throw new DomainError("not_found");
    c.req.addValidatedData("param", result.data as object);
    await next();
  };
}
