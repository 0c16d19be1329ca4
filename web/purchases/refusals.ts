/** Changes made offline that the server refused later. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

import { CONTACTS } from "../../contract/contacts.ts";
import { STAGES } from "../../contract/stages.ts";
import { messageOf } from "../lib/api.ts";
import { formatAmount } from "../lib/format-money.ts";
import { dropSealed, keepSealed, readAllSealed, sealedNames } from "../lib/sealed-store.ts";
import type { Change } from "./change-queue.ts";
import { keptName, REFUSED, WAITING } from "./kept-names.ts";

/** A refused change as shown to its author. */
export type RefusedChange = {
  /** The change's idempotency key. */
  key: string;
  /** ID of the author; other users do not see it. */
  userId: string;
  /** Time of the change by this device (epoch ms). */
  at: number;
  /** The customer's name. */
  name: string;
  /** Description of the change. */
  what: string;
  /** The reason, from the server's error. */
  why: string;
};

export function describeUpdate(update: Change["update"]): string {
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

/** Channel on which windows of one browser share the storage names of dismissed refusals. */
const CHANNEL = "refusals-seen";

const nameOf = ({ at, key }: RefusedChange) => keptName(REFUSED, at, key);

/**
 * Holds a window's refusals, in order of change, until the user dismisses them. Also encrypts and stores them on the
 * device, because the phone may discard the page first.
 */
class Refusals {
  readonly #listeners = new Set<() => void>();
  #told: readonly RefusedChange[] = [];
  /** Names dismissed in any window. They are not shown again. */
  readonly #seen = new Set<string>();
  #channel: BroadcastChannel | undefined;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly told = (): readonly RefusedChange[] => this.#told;

  /**
   * Adds a change that the server refused.
   * @param isToKeep whether to store the refusal on the device
   * @returns whether the refusal is stored
   */
  async add(
    { name = "A lead", userId, madeAt: at, update }: Change,
    error: unknown,
    isToKeep: boolean,
  ): Promise<boolean> {
    const why = messageOf(error, "It couldn't be saved.");
    const refusal: RefusedChange = {
      key: update.changeKey,
      userId,
      at,
      name,
      what: describeUpdate(update),
      why,
    };
    if (this.#seen.has(nameOf(refusal))) return true;
    this.#merge([refusal]);
    return isToKeep && keepSealed(nameOf(refusal), refusal);
  }

  /** Restores the user's undismissed refusals from earlier pages. Deletes refusals of other users. */
  async restore(userId: string): Promise<void> {
    const kept = await readAllSealed<RefusedChange>(REFUSED);
    this.#merge(kept.filter((refusal) => refusal.userId === userId));
    await Promise.all(
      kept.filter((refusal) => refusal.userId !== userId).map((other) => dropSealed(nameOf(other))),
    );
  }

  has(changeKey: string): boolean {
    return this.#told.some(({ key }) => key === changeKey);
  }

  dismiss(): void {
    // Delete the change too: it is still stored as pending if its refusal could not be stored.
    const names = this.#told.flatMap((refusal) => [
      nameOf(refusal),
      keptName(WAITING, refusal.at, refusal.key),
    ]);
    // Post after deleting, so that a window opening now either finds nothing or gets this message.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
    void this.#forget(names).then(() => this.#channel?.postMessage(names));
  }

  /** Applies dismissals from other windows of this browser, for the lifetime of the page. */
  followOthers(): void {
    this.#channel ??= new BroadcastChannel(CHANNEL);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- repeated calls must not add listeners
    this.#channel.onmessage = ({ data }: MessageEvent<readonly string[]>) => void this.#forget(data);
  }

  #forget(names: readonly string[]): Promise<unknown> {
    for (const name of names) this.#seen.add(name);
    this.#show(this.#told.filter((refusal) => !this.#seen.has(nameOf(refusal))));
    return Promise.all(names.map(dropSealed));
  }

  #merge(more: readonly RefusedChange[]): void {
    const byName = new Map([...this.#told, ...more].map((refusal) => [nameOf(refusal), refusal]));
    for (const name of this.#seen) byName.delete(name);
    this.#show([...byName.values()].toSorted((a, b) => a.at - b.at));
  }

  #show(told: readonly RefusedChange[]): void {
    this.#told = told;
    for (const listener of this.#listeners) listener();
  }
}

const all = new WeakMap<QueryClient, Refusals>();

export function refusals(client: QueryClient): Refusals {
  const known = all.get(client) ?? new Refusals();
  all.set(client, known);
  return known;
}

/** Counts undismissed refusals in this window and on this device. Works on any page of the site. */
export async function countRefusals(client: QueryClient): Promise<number> {
  const told = refusals(client).told().map(nameOf);
  return new Set([...told, ...(await sealedNames(REFUSED))]).size;
}

const NONE: readonly RefusedChange[] = [];

/** Returns the refusals to show, and a function that dismisses them. */
export function useRefusals(): { told: readonly RefusedChange[]; dismiss: () => void } {
  const known = refusals(useQueryClient());
  const told = useSyncExternalStore(known.subscribe, known.told, () => NONE);
  return { told, dismiss: () => known.dismiss() };
}
