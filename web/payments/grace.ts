/**
 * Who is at the purchase of a lead, and which leads are about to be let go of. Ten seconds of grace must never
 * take a lead from somebody who is paying for it, in this window or in another one of the same browser.
 */

/** How long a lead that was let go of can be taken back. */
const GRACE_MS = 10_000;

/** What windows of one browser tell each other about a lead. */
export type Word = {
  leadId: string;
  /**
   * `here`: this window begins or goes on with its purchase; `leaving`: this one is through with it, and asks who is
   * not; `too`: so does this one, in answer to both.
   */
  says: "here" | "too" | "leaving";
};

/** The way to the other windows of this browser. */
export type Wire = {
  say: (word: Word) => void;
  /** Hears what the others say, and nothing of its own. */
  hear: (take: (word: Word) => void) => void;
};

/** One purchase of a lead in this window, from its opening until it is left. */
export type Turn = {
  readonly leadId: string;
  /** Whether its window is still open. */
  isHere: boolean;
  /** Whether another window is at the same purchase. */
  isElsewhere: boolean;
};

/** A hold that is let go of in a moment. */
export type Leaving = {
  holdId: string;
  /** How long it can be taken back, in milliseconds from when it was left. */
  ms: number;
  /** `kept`: it was taken back, or another window is at it. */
  state: "waiting" | "sent" | "kept";
};

/** What is heard of a hold that was to be let go of. */
export type LeavingNews = {
  /** The exchange is being told: nothing takes the hold back any more. */
  onSent: () => void;
  /** The exchange has been told, as well as this connection could. */
  onGone: () => void;
  /** Another window is at its purchase, so it is not let go of. */
  onElsewhere: () => void;
};

type Entry = Leaving & { timer: ReturnType<typeof setTimeout>; news: LeavingNews };

export type Grace = ReturnType<typeof makeGrace>;

/**
 * The purchases of one window.
 * @param wire to the other windows of this browser
 * @param letGo tells the exchange; `isLastChance`: the window closes, and the request has to outlive it
 */
export function makeGrace(wire: Wire, letGo: (holdId: string, isLastChance: boolean) => Promise<void>) {
  /** The last purchase of each lead. */
  const turns = new Map<string, Turn>();
  /** By lead. */
  const leaving = new Map<string, Entry>();
  /** What the exchange is being told, by lead. */
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
    // Whoever has begun it since is the one to be asked.
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
     * The buyer begins or goes on with a purchase. What was to be let go of stays theirs, in every window; all other
     * leads that wait here go at once, because a business holds two at most.
     * @returns what to leave it with
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
     * When a lead can be asked for: at once, unless the exchange is just being told that it is let go of. Asked then,
     * it might answer with the very hold that is about to end.
     */
    async untilFree(leadId: string): Promise<void> {
      await underWay.get(leadId);
    },

    /** Resolves once the exchange has been sent all that is let go of just now; null while there is nothing. */
    untilAllFree(): Promise<unknown> | null {
      return underWay.size === 0 ? null : Promise.all(underWay.values());
    },

    /** The purchase's window closes, whatever becomes of its lead. */
    leave,

    /**
     * Leaves a purchase and lets its lead go ten seconds from now, when its time is over or when the window closes: a
     * thumb that slipped may take it back until then.
     * @param hold `endsAt`: when its time is over anyway, in epoch ms
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
     * Lets go of a hold whose answer came after its purchase was left, unless somebody wants it: whoever began the
     * purchase again, here or in another window, or may still take it back.
     * @returns whether it was let go of
     */
    async letGoOfLate(turn: Turn, holdId: string): Promise<boolean> {
      const { leadId } = turn;
      const isWanted = turns.get(leadId) !== turn || turn.isElsewhere;
      if (isWanted || leaving.get(leadId)?.holdId === holdId) return false;
      await tell(leadId, holdId, false);
      return true;
    },

    /**
     * Lets go at once of all that waits: nobody will be here to take it back.
     * @param isLastChance the window closes
     * @returns when the exchange has been told
     */
    async sendAll(isLastChance: boolean): Promise<void> {
      const sends = [...leaving].map(([leadId, entry]) => send(leadId, entry, isLastChance));
      await Promise.all([...sends, ...underWay.values()]);
    },
  };
}

/** How long a lead can be taken back, for the end of a sentence; never longer than is true. */
export function formatGrace(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return "in a moment";
  return seconds === 1 ? "in 1 second" : `in ${seconds} seconds`;
}
