import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { useUser } from "../auth/current-user.ts";
import { type Pipeline, PURCHASES_KEY } from "../purchases/purchases.ts";
import { STORED_PIPELINE } from "../lib/clear-encrypted-store.ts";
import { storeEncrypted } from "../lib/encrypted-store.ts";
import { cacheOfflinePage } from "./cache-offline-page.ts";

/** A pipeline's open purchases, as stored on a device for offline use. */
export type StoredPipeline = {
  user: CurrentUser;
  /** Without closed purchases. */
  pipeline: Pipeline;
  /** Time when this device stored the pipeline. */
  storedAt: number;
};

/** Debounce: store after this long without a change. */
const DEBOUNCE_MS = 2_000;

/** Maximum purchases stored, more than any business works on. Stores the most recently changed ones. */
const MAX_STORED_PURCHASES = 1_000;

/**
 * Stores open purchases on this device as they change, and caches the page that shows them. Does nothing for a
 * business without purchases.
 */
export function useStorePipeline(): void {
  const user = useUser();
  const client = useQueryClient();
  useEffect(() => {
    // An impersonating admin leaves nothing on the device.
    if (user.isImpersonating) return;
    let timer: ReturnType<typeof setTimeout>;
    const storePipeline = () => {
      const pipeline = client.getQueryData<Pipeline>(PURCHASES_KEY);
      if (!pipeline?.isComplete || pipeline.purchases.length === 0) return;
      const purchases = pipeline.purchases
        .filter((purchase) => !isFinal(purchase))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, MAX_STORED_PURCHASES);
      const stored: StoredPipeline = { user, pipeline: { ...pipeline, purchases }, storedAt: Date.now() };
      void storeEncrypted(STORED_PIPELINE, stored);
      cacheOfflinePage();
    };
    const schedule = () => {
      clearTimeout(timer);
      timer = setTimeout(storePipeline, DEBOUNCE_MS);
    };
    const stop = client
      .getQueryCache()
      .subscribe(
        ({ type, query }) => type === "updated" && query.queryKey[0] === PURCHASES_KEY[0] && schedule(),
      );
    schedule();
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, user]);
}
