/** Changes that were made without a connection, and that the server said afterwards cannot be. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

import { CONTACTS } from "../../contract/contacts.ts";
import { STAGES } from "../../contract/stages.ts";
import { messageOf } from "../lib/api.ts";
import { formatAmount } from "../lib/format-money.ts";
import type { Change } from "./change-queue.ts";

/** One of them, as its person is told. */
export type Refusal = {
  /** The change's own key. */
  key: string;
  /** Whose lead it is. */
  name: string;
  /** What was changed. */
  what: string;
  /** Why that cannot be. */
  why: string;
};

/** What a change does, in words. */
export function wordsOf(update: Change["update"]): string {
  if ("contact" in update) {
    const { outcome } = update.contact;
    return outcome === "texted" ? "Text message" : `Call, “${CONTACTS[outcome].label}”`;
  }
  const { salesStage, customerPaymentAmount: amount, nextActionAt, nextActionNote } = update;
  if (salesStage) return `${update.undoes ? "Stage back to" : "Stage"} “${STAGES[salesStage].label}”`;
  if (amount !== undefined) return amount === null ? "Payment taken away" : `Payment ${formatAmount(amount)}`;
  if (nextActionAt === null) return "Next action taken away";
  return nextActionNote ? `Next action “${nextActionNote}”` : "Next action";
}

/** Those of a window, the last ones last, until they are dismissed. */
class Refusals {
  readonly #listeners = new Set<() => void>();
  #told: readonly Refusal[] = [];

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly told = (): readonly Refusal[] => this.#told;

  add({ name = "A lead", update }: Change, error: unknown): void {
    const why = messageOf(error, "It could not be saved.");
    this.#show([...this.#told, { key: update.changeKey, name, what: wordsOf(update), why }]);
  }

  has(changeKey: string): boolean {
    return this.#told.some(({ key }) => key === changeKey);
  }

  dismiss(): void {
    this.#show([]);
  }

  #show(told: readonly Refusal[]): void {
    this.#told = told;
    for (const listener of this.#listeners) listener();
  }
}

const all = new WeakMap<QueryClient, Refusals>();

/** The ones of a window. */
export function refusals(client: QueryClient): Refusals {
  const known = all.get(client) ?? new Refusals();
  all.set(client, known);
  return known;
}

const NONE: readonly Refusal[] = [];

/** What is to be told, and how it is dismissed. */
export function useRefusals(): { told: readonly Refusal[]; dismiss: () => void } {
  const known = refusals(useQueryClient());
  const told = useSyncExternalStore(known.subscribe, known.told, () => NONE);
  return { told, dismiss: () => known.dismiss() };
}
