import { createContext, use, useState } from "react";

import type { SocketState } from "./live-socket.ts";
import { createStore, useStore } from "./store.ts";

/** The state that the connection chip shows: the weakest of all sockets. Null before the first report. */
export type ConnectionState = SocketState | null;

const WORST_STATE_FIRST: readonly SocketState[] = ["offline", "reconnecting", "connecting", "live"];

export class ConnectionBoard {
  readonly #states = new Map<string, SocketState>();
  readonly summary = createStore<ConnectionState>(null);

  isLive(socket: string): boolean {
    return this.#states.get(socket) === "live";
  }

  /** Records the state of one socket; null when it closes permanently. */
  report(socket: string, state: SocketState | null): void {
    if (state) this.#states.set(socket, state);
    else this.#states.delete(socket);
    const all = new Set(this.#states.values());
    this.summary.write(WORST_STATE_FIRST.find((candidate) => all.has(candidate)) ?? null);
  }
}

const BoardContext = createContext<ConnectionBoard | null>(null);

export function ConnectionProvider({ children }: { children: React.ReactNode }) {
  const [board] = useState(() => new ConnectionBoard());
  return <BoardContext value={board}>{children}</BoardContext>;
}

export function useConnectionBoard(): ConnectionBoard {
  const board = use(BoardContext);
  if (!board) throw new Error("No ConnectionProvider");
  return board;
}

export function useConnectionState(): ConnectionState {
  return useStore(useConnectionBoard().summary, null);
}
