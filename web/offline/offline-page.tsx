import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { AppBar, AppFrame } from "../app/app-frame.tsx";
import { cacheCurrentUser, UserContext, useSessionCheck } from "../auth/current-user.ts";
import { PURCHASES_KEY } from "../purchases/purchases.ts";
import type { Route } from "./+types/offline-page.ts";
import type { StoredPipeline } from "../dashboard/use-store-pipeline.ts";
import { STORED_PIPELINE } from "../lib/clear-encrypted-store.ts";
import { canStoreData } from "../lib/can-store-data.ts";
import { readEncrypted } from "../lib/encrypted-store.ts";
import { OfflinePipeline } from "./offline-pipeline.tsx";

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
        <StoredPipelineLoader />
      </AppBar>
    </AppFrame>
  );
}

function StoredPipelineLoader() {
  const stored = useStoredPipelineQuery();
  useSessionCheck();
  if (stored === undefined) return <p className="rest">Opening your leads…</p>;
  if (stored === null) return <NothingStored />;
  return (
    <UserContext value={stored.user}>
      <OfflinePipeline stored={stored} />
    </UserContext>
  );
}

/** Returns the stored pipeline from the query cache; undefined while it loads. */
function useStoredPipelineQuery(): StoredPipeline | null | undefined {
  const client = useQueryClient();
  const [stored, setStored] = useState<StoredPipeline | null>();
  useEffect(() => {
    let isWanted = true;
    async function open() {
      const found = await readEncrypted<StoredPipeline>(STORED_PIPELINE);
      if (!isWanted) return;
      if (found) {
        cacheCurrentUser(client, found.user);
        client.setQueryData(PURCHASES_KEY, found.pipeline);
      }
      setStored(found);
    }
    void open();
    return () => {
      isWanted = false;
    };
  }, [client]);
  return stored;
}

function NothingStored() {
  const [canStore, setCanStore] = useState<boolean>();
  useEffect(() => {
    void canStoreData().then(setCanStore);
  }, []);
  useEffect(() => {
    const open = () => location.replace(`/dashboard${location.search}`);
    addEventListener("online", open);
    return () => removeEventListener("online", open);
  }, []);
  return (
    <div className="stack gap-4 first">
      <h1>You're offline</h1>
      <p>
        There are no leads on this device yet.{" "}
        {canStore === true &&
          "Open your dashboard once while you're online, and your open leads will be here when you're not."}
        {canStore === false &&
          "This device can't save any right now. You may be in a private window, or its storage may be full."}
      </p>
      <p>
        <a className="button" href="/dashboard">
          Try again
        </a>
      </p>
    </div>
  );
}
