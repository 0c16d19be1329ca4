import type { QueryClient } from "@tanstack/react-query";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { flashCookie } from "../lib/flash.ts";
import { forgetSealed } from "../lib/forget-sealed.ts";
import { formatCount } from "../lib/format-count.ts";
import { sayFarewell } from "../lib/signing-out.ts";
import { finishChanges } from "../purchases/change-desk.ts";
import { countKeptNotes, forgetKeptNotes } from "../purchases/notes-desk.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";

/** How long somebody who signs out waits for what they changed to be saved. */
const LAST_CHANGES_MS = 4_000;

/** How long they wait for what else needs their session once more. */
const FAREWELL_MS = 4_000;

/** Notes tell nobody here when they are saved. */
const LOOK_AGAIN_MS = 200;

const JSON_BODY = { "Content-Type": "application/json" };

/** Sends what waits on this device. @returns how many changes the server still does not have after some seconds */
async function finishAll(client: QueryClient): Promise<number> {
  const end = performance.now() + LAST_CHANGES_MS;
  for (;;) {
    const left = Math.max(0, end - performance.now());
    const unsaved = (await finishChanges(client, left)) + (await countKeptNotes());
    if (unsaved === 0 || performance.now() >= end) return unsaved;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/**
 * Signs out and leaves for the home page; nothing of the session stays on this device.
 * @param isSure whether changes that are not saved yet may be lost
 * @returns how many would be; then nobody is signed out
 * @throws when the server did not sign them out
 */
export async function signOut(client: QueryClient, isSure: boolean): Promise<number> {
  const unsaved = isSure ? 0 : await finishAll(client);
  if (unsaved > 0) return unsaved;
  await sayFarewell(FAREWELL_MS);
  await unwrap(browserApi().api.auth.logout.$post({}, { headers: JSON_BODY, init: { body: "{}" } }));
  client.clear();
  await Promise.all([forgetKeptNotes(), forgetSealed()]);
  // The next page is a document: it says so itself.
  document.cookie = flashCookie("logout");
  location.assign("/");
  return 0;
}

/** Asks before somebody signs out on whose device changes wait that the server does not have. */
export function SignOutDialog({
  unsaved,
  onStay,
  onSignOut,
}: {
  /** How many changes would be lost. */
  unsaved: number;
  onStay: () => void;
  onSignOut: () => void;
}) {
  const changes = unsaved === 1 ? "1 change isn't" : `${formatCount(unsaved)} changes aren't`;
  return (
    <Dialog title="Sign out anyway?" onClose={onStay}>
      <p>
        {changes} saved yet, and would be lost. Stay signed in, and we'll keep trying to save{" "}
        {unsaved === 1 ? "it" : "them"}.
      </p>
      <DialogFoot back="Sign out" onBack={onSignOut}>
        <Button look="main" onClick={onStay}>
          Stay signed in
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
