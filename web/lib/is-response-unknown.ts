import { ApiError } from "./api.ts";

/**
 * Returns whether our server's response is unknown. Either there was none (TypeError), or a proxy or a hotel's sign-in
 * page responded. The server may still have done the work.
 */
export function isResponseUnknown(error: unknown): boolean {
  if (error instanceof ApiError) return error.problem === null;
  return error instanceof TypeError || error instanceof SyntaxError;
}
