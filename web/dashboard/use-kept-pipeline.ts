import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { type Pipeline, PURCHASES_KEY } from "../purchases/purchases.ts";
import { KEPT_PIPELINE } from "../lib/forget-sealed.ts";
import { keepSealed } from "../lib/sealed-store.ts";
import { keepShell } from "./keep-shell.ts";

/** A pipeline's open purchases, as sealed on a device for offline use. */
export type KeptPipeline = {
  user: CurrentUser;
  /** Without closed purchases. */
  pipeline: Pipeline;
  /** Time when this device stored the pipeline. */
  keptAt: number;
};

/** Debounce: store after this long without a change. */
const PAUSE_MS = 2_000;

/** Maximum purchases stored, more than any business works on. Stores the most recently changed ones. */
const MAX_KEPT = 1_000;

/**
 * Stores open purchases on this device as they change, and caches the page that shows them. Does nothing for a
 * business without purchases.
 */
export function useKeptPipeline(user: CurrentUser): void {
  const client = useQueryClient();
  useEffect(() => {
    // An impersonating admin leaves nothing on the device.
    if (user.isImpersonating) return;
    let timer: ReturnType<typeof setTimeout>;
    const keep = () => {
      const pipeline = client.getQueryData<Pipeline>(PURCHASES_KEY);
      if (!pipeline?.isComplete || pipeline.purchases.length === 0) return;
      const purchases = pipeline.purchases
        .filter((purchase) => !isFinal(purchase))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, MAX_KEPT);
      const kept: KeptPipeline = { user, pipeline: { ...pipeline, purchases }, keptAt: Date.now() };
      void keepSealed(KEPT_PIPELINE, kept);
      keepShell();
    };
    const plan = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE_MS);
    };
    const stop = client
      .getQueryCache()
      .subscribe(({ type, query }) => type === "updated" && query.queryKey[0] === PURCHASES_KEY[0] && plan());
    plan();
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, user]);
}
