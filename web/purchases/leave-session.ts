import type { QueryClient } from "@tanstack/react-query";

import { clearEncryptedStore } from "../lib/clear-encrypted-store.ts";
import { stopWarning } from "./warn-before-unload.ts";

/** Removes a session's data from this device and opens a page. Call it after the server has ended the session. */
export async function leaveSession(client: QueryClient, path: string): Promise<void> {
  client.clear();
  await clearEncryptedStore();
  stopWarning(client);
  location.assign(path);
}
