import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { MAX_LIVE_REGIONS, regionName } from "../../contract/regions.ts";
import { recheckCurrentUser } from "../auth/current-user.ts";
import { useClock } from "../lib/clock.tsx";
import { useConnectionBoard } from "../lib/connection.tsx";
import { setReconnectSpread, LiveSocket } from "../lib/live-socket.ts";
import { applyMessage } from "./market-messages.ts";
import { fetchDetails, buildSocketPath, refreshRegions } from "./market-store.ts";

const POLL_MS = 30_000;

/** Returns the regions to follow live: the chosen one first, then the watched ones in order. */
export function selectLiveRegions(watched: readonly string[], chosen: string | null): string[] {
  const first = chosen && watched.includes(chosen) ? [chosen] : [];
  return [...new Set([...first, ...watched])].slice(0, MAX_LIVE_REGIONS);
}

const socketName = (slug: string) => `region:${slug}`;

async function pollOrIgnore(client: QueryClient, slugs: readonly string[]) {
  try {
    await refreshRegions(client, slugs);
  } catch {
    // The next poll retries. The connection chip shows when we are offline.
  }
}

/** Applies live changes of the market while the dashboard is open. Returns news for screen readers. */
export function useLiveMarket(options: {
  watched: readonly string[];
  chosen: string | null;
  isUnmasked: boolean;
}): string {
  const { watched, chosen, isUnmasked } = options;
  const client = useQueryClient();
  const board = useConnectionBoard();
  const { syncClock } = useClock();
  const [announcementText, setAnnouncementText] = useState("");
  const live = selectLiveRegions(watched, chosen).toSorted().join(",");
  const all = watched.join(",");

  const handleFrame = useEffectEvent((slug: string, text: string, isFirst: boolean) => {
    const { verdict, serverNow, comeBackWithinMs, listed, isRevised } = applyMessage(client, slug, text);
    if (serverNow !== null) syncClock(serverNow);
    setReconnectSpread(slug, comeBackWithinMs);
    if (isUnmasked && (listed.length > 0 || isRevised)) void fetchDetails(client, slug).catch(() => {});
    const newest = listed[0];
    if (newest && !isFirst) setAnnouncementText(announcement(newest, listed.length));
    return verdict;
  });

  useEffect(() => {
    const sockets = live
      .split(",")
      .filter(Boolean)
      .map((slug) => {
        let isFirst = true;
        return new LiveSocket({
          path: () => buildSocketPath(client, slug),
          onFrame: (text) => {
            const verdict = handleFrame(slug, text, isFirst);
            isFirst = false;
            return verdict;
          },
          onState: (state) => board.report(socketName(slug), state),
          onSessionDoubt: () => void recheckCurrentUser(client),
        });
      });
    return () => sockets.forEach((socket) => socket.end());
  }, [live, client, board]);

  useEffect(() => {
    const slugs = all.split(",").filter(Boolean);
    // Poll regions beyond the live limit, and live regions with a broken socket.
    const poll = () =>
      pollOrIgnore(
        client,
        slugs.filter((slug) => !board.isLive(socketName(slug))),
      );
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [all, client, board]);

  return announcementText;
}

function announcement(lead: LeadSummary, count: number): string {
  const where = lead.suburbName ?? regionName(lead.region);
  if (count > 1) return `${count} new leads in ${regionName(lead.region)}`;
  return `New lead in ${where}: ${lead.serviceType.map(serviceName).join(", ")}`;
}
