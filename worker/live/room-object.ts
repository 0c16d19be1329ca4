import type { BusinessMessage } from "../../contract/exchange.ts";
import type { SocketHost } from "./sockets.ts";

type WithoutServerTime<Message> = Message extends unknown ? Omit<Message, "serverNow"> : never;

/** A message without `serverNow`, which the room adds. */
export type RoomNotice = WithoutServerTime<Exclude<BusinessMessage, { type: "hello" }>>;

/** The interface of a business's room. */
export interface RoomObject extends Rpc.DurableObjectBranded, SocketHost {
  /** Sends a notice to every window of the business. A window that misses it catches up when it reconnects. */
  notify: (notice: RoomNotice) => Promise<void>;
  /** Returns the user's sessions that have an open window here with recent activity. */
  sessionsHeardOf: (userId: string) => Promise<string[]>;
}
