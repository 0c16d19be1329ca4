import { useMemo } from "react";

import { applyEntries } from "./entries.ts";
import { type PipelinePage, useServerPipeline } from "./purchases.ts";
import { useChanges } from "./use-outbox.ts";

/** Returns the pipeline as the user sees it: the server's, with the changes that wait on this device. */
export function usePipeline(firstPage: PipelinePage | null) {
  const { data: pipeline, ...query } = useServerPipeline(firstPage);
  const changes = useChanges();
  const data = useMemo(
    () => pipeline && { ...pipeline, purchases: applyEntries(pipeline.purchases, changes) },
    [pipeline, changes],
  );
  return { ...query, data };
}
