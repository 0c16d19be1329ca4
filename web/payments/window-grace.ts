import { type Grace, makeGrace, type Word } from "./grace.ts";
import { letGo } from "./purchase-api.ts";

/** Channel on which windows of one browser announce their purchases. */
const CHANNEL = "purchases";

let own: Grace | undefined;

function makeOwn(): Grace {
  const channel = new BroadcastChannel(CHANNEL);
  const grace = makeGrace(
    {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is for its own origin alone
      say: (word) => channel.postMessage(word),
      hear: (take) => channel.addEventListener("message", ({ data }: MessageEvent<Word>) => take(data)),
    },
    letGo,
  );
  // A closing window cannot undo anything, so its leads return at once.
  addEventListener("pagehide", () => void grace.sendAll(true));
  addEventListener("signing-out", ({ detail }) => detail.push(grace.sendAll(false)));
  return grace;
}

/** Returns this window's instance. Created on first use, because the server imports this module too. */
export function windowGrace(): Grace {
  own ??= makeOwn();
  return own;
}
