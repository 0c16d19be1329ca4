import type { BusinessMessage } from "../../contract/exchange.ts";
import type { SocketHost } from "./sockets.ts";

type WithoutClock<Message> = Message extends unknown ? Omit<Message, "serverNow"> : never;

/** A message without its clock, which the room adds. */
export type Notice = WithoutClock<Exclude<BusinessMessage, { type: "hello" }>>;

/** What a business's room can be asked, wherever it runs. */
export interface RoomObject extends Rpc.DurableObjectBranded, SocketHost {
  /** Tells every window of the business; one that misses it catches up when it reconnects. */
  notify: (notice: Notice) => Promise<void>;
  /** The sessions in which somebody has a window open here that was heard of lately. */
  sessionsHeardOf: (userId: string) => Promise<string[]>;
}
