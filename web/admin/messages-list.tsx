import { useState } from "react";

import type { MessageSummary, MessageView } from "../../contract/messages.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { toSentence } from "../lib/to-sentence.ts";
import { Button } from "../ui/button.tsx";
import { AdminList, type Column } from "./admin-list.tsx";
import { FilterSelect } from "./filters.tsx";
import { IdLink } from "./id-link.tsx";
import { channelName, TEMPLATE_NAMES } from "./message-labels.ts";
import { useAdminAction } from "./use-admin-action.ts";

const VIEWS: readonly { value: MessageView; label: string; empty: string }[] = [
  { value: "failed", label: "Failed", empty: "Nothing failed in the last week." },
  { value: "waiting", label: "Waiting", empty: "Nothing waiting." },
  { value: "over", label: "Sent or ended", empty: "Nothing was sent in the last week." },
];

export const MESSAGE_COLUMNS: readonly Column<MessageSummary>[] = [
  {
    name: "Message",
    cell: ({ template, channel, to }) => (
      <div>
        <span className="list__main">{toSentence(template)}</span>
        <span className="list__sub">
          {channelName(channel)}
          {to && ` to ${to}`}
        </span>
      </div>
    ),
  },
  { name: "About", cell: ({ about }) => (about ? <IdLink id={about} /> : "–") },
  {
    name: "State",
    cell: ({ state, attempts }) => (
      <div>
        {toSentence(state)}
        {attempts > 1 && <span className="list__sub">{formatCount(attempts)} tries</span>}
      </div>
    ),
  },
  { name: "Created", cell: ({ createdAt }) => <time>{formatDateTime(createdAt)}</time> },
  {
    name: "Last tried",
    cell: ({ triedAt }) => (triedAt === null ? "–" : <time>{formatDateTime(triedAt)}</time>),
  },
];

const FAILED_COLUMNS: readonly Column<MessageSummary>[] = [
  ...MESSAGE_COLUMNS,
  {
    name: "Resend",
    cell: (line) => (
      <div className="list__acts">
        <RetryButton line={line} />
      </div>
    ),
  },
];

function RetryButton({ line }: { line: MessageSummary }) {
  const act = useAdminAction({
    list: TEMPLATE_NAMES,
    act: (id: string) =>
      unwrap(browserApi().api["super-admin"].messages[":id"].again.$post({ param: { id } })),
    getDoneMessage: () => ({ title: "Message queued again" }),
    failed: "That message wasn't queued",
  });
  return (
    <Button variant="quiet" isBusy={act.isPending} onClick={() => act.mutate(line.id)}>
      Send again<span className="visually-hidden"> the message {toSentence(line.template)}</span>
    </Button>
  );
}

export function MessageList() {
  const [view, setView] = useState<MessageView>("failed");
  const { empty, label } = VIEWS.find(({ value }) => value === view)!;
  const list = usePages<MessageSummary>(["admin", TEMPLATE_NAMES, view], (cursor) =>
    readPage(browserApi().api["super-admin"].messages.$get({ query: { cursor, view } })),
  );
  return (
    <section className="messages__part" aria-label="Individual messages">
      <h2>Individual messages</h2>
      <div className="admin__filters">
        <FilterSelect
          label="Show"
          options={VIEWS}
          value={view}
          onChange={(value) => setView(value as MessageView)}
        />
      </div>
      <AdminList
        label={`Messages: ${label}`}
        list={list}
        columns={view === "failed" ? FAILED_COLUMNS : MESSAGE_COLUMNS}
        idOf={({ id }) => id}
        loading="Loading messages..."
        empty={empty}
      />
    </section>
  );
}
