import { DomainError } from "../errors.ts";

/**
 * Counts one try against a limit from wrangler.toml.
 * @param key whose tries are counted: an address or an account
 * @throws DomainError too_many_requests
 */
export async function countTry(limit: RateLimit, key: string): Promise<void> {
  const { success } = await limit.limit({ key });
  if (!success)
    throw new DomainError("too_many_requests", "Too many tries. Please wait a minute and try again.");
}
