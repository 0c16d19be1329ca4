import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import {
  deleteEncrypted,
  storeEncrypted,
  readEncrypted,
  listEncryptedNames,
} from "../lib/encrypted-store.ts";
import { NOTES, notesName, parsePurchaseId } from "./storage-names.ts";
import { type DeviceNotes, NotesDraft, type ServerNotes } from "./notes-draft.ts";
import { changeKey, editPurchase, getCachedPurchase, type PurchasedLead } from "./purchases.ts";

/** Maximum length of notes in a `keepalive` request. Browsers refuse bodies over 64 KiB. */
const MAX_KEEPALIVE_CHARACTERS = 20_000;

function serverNotes(purchase: PurchasedLead): ServerNotes {
  return { text: purchase.salesNotes ?? "", version: purchase.notesVersion };
}

/** The user who writes the notes. For an impersonating admin, notes are neither restored nor stored. */
type NotesAuthor = Pick<CurrentUser, "id" | "isImpersonating">;

/** All notes drafts of this window, by purchase ID. */
export class NotesDrafts {
  readonly #client: QueryClient;
  readonly #user: NotesAuthor;
  readonly #drafts = new Map<string, NotesDraft>();
  /** Purchases with notes that failed to save, or that an earlier visit left unsaved. */
  readonly #unsaved = new Set<string>();
  /** Purchases with unsaved notes that the device could not store. */
  readonly unstored = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(client: QueryClient, user: NotesAuthor) {
    this.#client = client;
    this.#user = user;
    draftsByClient.set(client, this);
  }

  draft(purchase: PurchasedLead): NotesDraft {
    const known = this.#drafts.get(purchase.id);
    if (known) return known;
    const draft = new NotesDraft(serverNotes(purchase), {
      save: (notes, isKeepalive) => this.#save(purchase.id, notes, isKeepalive),
      storeOnDevice: (notes) => void this.#keep(purchase.id, notes),
    });
    this.#drafts.set(purchase.id, draft);
    draft.subscribe(() => this.#watch(purchase.id, draft));
    return draft;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns whether a purchase's notes failed to save. Notes still being typed do not count. */
  isUnsaved(purchaseId: string): boolean {
    return this.#unsaved.has(purchaseId);
  }

  /**
   * Restores and saves the notes that an earlier visit left. Runs after hydration. Deletes notes that another user left
   * after their session ended.
   */
  async restoreAll(purchaseOf: (id: string) => PurchasedLead | undefined): Promise<void> {
    if (this.#user.isImpersonating) return;
    for (const name of await listEncryptedNames(NOTES)) {
      const purchaseId = parsePurchaseId(name);
      if (name !== notesName(this.#user.id, purchaseId)) await deleteEncrypted(name);
      const notes = (await readEncrypted(name)) as DeviceNotes | null;
      const purchase = purchaseOf(purchaseId);
      if (!notes || !purchase) continue;
      const draft = this.draft(purchase);
      draft.restore(notes);
      if (draft.view().state !== "idle") this.#mark(purchase.id, true);
    }
  }

  flushAll(isKeepalive: boolean): void {
    for (const draft of this.#drafts.values()) {
      if (isKeepalive) draft.flushKeepalive();
      else draft.flush();
    }
  }

  /** Sets or clears a purchase's mark. A running save changes nothing, so that the mark does not flicker. */
  #watch(purchaseId: string, draft: NotesDraft): void {
    const { state } = draft.view();
    if (state === "failed" || state === "conflict") this.#mark(purchaseId, true);
    if (state === "saved" || state === "idle") this.#mark(purchaseId, false);
  }

  #mark(purchaseId: string, isUnsaved: boolean): void {
    if (this.#unsaved.has(purchaseId) === isUnsaved) return;
    if (isUnsaved) this.#unsaved.add(purchaseId);
    else this.#unsaved.delete(purchaseId);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  async #save(id: string, notes: ServerNotes, isKeepalive: boolean): Promise<ServerNotes> {
    const keepalive = isKeepalive && notes.text.length < MAX_KEEPALIVE_CHARACTERS;
    const client = this.#client;
    // Register a mutation, so that the live socket's echo of it is recognised.
    const mutation = client.getMutationCache().build(client, {
      mutationKey: [...changeKey(id), "notes"],
      mutationFn: () =>
        unwrap(
          browserApi().api["lead-purchases"][":id"]["sales-stage"].$patch(
            {
              param: { id },
              json: {
                salesNotes: notes.text || null,
                notesVersion: notes.version,
                madeBy: this.#user.id,
              },
            },
            { init: { keepalive } },
          ),
        ),
    });
    const saved = await mutation.execute({});
    editPurchase(client, id, (current) => ({
      ...current,
      salesNotes: saved.salesNotes,
      notesVersion: saved.notesVersion,
      updatedAt: saved.updatedAt,
    }));
    return { text: saved.salesNotes ?? "", version: saved.notesVersion };
  }

  async #keep(purchaseId: string, notes: DeviceNotes | null): Promise<void> {
    const { id, isImpersonating } = this.#user;
    const name = notesName(id, purchaseId);
    if (!notes && !isImpersonating) await deleteEncrypted(name);
    const isUnstored = notes && (isImpersonating || !(await storeEncrypted(name, notes)));
    if (isUnstored) this.unstored.add(purchaseId);
    else this.unstored.delete(purchaseId);
    this.#tell();
  }
}

/** The notes drafts of each window that has opened the dashboard. */
export const draftsByClient = new WeakMap<QueryClient, NotesDrafts>();

const NotesDraftsContext = createContext<NotesDrafts | null>(null);

/** Provides the notes drafts to all tabs of the dashboard. Saves the drafts when the dashboard closes. */
export function NotesProvider({ user, children }: { user: NotesAuthor; children: React.ReactNode }) {
  const client = useQueryClient();
  // Reuse the drafts: they may hold notes that are neither saved nor stored.
  const [notesDrafts] = useState(() => draftsByClient.get(client) ?? new NotesDrafts(client, user));
  useEffect(() => {
    const leave = () => notesDrafts.flushAll(true);
    const hidden = () => {
      if (document.visibilityState === "hidden") notesDrafts.flushAll(true);
    };
    const online = () => notesDrafts.flushAll(false);
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", hidden);
    addEventListener("online", online);
    return () => {
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", hidden);
      removeEventListener("online", online);
      notesDrafts.flushAll(true);
    };
  }, [notesDrafts]);
  return <NotesDraftsContext value={notesDrafts}>{children}</NotesDraftsContext>;
}

export function useNotesDrafts(): NotesDrafts {
  const notesDrafts = use(NotesDraftsContext);
  if (!notesDrafts) throw new Error("No NotesProvider");
  return notesDrafts;
}

/** Restores notes from an earlier visit once all purchases have loaded. */
export function useRestoredNotes(isComplete: boolean): void {
  const client = useQueryClient();
  const notesDrafts = useNotesDrafts();
  useEffect(() => {
    if (isComplete) void notesDrafts.restoreAll((id) => getCachedPurchase(client, id));
  }, [client, notesDrafts, isComplete]);
}
