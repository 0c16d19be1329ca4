import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { type Pipeline, PURCHASES_KEY } from "../purchases/purchases.ts";
import { KEPT_PIPELINE } from "../lib/forget-sealed.ts";
import { keepSealed } from "../lib/sealed-store.ts";
import { keepShell } from "./keep-shell.ts";

/** The open work of a pipeline as a device keeps it, sealed, for times without a connection. */
export type KeptPipeline = {
  user: CurrentUser;
  /** Without what is closed. */
  pipeline: Pipeline;
  /** This device's time when it was kept. */
  keptAt: number;
};

/** A change is kept once nothing more has followed for so long. */
const PAUSE_MS = 2_000;

/** More than anybody has in work; what changed last is kept. */
const MOST = 1_000;

/** Keeps the open work on this device as it changes, and the page that shows it; for whoever has any. */
export function useKeptPipeline(user: CurrentUser): void {
  const client = useQueryClient();
  useEffect(() => {
    // An admin's look through somebody's eyes leaves nothing behind.
    if (user.isImpersonating) return;
    let timer: ReturnType<typeof setTimeout>;
    const keep = () => {
      const pipeline = client.getQueryData<Pipeline>(PURCHASES_KEY);
      if (!pipeline?.isComplete || pipeline.purchases.length === 0) return;
      const purchases = pipeline.purchases
        .filter((purchase) => !isFinal(purchase))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
        .slice(0, MOST);
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
