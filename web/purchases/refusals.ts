/** Changes that were made without a connection, and that the server said afterwards cannot be. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

import { CONTACTS } from "../../contract/contacts.ts";
import { STAGES } from "../../contract/stages.ts";
import { messageOf } from "../lib/api.ts";
import { formatAmount } from "../lib/format-money.ts";
import { dropSealed, keepSealed, readAllSealed, sealedNames } from "../lib/sealed-store.ts";
import type { Change } from "./change-queue.ts";
import { keptName, REFUSED, WAITING } from "./kept-names.ts";

/** One of them, as its person is told. */
export type Refusal = {
  /** The change's own key. */
  key: string;
  /** Whose change it was: nobody else is told. */
  userId: string;
  /** When it was made, by this device (epoch ms). */
  at: number;
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
  const { salesStage, customerPaymentAmount: amount, nextActionAt, nextActionNote, assignedTo } = update;
  if (salesStage) return `${update.undoes ? "Stage back to" : "Stage"} “${STAGES[salesStage].label}”`;
  if (amount !== undefined) return amount === null ? "Payment removed" : `Payment ${formatAmount(amount)}`;
  if (assignedTo !== undefined) return assignedTo === null ? "Assignment removed" : "Assignment";
  if (nextActionAt === null) return "Next action removed";
  return nextActionNote ? `Next action “${nextActionNote}”` : "Next action";
}

/** Windows of one browser tell each other here what has been dismissed: the names it was kept by. */
const CHANNEL = "refusals-seen";

const nameOf = ({ at, key }: Refusal) => keptName(REFUSED, at, key);

/**
 * Those of a window, in the order in which the changes were made, until they are dismissed. They lie sealed beside what
 * waits: the page that hears of one may be in a pocket, and the phone may take it away before anybody has looked.
 */
class Refusals {
  readonly #listeners = new Set<() => void>();
  #told: readonly Refusal[] = [];
  /** The names of those that were dismissed, here or in another window: they are not told again. */
  readonly #seen = new Set<string>();
  #channel: BroadcastChannel | undefined;
  /** What is dismissed is dropped after it was kept. */
  #stored: Promise<unknown> = Promise.resolve();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly told = (): readonly Refusal[] => this.#told;

  /**
   * Tells of a change that the server refused.
   * @param isToKeep whether it is to outlive this page
   * @returns whether it does
   */
  add({ name = "A lead", userId, madeAt: at, update }: Change, error: unknown, isToKeep: boolean) {
    const why = messageOf(error, "It couldn't be saved.");
    const refusal: Refusal = { key: update.changeKey, userId, at, name, what: wordsOf(update), why };
    if (this.#seen.has(nameOf(refusal))) return Promise.resolve(true);
    this.#merge([refusal]);
    const kept = this.#stored.then(() => isToKeep && keepSealed(nameOf(refusal), refusal));
    this.#stored = kept;
    return kept;
  }

  /** Tells once more of what an earlier page heard, and this person has not dismissed; others' are wiped. */
  async restore(userId: string): Promise<void> {
    const kept = await readAllSealed<Refusal>(REFUSED);
    this.#merge(kept.filter((refusal) => refusal.userId === userId));
    await Promise.all(
      kept.filter((refusal) => refusal.userId !== userId).map((other) => dropSealed(nameOf(other))),
    );
  }

  has(changeKey: string): boolean {
    return this.#told.some(({ key }) => key === changeKey);
  }

  /** They have been seen. */
  dismiss(): void {
    // The change itself as well: it still waits where the device could not be made to keep that it was refused.
    const names = this.#told.flatMap((refusal) => [
      nameOf(refusal),
      keptName(WAITING, refusal.at, refusal.key),
    ]);
    // Only then: a window that opens meanwhile either finds nothing any more, or hears of it.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is for its own origin alone
    void this.#forget(names).then(() => this.#channel?.postMessage(names));
  }

  /** From now on, for as long as the page lives, what is dismissed in another window of this browser goes here too. */
  followOthers(): void {
    this.#channel ??= new BroadcastChannel(CHANNEL);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- once, however often this is asked for
    this.#channel.onmessage = ({ data }: MessageEvent<readonly string[]>) => void this.#forget(data);
  }

  #forget(names: readonly string[]): Promise<unknown> {
    for (const name of names) this.#seen.add(name);
    this.#show(this.#told.filter((refusal) => !this.#seen.has(nameOf(refusal))));
    // After what is still being written, which may be the same by another window's hand.
    this.#stored = this.#stored.then(() => Promise.all(names.map(dropSealed)));
    return this.#stored;
  }

  #merge(more: readonly Refusal[]): void {
    const byName = new Map([...this.#told, ...more].map((refusal) => [nameOf(refusal), refusal]));
    for (const name of this.#seen) byName.delete(name);
    this.#show([...byName.values()].toSorted((a, b) => a.at - b.at));
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

/** How many this person has not dismissed, in this window or on this device; any page of the site may count them. */
export async function countRefusals(client: QueryClient): Promise<number> {
  const told = refusals(client).told().map(nameOf);
  return new Set([...told, ...(await sealedNames(REFUSED))]).size;
}

const NONE: readonly Refusal[] = [];

/** What is to be told, and how it is dismissed. */
export function useRefusals(): { told: readonly Refusal[]; dismiss: () => void } {
  const known = refusals(useQueryClient());
  const told = useSyncExternalStore(known.subscribe, known.told, () => NONE);
  return { told, dismiss: () => known.dismiss() };
}
