/** What the platform keeps of an object's storage: its state at any moment of the last 30 days, by bookmark. */
import { log } from "../log.ts";

/** What the runtime on a machine of one's own says: it keeps no history. */
const NOT_HERE = /point-in-time recovery/i;

/**
 * The storage's state at a moment, by name.
 * @param at epoch ms
 * @returns null where no history is kept
 * @throws the platform's error, e.g. for a moment more than 30 days ago
 */
export async function bookmarkAt(
  storage: Pick<DurableObjectStorage, "getBookmarkForTime">,
  at: number,
): Promise<string | null> {
  try {
    return await storage.getBookmarkForTime(at);
  } catch (error) {
    if (!NOT_HERE.test(String(error))) throw error;
    log("warn", "no_history_here", { error });
    return null;
  }
}
