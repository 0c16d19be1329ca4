import type { QueryClient } from "@tanstack/react-query";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { flashCookie } from "../lib/flash.ts";
import { forgetSealed } from "../lib/forget-sealed.ts";
import { formatCount } from "../lib/format-count.ts";
import { untilReleased } from "../payments/purchase-turn.ts";
import { finishChanges } from "../purchases/change-desk.ts";
import { countUnsavedNotes, letLeave } from "../purchases/leaving.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";

/** Maximum time to save changes before signing out. */
const LAST_CHANGES_MS = 4_000;

/** Maximum time to release leads before signing out. Releases need the session. */
const LAST_RELEASES_MS = 4_000;

/** Polling interval. Notes send no event when they are saved. */
const LOOK_AGAIN_MS = 200;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const JSON_BODY = { "Content-Type": "application/json" };

export type Losses = {
  /** Number of changes that the server does not have yet. */
  waiting: number;
  /** Number of refused changes that the user has not dismissed. */
  refused: number;
};

/**
 * Sends the pending changes of this device and of this page.
 * @returns the changes still unsaved after the time limit, or null
 */
async function finishAll(client: QueryClient): Promise<Losses | null> {
  const end = performance.now() + LAST_CHANGES_MS;
  for (;;) {
    const left = Math.max(0, end - performance.now());
    const changes = await finishChanges(client, left);
    const waiting = changes.waiting + (await countUnsavedNotes(client));
    if (waiting === 0 || performance.now() >= end)
      return waiting + changes.refused > 0 ? { ...changes, waiting } : null;
    await wait(LOOK_AGAIN_MS);
  }
}

/**
 * Signs out and opens the home page. Removes the session's data from this device.
 * @param isSure whether to sign out even if changes would be lost
 * @returns the changes that would be lost, in which case the user stays signed in; otherwise null
 * @throws if the server did not sign the user out
 */
export async function signOut(client: QueryClient, isSure: boolean): Promise<Losses | null> {
  const unsaved = isSure ? null : await finishAll(client);
  if (unsaved) return unsaved;
  await Promise.race([untilReleased(), wait(LAST_RELEASES_MS)]);
  await unwrap(browserApi().api.auth.logout.$post({}, { headers: JSON_BODY, init: { body: "{}" } }));
  client.clear();
  await forgetSealed();
  // The home page shows the message itself.
  document.cookie = flashCookie("logout");
  letLeave(client);
  location.assign("/");
  return null;
}

const count = (one: string, many: string, howMany: number) =>
  howMany === 1 ? `1 change ${one}` : `${formatCount(howMany)} changes ${many}`;

/** Asks for confirmation if signing out would lose changes, or if the user has not dismissed refused ones. */
export function SignOutDialog({
  unsaved: { waiting, refused },
  onStay,
  onSignOut,
}: {
  unsaved: Losses;
  onStay: () => void;
  onSignOut: () => void;
}) {
  return (
    <Dialog title="Sign out anyway?" onClose={onStay}>
      {waiting > 0 && (
        <p>
          {count("isn't", "aren't", waiting)} saved yet. Sign out now, and you'll lose{" "}
          {waiting === 1 ? "it" : "them"}. Stay signed in, and we'll keep trying.
        </p>
      )}
      {refused > 0 && (
        <p>{count("wasn't", "weren't", refused)} saved. Stay signed in, and your dashboard tells you why.</p>
      )}
      <DialogFoot back="Sign out" onBack={onSignOut}>
        <Button look="main" onClick={onStay}>
          Stay signed in
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
