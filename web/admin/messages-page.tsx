import "./messages.css";

import { useQuery } from "@tanstack/react-query";

import { LoadFailure } from "../leads/load-failure.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { MessageChannels } from "./messages-channels.tsx";
import { MessageList } from "./messages-list.tsx";
import { PersonStop } from "./messages-stop.tsx";
import { TEMPLATE_NAMES } from "./message-labels.ts";

export function meta() {
  return [{ title: "Messages | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

/** Shows the switch of each channel, the failed messages, and whether one person gets messages. */
export default function MessagesPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", TEMPLATE_NAMES, "channels"],
    queryFn: () => unwrap(browserApi().api["super-admin"].messages.channels.$get()),
    staleTime: 0,
  });
  return (
    <>
      <header className="admin__head">
        <h1>Messages</h1>
      </header>
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
