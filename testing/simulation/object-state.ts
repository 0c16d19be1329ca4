/** An object's `ctx`: its name, its storage, and its sockets, which outlive the instance. */
import type { ObjectStorage } from "./object-storage.ts";
import type { SocketEnd, SocketOwner } from "./sockets.ts";

export class ObjectState {
  readonly id: { name: string; toString: () => string };
  readonly storage: ObjectStorage;
  readonly #sockets: Set<SocketEnd>;
  readonly #ownerOf: () => SocketOwner;
  /** No call reaches the object until this resolves. */
  blocked: Promise<unknown> = Promise.resolve();

  constructor(name: string, storage: ObjectStorage, sockets: Set<SocketEnd>, ownerOf: () => SocketOwner) {
    this.id = { name, toString: () => name };
    this.storage = storage;
    this.#sockets = sockets;
    this.#ownerOf = ownerOf;
  }

  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    this.blocked = Promise.all([this.blocked, done]);
    return done;
  }

  /** Ignores errors of background work. */
  waitUntil(work: Promise<unknown>): void {
    work.catch(() => {});
  }

  acceptWebSocket(socket: SocketEnd, tags: readonly string[] = []): void {
    socket.accept(this.#ownerOf(), tags);
    this.#sockets.add(socket);
  }

  getWebSockets(tag?: string): SocketEnd[] {
    return [...this.#sockets].filter((socket) => tag === undefined || socket.tags.includes(tag));
  }

  /** The runtime answers pings, so the object never receives them. */
  setWebSocketAutoResponse(): void {}
}
