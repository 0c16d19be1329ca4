/** Browsers that follow a region live, using the application's own market store. */
import type { QueryClient } from "@tanstack/react-query";

import { CLOSE } from "../../contract/exchange.ts";
import { applyMessage } from "../../web/market/market-messages.ts";
import { buildSocketPath, type MARKET_KEY } from "../../web/market/market-store.ts";
import type { MarketState } from "../../web/market/market.ts";
import { Violation } from "./violation.ts";
import type { Actors } from "./actors.ts";
import type { Person } from "./population.ts";
import type { Random } from "./random.ts";
import type { SocketEnd } from "./sockets.ts";

const MARKET: (typeof MARKET_KEY)[0] = "market";
/** Maximum delay of a message without faults, in ms. */
const FRESH_MS = 60_000;

/** Returns the store and a function that reads its single value. */
function createStore(): { client: QueryClient; market: () => MarketState } {
  const data = new Map<string, unknown>();
  const client = {
    getQueryData: ([key]: [string]) => data.get(key),
    setQueryData: ([key]: [string], update: (before: unknown) => unknown) =>
      data.set(key, update(data.get(key))),
  };
  return { client: client as unknown as QueryClient, market: () => (data.get(MARKET) ?? {}) as MarketState };
}

export class BrowserWindow {
  readonly person: Person;
  readonly region: string;
  readonly #cast: Actors;
  readonly #store = createStore();
  readonly #random: Random;
  #socket: SocketEnd | null = null;
  #attempts = 0;
  #isGreeted = false;
  #isConnecting = false;
  /** Whether the server has rejected or ended this window's session. */
  isClosed = false;

  constructor(cast: Actors, person: Person, region: string, random: Random) {
    this.#cast = cast;
    this.person = person;
    this.region = region;
    this.#random = random;
  }

  get name(): string {
    return `${this.person.name}'s window on ${this.region}`;
  }

  /** Returns what the screen shows: the leads for sale and when each hold ends. */
  shown(): { id: string; heldUntil: number | null }[] {
    return (this.#store.market()[this.region]?.leads ?? []).map(({ id, heldUntil }) => ({ id, heldUntil }));
  }

  get total(): number | null {
    return this.#store.market()[this.region]?.total ?? null;
  }

  /** Whether the window is connected and has received the region's list. */
  get hasGreeting(): boolean {
    return this.#socket !== null && this.#isGreeted;
  }

  get isLive(): boolean {
    return this.#socket !== null;
  }

  get socket(): SocketEnd | null {
    return this.#socket;
  }

  async connect(): Promise<void> {
    if (this.#socket || this.#isConnecting || this.isClosed) return;
    this.#isConnecting = true;
    const { person } = this;
    const path = buildSocketPath(this.#store.client, this.region);
    const reply = await this.#cast.call(person, "GET", path, { headers: { Upgrade: "websocket" } });
    this.#isConnecting = false;
    const socket = reply?.webSocket;
    if (!socket) {
      if (reply?.status === 401 || reply?.status === 403) this.isClosed = true;
      else this.#retry();
      return;
    }
    this.#socket = socket;
    this.#isGreeted = false;
    this.#cast.recordFeature("windows", true);
    socket.listen({
      onMessage: (text) => this.#hear(socket, text),
      onClose: (code) => this.#lost(socket, code),
    });
  }

  /** Drops the network connection. The server notices immediately or later. */
  dropNetwork(): void {
    const socket = this.#socket;
    if (!socket) return;
    const { world } = this.#cast;
    world.story.logStep(() => `${this.name} loses its network`);
    this.#socket = null;
    const late = this.#random.chance(0.5) ? 0 : this.#random.between(1, 90) * 1000;
    socket.disconnect(1006, (task) => void world.scheduler.after(late, task));
    this.#retry();
  }

  #hear(socket: SocketEnd, text: string): void {
    if (socket !== this.#socket) return;
    const { world } = this.#cast;
    this.#cast.recordDisclosures(this.person, text, world.scheduler.now, `a message on ${this.region}`);
    const { verdict, serverNow } = applyMessage(this.#store.client, this.region, text);
    world.story.logStep(() => `${this.name} hears ${text.slice(0, 90)}…`);
    if (serverNow !== null && Math.abs(serverNow - world.scheduler.now) > FRESH_MS)
      world.fail(
        new Violation(
          `Clock: ${this.name} received a time that is ${world.scheduler.now - serverNow} ms old`,
        ),
      );
    this.#attempts = 0;
    this.#isGreeted = true;
    if (verdict === "ok") return;
    this.#socket = null;
    socket.disconnect(1000, (task) => void world.scheduler.after(10, task));
    this.#retry();
  }

  #lost(socket: SocketEnd, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#cast.world.story.logStep(() => `${this.name} was closed: ${code}`);
    if (code === CLOSE.signedOut) this.#attempts = Math.max(this.#attempts, 3);
    this.#retry();
  }

  #retry(): void {
    const { world } = this.#cast;
    const wait = Math.min(30_000, 500 * 2 ** this.#attempts++) * (0.5 + this.#random.next() / 2);
    world.scheduler.after(wait, () => world.start(this.name, () => this.connect()));
  }
}
