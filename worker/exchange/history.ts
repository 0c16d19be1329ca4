/** Point-in-time recovery: the platform keeps bookmarks of an object's storage for the last 30 days. */
import { log } from "../platform/log.ts";

/** Matches the error of the local runtime, which keeps no history. */
const NO_HISTORY_ERROR = /point-in-time recovery/i;

/**
 * Returns the bookmark of the storage's state at a moment.
 * @param at epoch ms
 * @returns null if the runtime has no history
 * @throws the platform's error, e.g. for a moment more than 30 days ago
 */
export async function bookmarkAt(
  storage: Pick<DurableObjectStorage, "getBookmarkForTime">,
  at: number,
): Promise<string | null> {
  try {
    return await storage.getBookmarkForTime(at);
  } catch (error) {
    if (!NO_HISTORY_ERROR.test(String(error))) throw error;
    log("warn", "no_history_here", { error });
    return null;
  }
}
