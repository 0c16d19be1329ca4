import "./messages.css";

import { useQuery } from "@tanstack/react-query";

import type { TemplateCount } from "../../contract/messages.ts";
import { LoadFailure } from "../leads/load-failure.tsx";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { toSentence } from "../lib/to-sentence.ts";
import { type Column, ListTable } from "./admin-list.tsx";
import { MessageChannels } from "./messages-channels.tsx";
import { MessageHistory } from "./messages-history.tsx";
import { MessageList } from "./messages-list.tsx";
import { CHANNEL_LABELS, TEMPLATE_NAMES } from "./message-labels.ts";

export function meta() {
  return [{ title: "Messages | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

/** Shows outgoing messages: pending and failed ones, the switch of each channel, and one person's messages. */
export default function MessagesPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", TEMPLATE_NAMES, "channels"],
    queryFn: () => unwrap(browserApi().api["super-admin"].messages.channels.$get()),
    staleTime: 0,
    refetchInterval: 60_000,
  });
  return (
    <>
      <header className="admin__head">
        <h1>Messages</h1>
      </header>
      {data ? (
        <>
          <MessageChannels channels={data.channels} />
          <Templates templates={data.templates} isWhole={data.isWhole} />
        </>
      ) : error ? (
        <LoadFailure error={error} retry={refetch} />
      ) : (
        <p className="empty">Loading messages...</p>
      )}
      <MessageList />
      <MessageHistory />
    </>
  );
}

/** Returns the share of permanently failed messages among all sent or failed ones. */
function failureRate({ sent, failed }: TemplateCount): string {
  const tried = sent + failed;
  return tried === 0 ? "–" : `${((100 * failed) / tried).toFixed(failed === 0 ? 0 : 1)}%`;
}

const figure = (name: string, of: (row: TemplateCount) => number): Column<TemplateCount> => ({
  name,
  isFigure: true,
  cell: (row) => formatCount(of(row)),
});

const COLUMNS: readonly Column<TemplateCount>[] = [
  {
    name: "Message",
    cell: ({ channel, template }) => (
      <div>
        <span className="list__main">{toSentence(template)}</span>
        <span className="list__sub">{CHANNEL_LABELS[channel]}</span>
      </div>
    ),
  },
  figure("Sent", ({ sent }) => sent),
  figure("Waiting", ({ waiting }) => waiting),
  figure("Ended", ({ ended }) => ended),
  figure("Failed", ({ failed }) => failed),
  { name: "Failure rate", isFigure: true, cell: failureRate },
];

function Templates({ templates, isWhole }: { templates: readonly TemplateCount[]; isWhole: boolean }) {
  return (
    <section className="messages__part" aria-label="The last 24 hours">
      <h2>The last 24 hours</h2>
      {templates.length === 0 ? (
        <p className="empty">Nothing was sent in the last 24 hours, and nothing is waiting.</p>
      ) : (
        <>
          <ListTable
            label="The last 24 hours"
            rows={templates}
            columns={COLUMNS}
            idOf={({ channel, template }) => `${channel} ${template}`}
          />
          <p className="messages__how">
            Ended: too late or no longer needed, such as a lead already sold.
            {!isWhole && " There were more than 20,000 messages, so only the newest are counted."}
          </p>
        </>
      )}
    </section>
  );
}
