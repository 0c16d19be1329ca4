import type { MessageSummary } from "../../contract/messages.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { toSentence } from "../lib/to-sentence.ts";
import type { Column } from "./admin-list.tsx";
import { IdLink } from "./id-link.tsx";
import { ListPage } from "./list-page.tsx";
import { channelName } from "./message-labels.ts";
import { type RowActionMap, RowActions } from "./row-actions.tsx";

const COLUMNS: readonly Column<MessageSummary>[] = [
  {
    name: "Message",
    cell: ({ template, channel, to, hasBounced }) => (
      <div>
        <span className="list__main">{toSentence(template)}</span>
        <span className="list__sub">
          {channelName(channel)}
          {to && ` to ${to}`}
          {hasBounced && ". The address doesn’t work."}
        </span>
      </div>
    ),
  },
  { name: "About", cell: ({ about }) => (about ? <IdLink id={about} /> : "–") },
  { name: "Tries", isFigure: true, cell: ({ attempts }) => formatCount(attempts) },
  { name: "Created", cell: ({ createdAt }) => <time>{formatDateTime(createdAt)}</time> },
  {
    name: "Last tried",
    cell: ({ triedAt }) => (triedAt === null ? "–" : <time>{formatDateTime(triedAt)}</time>),
  },
  {
    name: "Resend",
    cell: (line) => <RowActions list="messages" actions={actionsOf(line)} />,
  },
];

/** Returns the button that sends a failed message again. */
function actionsOf({ id, template }: MessageSummary): RowActionMap {
  const resend = {
    label: "Send again",
    of: `the message ${toSentence(template)}`,
    act: () => unwrap(adminApi().messages[":id"].again.$post({ param: { id } })),
    done: "Message queued again",
    failed: "That message wasn't queued",
  };
  return { resend };
}

export function MessageList() {
  return (
    <section className="part" aria-label="Failed messages">
      <ListPage
        title="Failed messages"
        isPart
        list="messages"
        fetchPage={(_, part) => adminApi().messages.$get({ query: part })}
        columns={COLUMNS}
        idOf={({ id }) => id}
        loading="Loading messages..."
        empty={() => "Nothing failed in the last week."}
      />
    </section>
  );
}
