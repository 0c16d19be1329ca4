import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { AppBar, AppFrame } from "../app/app-frame.tsx";
import { rememberUser, useSessionWatch } from "../auth/current-user.ts";
import { NotesProvider } from "../purchases/notes-desk.tsx";
import { PURCHASES_KEY } from "../purchases/purchases.ts";
import type { Route } from "./+types/offline-page.ts";
import type { KeptPipeline } from "../dashboard/use-kept-pipeline.ts";
import { KEPT_PIPELINE } from "../lib/forget-sealed.ts";
import { keepsAnything } from "../lib/keeps-anything.ts";
import { readSealed } from "../lib/sealed-store.ts";
import { OfflineWork } from "./offline-work.tsx";

export const handle = { app: true };

/** Returns the same data for every user. The leads are on the device. */
export function loader() {
  return { renderedAt: Date.now() };
}

export function shouldRevalidate() {
  return false;
}

export function meta() {
  return [{ title: "Offline | Naturestrip" }, { name: "robots", content: "noindex" }];
}

/** Shows the open leads that this device last stored, for use without a connection. */
export default function OfflinePage({ loaderData }: Route.ComponentProps) {
  return (
    <AppFrame renderedAt={loaderData.renderedAt}>
      <AppBar>
        <KeptWork />
      </AppBar>
    </AppFrame>
  );
}

function KeptWork() {
  const kept = useKept();
  useSessionWatch();
  if (kept === undefined) return <p className="rest">Opening your leads…</p>;
  if (kept === null) return <NothingKept />;
  return (
    <NotesProvider user={kept.user}>
      <OfflineWork kept={kept} />
    </NotesProvider>
  );
}

/** Returns the stored pipeline from the query cache; undefined while it loads. */
function useKept(): KeptPipeline | null | undefined {
  const client = useQueryClient();
  const [kept, setKept] = useState<KeptPipeline | null>();
  useEffect(() => {
    let isWanted = true;
    async function open() {
      const found = await readSealed<KeptPipeline>(KEPT_PIPELINE);
      if (!isWanted) return;
      if (found) {
        rememberUser(client, found.user);
        client.setQueryData(PURCHASES_KEY, found.pipeline);
      }
      setKept(found);
    }
    void open();
    return () => {
      isWanted = false;
    };
  }, [client]);
  return kept;
}

function NothingKept() {
  const [keeps, setKeeps] = useState<boolean>();
  useEffect(() => {
    void keepsAnything().then(setKeeps);
  }, []);
  return (
    <div className="first">
      <h1>You're offline</h1>
      <p>
        There are no leads on this device yet.{" "}
        {keeps === true &&
          "Open your dashboard once while you're online, and your open leads will be here when you're not."}
        {keeps === false &&
          "It can't keep any right now: you may be in a private window, or its storage may be full."}
      </p>
      <p>
        <a className="button" href="/dashboard">
          Try again
        </a>
      </p>
    </div>
  );
}
