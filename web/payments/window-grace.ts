import { type Grace, makeGrace, type Word } from "./grace.ts";
import { letGo } from "./purchase-api.ts";

/** Where windows of one browser tell each other who is at which purchase. */
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
  // A window that closes cannot take anything back: its leads return at once.
  addEventListener("pagehide", () => void grace.sendAll(true));
  addEventListener("signing-out", ({ detail }) => detail.push(grace.sendAll(false)));
  return grace;
}

/** This window's. Made on first use, because the server reads this module too. */
export function windowGrace(): Grace {
  own ??= makeOwn();
  return own;
}
