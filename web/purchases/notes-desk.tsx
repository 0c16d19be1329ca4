import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useState } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { dropSealed, keepSealed, readSealed, sealedNames } from "../lib/sealed-store.ts";
import { NOTES, notesName, purchaseOfNotes } from "./kept-names.ts";
import { type KeptNotes, NotesDraft, readKeptNotes, type StoredNotes } from "./notes-draft.ts";
import { changeKey, editPurchase, cachedPurchase, type PurchasedLead } from "./purchases.ts";

/** Maximum length of notes in a `keepalive` request. Browsers refuse bodies over 64 KiB. */
const LAST_CHANCE_CHARACTERS = 20_000;

function storedNotes(purchase: PurchasedLead): StoredNotes {
  return { text: purchase.salesNotes ?? "", version: purchase.notesVersion };
}

/** The user who writes the notes. For an impersonating admin, notes are neither restored nor stored. */
type Person = Pick<CurrentUser, "id" | "isImpersonating">;

/** All notes drafts of this window, by purchase ID. */
export class NotesDesk {
  readonly #client: QueryClient;
  readonly #user: Person;
  readonly #drafts = new Map<string, NotesDraft>();
  /** Purchases with notes that failed to save, or that an earlier visit left unsaved. */
  readonly #unsaved = new Set<string>();
  /** Purchases with unsaved notes that the device could not store. */
  readonly unkept = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(client: QueryClient, user: Person) {
    this.#client = client;
    this.#user = user;
    desks.set(client, this);
  }

  draft(purchase: PurchasedLead): NotesDraft {
    const known = this.#drafts.get(purchase.id);
    if (known) return known;
    const draft = new NotesDraft(storedNotes(purchase), {
      save: (notes, isLastChance) => this.#save(purchase.id, notes, isLastChance),
      keep: (notes) => void this.#keep(purchase.id, notes),
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
    for (const name of await sealedNames(NOTES)) {
      const purchaseId = purchaseOfNotes(name);
      if (name !== notesName(this.#user.id, purchaseId)) await dropSealed(name);
      const notes = readKeptNotes(await readSealed(name));
      const purchase = purchaseOf(purchaseId);
      if (!notes || !purchase) continue;
      const draft = this.draft(purchase);
      draft.restore(notes);
      if (draft.view().state !== "idle") this.#mark(purchase.id, true);
    }
  }

  flushAll(isLastChance: boolean): void {
    for (const draft of this.#drafts.values()) {
      if (isLastChance) draft.lastChance();
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

  async #save(id: string, notes: StoredNotes, isLastChance: boolean): Promise<StoredNotes> {
    const keepalive = isLastChance && notes.text.length < LAST_CHANCE_CHARACTERS;
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

  async #keep(purchaseId: string, notes: KeptNotes | null): Promise<void> {
    const { id, isImpersonating } = this.#user;
    const name = notesName(id, purchaseId);
    if (!notes && !isImpersonating) await dropSealed(name);
    const isUnkept = notes && (isImpersonating || !(await keepSealed(name, notes)));
    if (isUnkept) this.unkept.add(purchaseId);
    else this.unkept.delete(purchaseId);
    this.#tell();
  }
}

/** The notes desk of each window that has opened the dashboard. */
export const desks = new WeakMap<QueryClient, NotesDesk>();

const DeskContext = createContext<NotesDesk | null>(null);

/** Provides the notes drafts to all tabs of the dashboard. Saves the drafts when the dashboard closes. */
export function NotesProvider({ user, children }: { user: Person; children: React.ReactNode }) {
  const client = useQueryClient();
  // Reuse the desk: it may hold notes that are neither saved nor stored.
  const [desk] = useState(() => desks.get(client) ?? new NotesDesk(client, user));
  useEffect(() => {
    const leave = () => desk.flushAll(true);
    const hidden = () => {
      if (document.visibilityState === "hidden") desk.flushAll(true);
    };
    const online = () => desk.flushAll(false);
    addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", hidden);
    addEventListener("online", online);
    return () => {
      removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", hidden);
      removeEventListener("online", online);
      desk.flushAll(true);
    };
  }, [desk]);
  return <DeskContext value={desk}>{children}</DeskContext>;
}

export function useNotesDesk(): NotesDesk {
  const desk = use(DeskContext);
  if (!desk) throw new Error("No NotesProvider");
  return desk;
}

/** Restores notes from an earlier visit once all purchases have loaded. */
export function useRestoredNotes(isComplete: boolean): void {
  const client = useQueryClient();
  const desk = useNotesDesk();
  useEffect(() => {
    if (isComplete) void desk.restoreAll((id) => cachedPurchase(client, id));
  }, [client, desk, isComplete]);
}
