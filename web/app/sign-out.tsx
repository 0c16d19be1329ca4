import type { QueryClient } from "@tanstack/react-query";

import { changeSession } from "../auth/current-user.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { flashCookie } from "../lib/flash.ts";
import { formatCount } from "../lib/format-count.ts";
import { waitForReleases } from "../payments/purchase-session.ts";
import { leaveSession } from "../purchases/leave-session.ts";
import { countEntries, getOutbox } from "../purchases/use-outbox.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";

/** Maximum time to save changes before signing out. */
const LAST_CHANGES_MS = 4_000;

/** Maximum time to release leads before signing out. Releases need the session. */
const LAST_RELEASES_MS = 4_000;

/** Polling interval. Another window may be sending the changes that this device stores. */
const POLL_MS = 200;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const JSON_BODY = { "Content-Type": "application/json" };

export type UnsavedCounts = {
  /** Number of changes that the server does not have yet. */
  waiting: number;
  /** Number of refused changes that the user has not dismissed. */
  refused: number;
};

/**
 * Sends the pending changes of this device and of this page.
 * @returns the changes still unsaved after the time limit, or null
 */
async function saveAll(client: QueryClient): Promise<UnsavedCounts | null> {
  const deadline = performance.now() + LAST_CHANGES_MS;
  for (;;) {
    const remainingMs = Math.max(0, deadline - performance.now());
    await getOutbox(client).drain(remainingMs);
    const unsaved = await countEntries(client);
    if (unsaved.waiting === 0 || performance.now() >= deadline)
      return unsaved.waiting + unsaved.refused > 0 ? unsaved : null;
    await wait(POLL_MS);
  }
}

/**
 * Signs out and opens the home page. Removes the session's data from this device.
 * @param isForced whether to sign out even if changes would be lost
 * @returns the changes that would be lost, in which case the user stays signed in; otherwise null
 * @throws if the server did not sign the user out
 */
export async function signOut(client: QueryClient, isForced: boolean): Promise<UnsavedCounts | null> {
  const unsaved = isForced ? null : await saveAll(client);
  if (unsaved) return unsaved;
  await Promise.race([waitForReleases(), wait(LAST_RELEASES_MS)]);
  await changeSession(() =>
    unwrap(browserApi().api.auth.logout.$post({}, { headers: JSON_BODY, init: { body: "{}" } })),
  );
  // The home page shows the message itself.
  document.cookie = flashCookie("logout");
  await leaveSession(client, "/");
  return null;
}

const formatChanges = (one: string, many: string, howMany: number) =>
  howMany === 1 ? `1 change ${one}` : `${formatCount(howMany)} changes ${many}`;

/** Asks for confirmation if signing out would lose changes, or if the user has not dismissed refused ones. */
export function SignOutDialog({
  unsaved: { waiting, refused },
  onStay,
  onSignOut,
}: {
  unsaved: UnsavedCounts;
  onStay: () => void;
  onSignOut: () => void;
}) {
  return (
    <Dialog title="Sign out anyway?" onClose={onStay}>
      {waiting > 0 && (
        <p>
          {formatChanges("isn't", "aren't", waiting)} saved yet. If you sign out now, you'll lose{" "}
          {waiting === 1 ? "it" : "them"}. If you stay signed in, we'll keep trying.
        </p>
      )}
      {refused > 0 && (
        <p>
          {formatChanges("wasn't", "weren't", refused)} saved. Stay signed in, and your dashboard will tell
          you why.
        </p>
      )}
      <DialogFooter back="Sign out" onBack={onSignOut}>
        <Button variant="main" onClick={onStay}>
          Stay signed in
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
