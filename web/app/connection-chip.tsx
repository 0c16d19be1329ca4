import { type ConnectionState, useConnectionState } from "../lib/connection.tsx";

const STATE_LABELS: Record<NonNullable<ConnectionState>, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
};

/** Shows in text and colour whether the lists are live. Renders no text on pages without a live list. */
export function ConnectionChip() {
  const state = useConnectionState();
  return (
    <output className="connection" data-state={state ?? undefined}>
      {state && (
        <>
          <span className="connection__dot" aria-hidden="true" />
          {STATE_LABELS[state]}
        </>
      )}
    </output>
  );
}
