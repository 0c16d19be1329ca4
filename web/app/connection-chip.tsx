import { type ConnectionState, useConnectionState } from "../lib/connection.tsx";

const WORDS: Record<NonNullable<ConnectionState>, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
};

/** Shows in words and colour whether the lists are live. Renders nothing where no list is live. */
export function ConnectionChip() {
  const state = useConnectionState();
  return (
    <output className="connection" data-state={state ?? undefined}>
      {state && (
        <>
          <span className="connection__dot" aria-hidden="true" />
          {WORDS[state]}
        </>
      )}
    </output>
  );
}
