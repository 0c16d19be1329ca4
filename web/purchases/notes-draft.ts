import { NOTES_AUTOSAVE_MS } from "../../contract/notes.ts";
import { ApiError } from "../lib/api.ts";

export type NotesState =
  /** No unsaved text in this window. */
  | "idle"
  | "typing"
  | "saving"
  | "saved"
  | "failed"
  /** Another user saved first, so this user has to choose. */
  | "conflict";

export type NotesView = {
  text: string;
  state: NotesState;
  /** In a conflict: the server's text, its author, and the common base. */
  theirs: string;
  by: string | null;
  base: string;
};

export type ServerNotes = { text: string; version: number };

/** Unsaved text with its base version and base text, as stored on the device. */
export type DeviceNotes = ServerNotes & { base: string };

/** Delay before the first retry of a failed save. It doubles with each retry. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** Returns the delay before the next retry. @param failures number of consecutive failures before this one */
export function notesRetryDelayMs(failures: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
}

/**
 * Returns whether a retry may succeed: after no response, a proxy's response (a hotel's sign-in page), a server error,
 * rate limiting or an ended session. The draft keeps the notes after any error.
 */
export function isSaveRetryable(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.problem) return true;
  return error.status >= 500 || [401, 429].includes(error.status);
}

export type NotesStore = {
  /** @throws ApiError notes_conflict, others; TypeError when offline */
  save: (notes: ServerNotes, isKeepalive: boolean) => Promise<ServerNotes>;
  /** Stores unsaved text on this device; null deletes it. */
  storeOnDevice: (notes: DeviceNotes | null) => void;
};

/**
 * Draft of one purchase's notes. It lives outside the component tree, so text survives a change of tab. It saves when
 * typing stops, backs off after failures, and never discards text.
 */
export class NotesDraft {
  readonly #store: NotesStore;
  readonly #listeners = new Set<() => void>();
  #version: number;
  /** The server's text at that version. */
  #base: string;
  #view: NotesView;
  /** In an unresolved conflict, the base of our text. The next window shows the conflict again. */
  #undecided: { version: number; base: string } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Whether a save was requested during another one, for example when the connection returned. */
  #isWanted = false;

  constructor(stored: ServerNotes, store: NotesStore) {
    this.#store = store;
    this.#version = stored.version;
    this.#base = stored.text;
    this.#view = { text: stored.text, state: "idle", theirs: "", by: null, base: stored.text };
  }

  /**
   * Restores the notes that an earlier visit left on this device. The constructor cannot do this: the server renders
   * the first view too and has no stored notes.
   */
  restore(deviceNotes: DeviceNotes): void {
    if (this.#view.state !== "idle") return;
    if (deviceNotes.text === this.#view.text) return this.#store.storeOnDevice(null);
    const { text: theirs } = this.#view;
    if (deviceNotes.version === this.#version) {
      this.#show({ ...this.#view, text: deviceNotes.text, state: "typing" });
      this.#saveSoon();
    } else {
      const { version, base } = deviceNotes;
      this.#undecided = { version, base };
      this.#show({ text: deviceNotes.text, state: "conflict", theirs, by: null, base });
    }
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): NotesView => this.#view;

  /** Applies the server's current notes unless this draft has unsaved text. */
  sync(stored: ServerNotes): void {
    if (stored.version <= this.#version) return;
    if (this.#view.state !== "idle" && this.#view.state !== "saved") return;
    this.#version = stored.version;
    this.#base = stored.text;
    this.#show({ text: stored.text, state: "idle", theirs: "", by: null, base: stored.text });
  }

  type(text: string): void {
    const isConflict = this.#view.state === "conflict";
    const isSaving = this.#view.state === "saving";
    this.#show({ ...this.#view, text, state: isConflict ? "conflict" : isSaving ? "saving" : "typing" });
    this.#keep(text);
    if (!isConflict && !isSaving) this.#saveSoon();
  }

  /** Saves unsaved text now: when the field loses focus, on Retry, and when the connection returns. */
  flush(): void {
    const { state } = this.#view;
    if (state === "typing" || state === "failed") void this.#save(false);
    else if (state === "saving") this.#isWanted = true;
  }

  /** Saves with one `keepalive` request before the page closes. */
  flushKeepalive(): void {
    const { state } = this.#view;
    if (state === "typing" || state === "failed") void this.#save(true);
  }

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

  async #save(isKeepalive: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#isWanted = false;
    const { text } = this.#view;
    this.#show({ ...this.#view, state: "saving" });
    try {
      const stored = await this.#store.save({ text, version: this.#version }, isKeepalive);
      this.#version = stored.version;
      this.#base = stored.text;
      this.#failures = 0;
    } catch (error) {
      this.#refused(error);
      return;
    }
    if (this.#view.text === text) {
      this.#store.storeOnDevice(null);
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
    this.#store.storeOnDevice({ text, version, base });
  }

  #retryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), notesRetryDelayMs(this.#failures++));
  }

  #refused(error: unknown): void {
    const notes = error instanceof ApiError ? error.problem?.notes : undefined;
    if (!notes) {
      // Retry only without a response: the server or a proxy would respond the same again.
      if (this.#isWanted && !(error instanceof ApiError)) return void this.#save(false);
      this.#show({ ...this.#view, state: "failed" });
      if (isSaveRetryable(error)) this.#retryLater();
      return;
    }
    // The conflict error contains the current notes, which the user's choice replaces.
    const before = { version: this.#version, base: this.#base };
    this.#version = notes.version;
    this.#base = notes.text;
    const isSame = notes.text === this.#view.text;
    this.#undecided = isSame ? null : before;
    // Otherwise the device still has our text with its base.
    if (isSame) this.#store.storeOnDevice(null);
    const state = isSame ? "saved" : "conflict";
    this.#show({ ...this.#view, state, theirs: notes.text, by: notes.by, base: before.base });
  }

  #show(view: NotesView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}
