/** Changes made offline that the server refused later. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

import { CONTACTS } from "../../contract/contacts.ts";
import { STAGES } from "../../contract/stages.ts";
import { messageOf } from "../lib/api.ts";
import { formatAmount } from "../lib/format-money.ts";
import {
  deleteEncrypted,
  storeEncrypted,
  readAllEncrypted,
  listEncryptedNames,
} from "../lib/encrypted-store.ts";
import type { Change } from "./change-queue.ts";
import { changeStorageName, REFUSED, PENDING_PREFIX } from "./storage-names.ts";

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

const nameOf = ({ at, key }: RefusedChange) => changeStorageName(REFUSED, at, key);

/**
 * Holds a window's refusals, in order of change, until the user dismisses them. Also encrypts and stores them on the
 * device, because the phone may discard the page first.
 */
class Refusals {
  readonly #listeners = new Set<() => void>();
  #shown: readonly RefusedChange[] = [];
  /** Names dismissed in any window. They are not shown again. */
  readonly #dismissedNames = new Set<string>();
  #channel: BroadcastChannel | undefined;

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly refusals = (): readonly RefusedChange[] => this.#shown;

  /**
   * Adds a change that the server refused.
   * @param shouldStore whether to store the refusal on the device
   * @returns whether the refusal is stored
   */
  async add(
    { name = "A lead", userId, madeAt: at, update }: Change,
    error: unknown,
    shouldStore: boolean,
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
    if (this.#dismissedNames.has(nameOf(refusal))) return true;
    this.#merge([refusal]);
    return shouldStore && storeEncrypted(nameOf(refusal), refusal);
  }

  /** Restores the user's undismissed refusals from earlier pages. Deletes refusals of other users. */
  async restore(userId: string): Promise<void> {
    const stored = await readAllEncrypted<RefusedChange>(REFUSED);
    this.#merge(stored.filter((refusal) => refusal.userId === userId));
    await Promise.all(
      stored.filter((refusal) => refusal.userId !== userId).map((other) => deleteEncrypted(nameOf(other))),
    );
  }

  has(changeKey: string): boolean {
    return this.#shown.some(({ key }) => key === changeKey);
  }

  dismiss(): void {
    // Delete the change too: it is still stored as pending if its refusal could not be stored.
    const names = this.#shown.flatMap((refusal) => [
      nameOf(refusal),
      changeStorageName(PENDING_PREFIX, refusal.at, refusal.key),
    ]);
    // Post after deleting, so that a window opening now either finds nothing or gets this message.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel only reaches its own origin
    void this.#deleteNames(names).then(() => this.#channel?.postMessage(names));
  }

  /** Applies dismissals from other windows of this browser, for the lifetime of the page. */
  syncDismissals(): void {
    this.#channel ??= new BroadcastChannel(CHANNEL);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- repeated calls must not add listeners
    this.#channel.onmessage = ({ data }: MessageEvent<readonly string[]>) => void this.#deleteNames(data);
  }

  #deleteNames(names: readonly string[]): Promise<unknown> {
    for (const name of names) this.#dismissedNames.add(name);
    this.#show(this.#shown.filter((refusal) => !this.#dismissedNames.has(nameOf(refusal))));
    return Promise.all(names.map(deleteEncrypted));
  }

  #merge(more: readonly RefusedChange[]): void {
    const byName = new Map([...this.#shown, ...more].map((refusal) => [nameOf(refusal), refusal]));
    for (const name of this.#dismissedNames) byName.delete(name);
    this.#show([...byName.values()].toSorted((a, b) => a.at - b.at));
  }

  #show(shown: readonly RefusedChange[]): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

const instances = new WeakMap<QueryClient, Refusals>();

export function getRefusals(client: QueryClient): Refusals {
  const known = instances.get(client) ?? new Refusals();
  instances.set(client, known);
  return known;
}

/** Counts undismissed refusals in this window and on this device. Works on any page of the site. */
export async function countRefusals(client: QueryClient): Promise<number> {
  const shown = getRefusals(client).refusals().map(nameOf);
  return new Set([...shown, ...(await listEncryptedNames(REFUSED))]).size;
}

const NONE: readonly RefusedChange[] = [];

/** Returns the refusals to show, and a function that dismisses them. */
export function useRefusals(): { refusals: readonly RefusedChange[]; dismiss: () => void } {
  const known = getRefusals(useQueryClient());
  const shown = useSyncExternalStore(known.subscribe, known.refusals, () => NONE);
  return { refusals: shown, dismiss: () => known.dismiss() };
}
