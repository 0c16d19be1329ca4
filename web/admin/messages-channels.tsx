import { useId, useState } from "react";

import type { ChannelSetting, ChannelState } from "../../contract/messages.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatCount } from "../lib/format-count.ts";
import { type Column, ListTable } from "./admin-list.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { CHANNEL_LABELS } from "./message-labels.ts";
import { rowAction, type RowActionMap, RowActions } from "./row-actions.tsx";

const COLUMNS: readonly Column<ChannelState>[] = [
  { name: "Channel", cell: ({ channel }) => <span className="list__main">{CHANNEL_LABELS[channel]}</span> },
  {
    name: "State",
    cell: ({ isOn, isReady }) => (!isOn ? "Switched off" : isReady ? "On" : "Not set up"),
  },
  {
    name: "Daily limit",
    isFigure: true,
    cell: ({ mostADay }) => (mostADay === null ? "–" : formatCount(mostADay)),
  },
  {
    name: "Change",
    cell: (channel) => <RowActions list="messages" actions={actionsOf(channel)} />,
  },
];

export function MessageChannels({ channels }: { channels: readonly ChannelState[] }) {
  return (
    <section className="part" aria-label="Channels">
      <h2>Channels</h2>
      <ListTable label="Channels" rows={channels} columns={COLUMNS} idOf={({ channel }) => channel} />
      <p className="muted text-sm messages__how">
        Only emails that visitors' forms trigger count towards the daily limit. Password links and other
        account emails are always sent. If you switch a channel off, its messages wait until you switch it
        back on. Those that are too old by then won't be sent. Text messages are off until you switch them on,
        because each one costs money. They're sent to visitors who gave a mobile number but no email.
      </p>
    </section>
  );
}

/** Returns the button that changes a channel. */
function actionsOf(state: ChannelState): RowActionMap {
  const { channel, isOn } = state;
  const name = CHANNEL_LABELS[channel];
  const change = rowAction<ChannelSetting>({
    label: "Change",
    of: name,
    act: ({ choice: json }) =>
      unwrap(adminApi().messages.channels[":id"].$put({ param: { id: channel }, json })),
    done: ({ choice }) => ({
      title:
        choice.isOn === isOn
          ? "Daily limit saved"
          : `${name} is ${choice.isOn ? "switched on" : "switched off"}`,
    }),
    failed: "That wasn't saved",
    dialog: (props) => <ChannelDialog channel={state} {...props} />,
  });
  return { change };
}

function ChannelDialog({
  channel: { channel, isOn, mostADay },
  isBusy,
  onConfirm,
  onClose,
}: {
  channel: ChannelState;
  isBusy: boolean;
  onConfirm: (setting: ChannelSetting) => void;
  onClose: () => void;
}) {
  const [on, setOn] = useState(isOn ? "on" : "off");
  const [limit, setLimit] = useState(String(mostADay ?? ""));
  const id = useId();
  // The list shows "1,000", so accept the same format.
  const digits = limit.replaceAll(/[\s,]/g, "");
  const isNumber = mostADay === null || (/^\d{1,6}$/.test(digits) && Number(digits) <= 100_000);
  return (
    <ConfirmActionDialog
      title={`${CHANNEL_LABELS[channel]} settings`}
      actionLabel="Save"
      isBusy={isBusy}
      canAct={isNumber}
      onConfirm={() =>
        onConfirm({ isOn: on === "on", ...(mostADay !== null && { mostADay: Number(digits) }) })
      }
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor={`${id}on`}>Sending</label>
        <select id={`${id}on`} className="input" value={on} onChange={(event) => setOn(event.target.value)}>
          <option value="on">On</option>
          <option value="off">Off: nothing is sent</option>
        </select>
      </div>
      {mostADay !== null && (
        <div className="field">
          <label htmlFor={id}>Daily limit, from 0 to 100,000</label>
          <input
            id={id}
            className="input"
            inputMode="numeric"
            value={limit}
            aria-invalid={isNumber ? undefined : true}
            onChange={(event) => setLimit(event.target.value)}
          />
        </div>
      )}
    </ConfirmActionDialog>
  );
}
