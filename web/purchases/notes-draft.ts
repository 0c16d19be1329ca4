import { NOTES_AUTOSAVE_MS } from "../../contract/purchases.ts";
import { ApiError } from "../lib/api.ts";

export type NotesState =
  /** Nothing of ours is unsaved. */
  | "idle"
  | "typing"
  | "saving"
  | "saved"
  | "failed"
  /** Somebody else saved in between; the person decides. */
  | "conflict";

export type NotesView = {
  text: string;
  state: NotesState;
  /** In a conflict: the text that is on the server, and whose it is; and the one that both began with. */
  theirs: string;
  by: string | null;
  base: string;
};

/** What the server has: the text and the version it carries. */
export type StoredNotes = { text: string; version: number };

/** Unsaved text, the version it was written on, and what stood there then; windows of before kept no such text. */
export type KeptNotes = StoredNotes & { base?: string };

/**
 * Notes kept on this device, perhaps by a window of another release. Text is never lost for want of a number:
 * without a version it counts as written before anything, so that its writer is asked.
 * @returns null when there is no text in it
 */
export function readKeptNotes(kept: unknown): KeptNotes | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { text, version, base } = kept as Partial<KeptNotes>;
  if (typeof text !== "string") return null;
  const notes = { text, version: typeof version === "number" ? version : -1 };
  return typeof base === "string" ? { ...notes, base } : notes;
}

/** The first wait before what did not get through is sent again; it doubles … */
const FIRST_RETRY_MS = 2_000;
/** … up to this. */
const LONGEST_RETRY_MS = 60_000;

/** How long to wait before another try. @param failures how many tries in a row did not get through before */
export function retryDelayMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
}

/**
 * Whether the same may get through by itself later: nobody answered, or somebody who is not our server (a network's
 * own login page), or our server was not able to, or does not know who writes. Notes stay in any case.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.problem) return true;
  return error.status >= 500 || [401, 429].includes(error.status);
}

/** How a draft reaches the server and the device. */
export type NotesStore = {
  /** @throws ApiError notes_conflict, others; TypeError when offline */
  save: (notes: StoredNotes, isLastChance: boolean) => Promise<StoredNotes>;
  /** Keeps unsaved text on this device; null forgets it. */
  keep: (notes: KeptNotes | null) => void;
};

/**
 * The notes of one purchase while somebody writes them. Lives outside the screen, so that changing the
 * tab loses nothing; saves itself when typing stops, and again, ever more slowly, when that fails; never
 * throws text away.
 */
export class NotesDraft {
  readonly #store: NotesStore;
  readonly #listeners = new Set<() => void>();
  #version: number;
  /** What the server had at that version. */
  #base: string;
  #view: NotesView;
  /** In a conflict nobody has decided yet: what our text was written on. The next window has to ask as well. */
  #undecided: { version: number; base: string } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Somebody asked to save while that was being tried, such as a connection that is back. */
  #isWanted = false;

  constructor(stored: StoredNotes, store: NotesStore) {
    this.#store = store;
    this.#version = stored.version;
    this.#base = stored.text;
    this.#view = { text: stored.text, state: "idle", theirs: "", by: null, base: stored.text };
  }

  /**
   * Takes up what an earlier visit left unsaved on this device. Not part of the constructor: the server
   * renders the first view too, and knows nothing of it.
   */
  restore(kept: KeptNotes): void {
    if (this.#view.state !== "idle") return;
    if (kept.text === this.#view.text) return this.#store.keep(null);
    const { text: theirs } = this.#view;
    if (kept.version === this.#version) {
      this.#show({ ...this.#view, text: kept.text, state: "typing" });
      this.#saveSoon();
    } else {
      const base = kept.base ?? "";
      this.#undecided = { version: kept.version, base };
      this.#show({ text: kept.text, state: "conflict", theirs, by: null, base });
    }
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): NotesView => this.#view;

  /** Takes in what the server has now; what is being written here stays. */
  sync(stored: StoredNotes): void {
    if (stored.version <= this.#version) return;
    if (this.#view.state !== "idle" && this.#view.state !== "saved") return;
    this.#version = stored.version;
    this.#base = stored.text;
    this.#show({ text: stored.text, state: "idle", theirs: "", by: null, base: stored.text });
  }

  /** The person types. */
  type(text: string): void {
    const isConflict = this.#view.state === "conflict";
    const isSaving = this.#view.state === "saving";
    this.#show({ ...this.#view, text, state: isConflict ? "conflict" : isSaving ? "saving" : "typing" });
    this.#keep(text);
    if (!isConflict && !isSaving) this.#saveSoon();
  }

  /** Saves now, if anything is unsaved; called when the field is left, by Retry, and when a connection is back. */
  flush(): void {
    const { state } = this.#view;
    if (state === "typing" || state === "failed") void this.#save(false);
    else if (state === "saving") this.#isWanted = true;
  }

  /** The page is going away: one request that outlives it. */
  lastChance(): void {
    const { state } = this.#view;
    if (state === "typing" || state === "failed") void this.#save(true);
  }

  /** Ends a conflict with the text the person decided on. */
  resolve(text: string): void {
    this.#undecided = null;
    this.#show({ text, state: "typing", theirs: "", by: null, base: this.#base });
    this.#keep(text);
    void this.#save(false);
  }

  #saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(false), NOTES_AUTOSAVE_MS);
  }

  async #save(isLastChance: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#isWanted = false;
    const { text } = this.#view;
    this.#show({ ...this.#view, state: "saving" });
    try {
      const stored = await this.#store.save({ text, version: this.#version }, isLastChance);
      this.#version = stored.version;
      this.#base = stored.text;
      this.#failures = 0;
    } catch (error) {
      this.#refused(error);
      return;
    }
    if (this.#view.text === text) {
      this.#store.keep(null);
      this.#show({ ...this.#view, state: "saved" });
    } else {
      this.#keep(this.#view.text);
      this.#show({ ...this.#view, state: "typing" });
      if (this.#isWanted) void this.#save(false);
      else this.#saveSoon();
    }
  }

  #keep(text: string): void {
    const { version, base } = this.#undecided ?? { version: this.#version, base: this.#base };
    this.#store.keep({ text, version, base });
  }

  #retryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), retryDelayMs(this.#failures++));
  }

  #refused(error: unknown): void {
    const notes = error instanceof ApiError ? error.problem?.notes : undefined;
    if (!notes) {
      // What our server or a network says for itself, it would say again.
      if (this.#isWanted && !(error instanceof ApiError)) return void this.#save(false);
      this.#show({ ...this.#view, state: "failed" });
      if (isPassing(error)) this.#retryLater();
      return;
    }
    // The refusal says what the notes are now: what the person decides on goes on from there.
    const before = { version: this.#version, base: this.#base };
    this.#version = notes.version;
    this.#base = notes.text;
    const isSame = notes.text === this.#view.text;
    this.#undecided = isSame ? null : before;
    if (isSame) this.#store.keep(null);
    else this.#keep(this.#view.text);
    const state = isSame ? "saved" : "conflict";
    this.#show({ ...this.#view, state, theirs: notes.text, by: notes.by, base: before.base });
  }

  #show(view: NotesView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}
