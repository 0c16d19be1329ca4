import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useState } from "react";

import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { NotesDraft, type StoredNotes } from "./notes-draft.ts";
import { changeKey, editPurchase, fetchPurchases, PURCHASES_KEY, type PurchasedLead } from "./purchases.ts";

const KEPT = "notes:";

/** Longest body that a request outliving its page may have; browsers refuse more than 64 KiB. */
const LAST_CHANCE_CHARACTERS = 20_000;

function readKept(name: string): StoredNotes | null {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "null") as StoredNotes | null;
    return typeof kept?.text === "string" && typeof kept.version === "number" ? kept : null;
  } catch {
    return null;
  }
}

function writeKept(name: string, notes: StoredNotes | null) {
  try {
    if (notes) localStorage.setItem(name, JSON.stringify(notes));
    else localStorage.removeItem(name);
  } catch {
    // A full or forbidden storage costs only the safety net.
  }
}

/** Forgets unsaved notes kept on this device; part of signing out. */
export function forgetKeptNotes(): void {
  try {
    for (const name of Object.keys(localStorage).filter((key) => key.startsWith(KEPT))) {
      localStorage.removeItem(name);
    }
  } catch {
    // Nothing was kept then.
  }
}

function storedNotes(purchase: PurchasedLead): StoredNotes {
  return { text: purchase.salesNotes ?? "", version: purchase.notesVersion };
}

/** All drafts of this window, by purchase. */
export class NotesDesk {
  readonly #client: QueryClient;
  readonly #userId: string;
  readonly #drafts = new Map<string, NotesDraft>();

  constructor(client: QueryClient, userId: string) {
    this.#client = client;
    this.#userId = userId;
  }

  draft(purchase: PurchasedLead): NotesDraft {
    const known = this.#drafts.get(purchase.id);
    if (known) return known;
    const draft = new NotesDraft(storedNotes(purchase), {
      save: (notes, isLastChance) => this.#save(purchase.id, notes, isLastChance),
      load: () => this.#load(purchase.id),
      keep: (notes) => writeKept(this.#keptName(purchase.id), notes),
    });
    this.#drafts.set(purchase.id, draft);
    return draft;
  }

  /** Takes up what an earlier visit left unsaved; once the page is alive. */
  restore(purchaseId: string, draft: NotesDraft): void {
    const kept = readKept(this.#keptName(purchaseId));
    if (kept) draft.restore(kept);
  }

  #keptName(purchaseId: string): string {
    return `${KEPT}${this.#userId}:${purchaseId}`;
  }

  flushAll(isLastChance: boolean): void {
    for (const draft of this.#drafts.values()) {
      if (isLastChance) draft.lastChance();
      else draft.flush();
    }
  }

  async #save(id: string, notes: StoredNotes, isLastChance: boolean): Promise<StoredNotes> {
    const keepalive = isLastChance && notes.text.length < LAST_CHANCE_CHARACTERS;
    const client = this.#client;
    // Registered like every other change, so that its echo on the live socket is recognised.
    const mutation = client.getMutationCache().build(client, {
      mutationKey: [...changeKey(id), "notes"],
      mutationFn: () =>
        unwrap(
          browserApi().api["lead-purchases"][":id"]["sales-stage"].$patch(
            { param: { id }, json: { salesNotes: notes.text || null, notesVersion: notes.version } },
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

  async #load(id: string): Promise<StoredNotes> {
    const purchases = await fetchPurchases(browserApi());
    const current = purchases.find((purchase) => purchase.id === id);
    if (!current) throw new Error("This purchase is gone");
    this.#client.setQueryData(PURCHASES_KEY, purchases);
    return storedNotes(current);
  }
}

const DeskContext = createContext<NotesDesk | null>(null);

/** Holds the drafts while the dashboard is open, whatever tab is shown, and saves them when it closes. */
export function NotesProvider({ userId, children }: { userId: string; children: React.ReactNode }) {
  const client = useQueryClient();
  const [desk] = useState(() => new NotesDesk(client, userId));
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
  if (!desk) throw new Error("useNotesDesk needs a NotesProvider");
  return desk;
}
