import { ApiError } from "./api.ts";

/**
 * Whether our server's answer was not heard: there was none (TypeError), or something in between spoke instead, such as
 * a proxy or the sign-in page of a hotel's network. What was asked for may have been done all the same.
 */
export function isUnheard(error: unknown): boolean {
  if (error instanceof ApiError) return error.problem === null;
  return error instanceof TypeError || error instanceof SyntaxError;
}
