import { useQuery } from "@tanstack/react-query";

import { LoadFailure } from "../leads/load-failure.tsx";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { MessageChannels } from "./messages-channels.tsx";
import { MessageList } from "./messages-list.tsx";
import { PersonStop } from "./messages-stop.tsx";

/** Shows the switch of each channel, the failed messages, and whether one person gets messages. */
export function MessagesPart() {
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "messages", "channels"],
    queryFn: () => unwrap(adminApi().messages.channels.$get()),
    staleTime: 0,
  });
  return (
    <>
      {data ? (
        <MessageChannels channels={data} />
      ) : error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : (
        <p className="empty">Loading messages...</p>
      )}
      <MessageList />
      <PersonStop />
    </>
  );
}
