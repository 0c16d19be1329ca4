/** No window lags behind its region's exchange for long, at any moment. */
import type { BrowserWindow } from "./browsers.ts";
import { isPublic, type Record, recordsOf } from "./facts.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

/** An exchange broadcasts immediately, and a frame takes at most 40 ms. */
const MAX_STALE_MS = 5_000;

/** Returns a lead as a window must show it. Leaves out holds that are not announced yet. */
function formatExpected({ leadId, hold }: Record): string {
  return `${leadId} ${hold && (hold.announceAt ?? null) === null ? hold.endsAt : null}`;
}

export class WindowFreshness {
  readonly #world: World;
  readonly #windows: readonly BrowserWindow[];
  /** When each window began to differ from its exchange (epoch ms). */
  readonly #staleSince = new Map<BrowserWindow, number>();

  constructor(world: World, windows: readonly BrowserWindow[]) {
    this.#world = world;
    this.#windows = windows;
  }

  check(): void {
    const { now } = this.#world.scheduler;
    for (const window of this.#windows) {
      if (!window.hasGreeting || this.#isFresh(window)) {
        this.#staleSince.delete(window);
        continue;
      }
      const since = this.#staleSince.get(window) ?? now;
      this.#staleSince.set(window, since);
      if (now - since > MAX_STALE_MS)
        throw new Violation(
          `Windows: ${window.name} has shown [${formatShown(window)}] for ${now - since} ms, the exchange has [${this.#expected(window)}]`,
        );
    }
  }

  #isFresh(window: BrowserWindow): boolean {
    return formatShown(window) === this.#expected(window);
  }

  #expected({ region }: BrowserWindow): string {
    return recordsOf(this.#world, region).filter(isPublic).map(formatExpected).toSorted().join();
  }
}

function formatShown(window: BrowserWindow): string {
  return window
    .shown()
    .map(({ id, heldUntil }) => `${id} ${heldUntil}`)
    .toSorted()
    .join();
}
