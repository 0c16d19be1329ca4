/** WebSockets like those of the Workers runtime: a pair of ends, one of which an object accepts. */
import { copyOf } from "./copy.ts";

/** The connection between two ends. Frames stay in order, and each has its own delay. */
type Connection = { after: (deliver: () => void) => void };

/** The functions that an object's end needs from its object. */
export type SocketOwner = {
  line: Connection;
  /** The other side has closed or disappeared. */
  onClosed: (socket: SocketEnd, code: number) => void;
};

type Handlers = { onMessage: (text: string) => void; onClose: (code: number) => void };

export class SocketEnd {
  // oxlint-disable-next-line no-unused-private-class-members -- used on the other end, through `client.#peer`
  #peer!: SocketEnd;
  #owner: SocketOwner | null = null;
  #handlers: Handlers | null = null;
  readonly #early: ((handlers: Handlers) => void)[] = [];
  #attachment: unknown = null;
  #state: "open" | "closing" | "closed" = "open";
  #hasLeft = false;
  tags: readonly string[] = [];

  static pair(): [SocketEnd, SocketEnd] {
    const [client, server] = [new SocketEnd(), new SocketEnd()];
    client.#peer = server;
    server.#peer = client;
    return [client, server];
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Accepts this end for the object. */
  accept(owner: SocketOwner, tags: readonly string[]): void {
    this.#owner = owner;
    this.tags = tags;
  }

  /** Starts the browser's listener. It receives every frame from the first, even if it starts late. */
  listen(handlers: Handlers): void {
    this.#handlers = handlers;
    for (const deliver of this.#early.splice(0)) deliver(handlers);
  }

  serializeAttachment(value: unknown): void {
    this.#attachment = copyOf(value);
  }

  deserializeAttachment(): unknown {
    return copyOf(this.#attachment);
  }

  /** Sends a frame from the object. @throws once it is closing, as the runtime does */
  send(text: string): void {
    if (this.#state !== "open") throw new TypeError("Can't call WebSocket send() after close().");
    this.#owner?.line.after(() => this.#peer.#hear((handlers) => handlers.onMessage(text)));
  }

  /** Closes the object's end. The end is removed when the browser has replied. */
  close(code = 1000): void {
    if (code !== 1000 && (code < 3000 || code > 4999)) throw new TypeError("Invalid WebSocket close code.");
    if (this.#state !== "open") return;
    this.#state = "closing";
    const owner = this.#owner;
    owner?.line.after(() => {
      this.#peer.#state = "closed";
      this.#peer.#hear((handlers) => handlers.onClose(code));
      owner.line.after(() => this.#end(code));
    });
  }

  /** Closes the browser's end, or drops its network. @param after the delay until the object notices, in ms */
  disconnect(code: number, after: (deliver: () => void) => void): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#handlers = null;
    this.#hasLeft = true;
    after(() => this.#peer.#end(code));
  }

  #end(code: number): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#owner?.onClosed(this, code);
  }

  #hear(deliver: (handlers: Handlers) => void): void {
    if (this.#hasLeft) return;
    if (this.#handlers) deliver(this.#handlers);
    else this.#early.push(deliver);
  }
}
