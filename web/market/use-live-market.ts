import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { MAX_LIVE_REGIONS, regionName } from "../../contract/regions.ts";
import { askWhoWeAre } from "../auth/current-user.ts";
import { useClock } from "../lib/clock.tsx";
import { useConnectionBoard } from "../lib/connection.tsx";
import { comeBackWithin, LiveSocket } from "../lib/live-socket.ts";
import { applyMessage } from "./market-messages.ts";
import { fetchDetails, livePath, refreshRegions } from "./market-store.ts";

const POLL_MS = 30_000;

/** Returns the regions to follow live: the chosen one first, then the watched ones in order. */
export function liveRegions(watched: readonly string[], chosen: string | null): string[] {
  const first = chosen && watched.includes(chosen) ? [chosen] : [];
  return [...new Set([...first, ...watched])].slice(0, MAX_LIVE_REGIONS);
}

const socketName = (slug: string) => `region:${slug}`;

async function pollQuietly(client: QueryClient, slugs: readonly string[]) {
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
  seesEverything: boolean;
}): string {
  const { watched, chosen, seesEverything } = options;
  const client = useQueryClient();
  const board = useConnectionBoard();
  const { correct } = useClock();
  const [news, setNews] = useState("");
  const live = liveRegions(watched, chosen).toSorted().join(",");
  const all = watched.join(",");

  const hear = useEffectEvent((slug: string, text: string, isFirst: boolean) => {
    const { verdict, serverNow, comeBackWithinMs, listed } = applyMessage(client, slug, text);
    if (serverNow !== null) correct(serverNow);
    comeBackWithin(slug, comeBackWithinMs);
    if (seesEverything && listed.length > 0) void fetchDetails(client, slug).catch(() => {});
    const newest = listed[0];
    if (newest && !isFirst) setNews(announcement(newest, listed.length));
    return verdict;
  });

  useEffect(() => {
    const sockets = live
      .split(",")
      .filter(Boolean)
      .map((slug) => {
        const name = socketName(slug);
        let isFirst = true;
        const socket = new LiveSocket({
          path: () => livePath(client, slug),
          onFrame: (text) => {
            const verdict = hear(slug, text, isFirst);
            isFirst = false;
            return verdict;
          },
          onState: (state) => board.report(name, state),
          onDoubt: () => void askWhoWeAre(client),
        });
        return { name, socket };
      });
    return () => {
      for (const { name, socket } of sockets) {
        socket.end();
        board.report(name, null);
      }
    };
  }, [live, client, board]);

  useEffect(() => {
    const slugs = all.split(",").filter(Boolean);
    // Poll regions beyond the live limit, and live regions with a broken socket.
    const poll = () =>
      pollQuietly(
        client,
        slugs.filter((slug) => !board.isLive(socketName(slug))),
      );
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [all, client, board]);

  return news;
}

function announcement(lead: LeadSummary, count: number): string {
  const where = lead.suburbName ?? regionName(lead.region);
  if (count > 1) return `${count} new leads in ${regionName(lead.region)}`;
  return `New lead in ${where}: ${lead.serviceType.map(serviceName).join(", ")}`;
}
