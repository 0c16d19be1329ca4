/**
 * Tracks which windows are buying which lead, and which holds are about to be released. The grace period of ten
 * seconds must never release a lead while it is being paid for. The payment may be in this window or in another one
 * of the same browser.
 */

/** How long a buyer can undo a release. */
const GRACE_MS = 10_000;

/** A message between windows of one browser about a lead. */
export type Word = {
  leadId: string;
  /**
   * `here`: this window starts or resumes the purchase. `leaving`: this window leaves it and asks which windows
   * remain. `too`: another window replies to either that it is at this purchase as well.
   */
  says: "here" | "too" | "leaving";
};

/** Channel to the other windows of this browser. */
export type Wire = {
  say: (word: Word) => void;
  /** Receives the messages of other windows, never its own. */
  hear: (take: (word: Word) => void) => void;
};

/** One purchase of a lead in this window, from opening to leaving. */
export type Turn = {
  readonly leadId: string;
  /** Whether its dialog is still open. */
  isHere: boolean;
  /** Whether another window is at the same purchase. */
  isElsewhere: boolean;
};

/** A hold that is about to be released. */
export type Leaving = {
  holdId: string;
  /** How long the release can be undone, in ms from leaving. */
  ms: number;
  /** `kept`: the buyer undid the release, or another window is at the purchase. */
  state: "waiting" | "sent" | "kept";
};

/** Callbacks for a hold that is about to be released. */
export type LeavingNews = {
  /** The release is being sent and cannot be undone any more. */
  onSent: () => void;
  /** The release was sent, as far as the connection allowed. */
  onGone: () => void;
  /** Another window is at the purchase, so the hold is not released. */
  onElsewhere: () => void;
};

type Entry = Leaving & { timer: ReturnType<typeof setTimeout>; news: LeavingNews };

export type Grace = ReturnType<typeof makeGrace>;

/**
 * Tracks the purchases of one window.
 * @param wire channel to the other windows of this browser
 * @param letGo releases a hold; `isLastChance`: the window closes and the request has to outlive it
 */
export function makeGrace(wire: Wire, letGo: (holdId: string, isLastChance: boolean) => Promise<void>) {
  /** The latest purchase of each lead, by lead ID. */
  const turns = new Map<string, Turn>();
  /** By lead ID. */
  const leaving = new Map<string, Entry>();
  /** Releases being sent, by lead ID. */
  const underWay = new Map<string, Promise<void>>();

  const say = (leadId: string, says: Word["says"]) => wire.say({ leadId, says });

  async function tell(leadId: string, holdId: string, isLastChance: boolean): Promise<void> {
    const told = letGo(holdId, isLastChance);
    underWay.set(leadId, told);
    await told;
    if (underWay.get(leadId) === told) underWay.delete(leadId);
  }

  async function send(leadId: string, entry: Entry, isLastChance = false): Promise<void> {
    drop(leadId, entry, "sent");
    entry.news.onSent();
    await tell(leadId, entry.holdId, isLastChance);
    entry.news.onGone();
  }

  function drop(leadId: string, entry: Entry, state: "sent" | "kept") {
    clearTimeout(entry.timer);
    leaving.delete(leadId);
    entry.state = state;
  }

  function keepForOthers(leadId: string) {
    const turn = turns.get(leadId);
    if (turn) turn.isElsewhere = true;
    const entry = leaving.get(leadId);
    if (!entry) return;
    drop(leadId, entry, "kept");
    entry.news.onElsewhere();
  }

  function leave(turn: Turn): void {
    if (!turn.isHere) return;
    turn.isHere = false;
    // A newer purchase of the same lead answers for itself.
    if (turns.get(turn.leadId) === turn) say(turn.leadId, "leaving");
  }

  wire.hear(({ leadId, says }) => {
    const turn = turns.get(leadId);
    if (says !== "leaving") keepForOthers(leadId);
    else if (turn) turn.isElsewhere = false;
    if (says !== "too" && turn?.isHere) say(leadId, "too");
  });

  return {
    /**
     * Starts or resumes a purchase. Cancels a pending release of this lead in every window. Releases all other
     * pending leads of this window at once, because a business holds two at most.
     * @returns a handle to leave the purchase with
     */
    begin(leadId: string): Turn {
      const kept = leaving.get(leadId);
      if (kept) drop(leadId, kept, "kept");
      for (const [other, entry] of leaving) void send(other, entry);
      const turn: Turn = { leadId, isHere: true, isElsewhere: false };
      turns.set(leadId, turn);
      say(leadId, "here");
      return turn;
    },

    /**
     * Resolves once no release of this lead is being sent. A request during a release might return the very hold that
     * is about to end.
     */
    async untilFree(leadId: string): Promise<void> {
      await underWay.get(leadId);
    },

    /** Resolves once all releases being sent have finished; null when there are none. */
    untilAllFree(): Promise<unknown> | null {
      return underWay.size === 0 ? null : Promise.all(underWay.values());
    },

    /** Leaves the purchase when its dialog closes, whatever happens to its hold. */
    leave,

    /**
     * Leaves a purchase and releases its hold after ten seconds. It releases sooner if the hold expires or the window
     * closes. Until then the buyer can undo an accidental tap.
     * @param hold `endsAt`: when the hold expires, in epoch ms
     */
    letGoSoon(
      turn: Turn,
      { holdId, endsAt }: { holdId: string; endsAt: number },
      news: LeavingNews,
    ): Leaving {
      const { leadId } = turn;
      const ms = Math.max(0, Math.min(GRACE_MS, endsAt - Date.now()));
      const timer = setTimeout(() => void send(leadId, entry), ms);
      const entry: Entry = { holdId, ms, state: "waiting", timer, news };
      leaving.set(leadId, entry);
      leave(turn);
      return entry;
    },

    /**
     * Releases a hold if its response came after the buyer left. Keeps it if the purchase was started again, here or
     * in another window, or if a release can still be undone.
     * @returns whether it was released
     */
    async letGoOfLate(turn: Turn, holdId: string): Promise<boolean> {
      const { leadId } = turn;
      const isWanted = turns.get(leadId) !== turn || turn.isElsewhere;
      if (isWanted || leaving.get(leadId)?.holdId === holdId) return false;
      await tell(leadId, holdId, false);
      return true;
    },

    /**
     * Releases all pending holds at once, because no undo is possible any more.
     * @param isLastChance the window closes
     * @returns when the exchange has been notified
     */
    async sendAll(isLastChance: boolean): Promise<void> {
      const sends = [...leaving].map(([leadId, entry]) => send(leadId, entry, isLastChance));
      await Promise.all([...sends, ...underWay.values()]);
    },
  };
}

/** Formats the time left to undo a release, for the end of a sentence. Rounds down, so it is never too long. */
export function formatGrace(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return "in a moment";
  return seconds === 1 ? "in 1 second" : `in ${seconds} seconds`;
}
