/**
 * Replaces what the Workers runtime and the machine provide: clock, timers, randomness, fetch, sockets. Code
 * in a simulated world uses the replacements. All other code in this process uses the real ones.
 */
import { createHash, createHmac } from "node:crypto";

import { inTurn, running, type WorldClock } from "./scheduler.ts";
import { SocketEnd } from "./sockets.ts";

type Store = NonNullable<ReturnType<typeof running.getStore>>;

/** Runs `inside` in a simulated world, `outside` elsewhere. */
function runInWorld<T>(inside: (world: WorldClock, store: Store) => T, outside: () => T): T {
  const store = running.getStore();
  return store ? inside(store.world, store) : outside();
}

/** The Workers runtime allows status 101 in a response, with the browser's end of a socket. */
class WorkerResponse extends Response {
  constructor(body?: BodyInit | null, init?: ResponseInit & { webSocket?: SocketEnd }) {
    const isUpgrade = init?.status === 101;
    super(body, isUpgrade ? { ...init, status: 200 } : init);
    if (isUpgrade)
      Object.defineProperties(this, { status: { value: 101 }, webSocket: { value: init.webSocket } });
  }
}

function bytes(data: BufferSource): Buffer {
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

function toArrayBuffer(buffer: Buffer): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}

/** A WebCrypto whose hashing completes immediately. Its other work runs one at a time on the thread pool. */
function syncSubtle(real: SubtleCrypto): SubtleCrypto {
  const keys = new WeakMap<object, Buffer>();
  const prompt = {
    importKey(format: string, data: BufferSource, algorithm: { name?: string }) {
      if (algorithm.name !== "HMAC" || format !== "raw") return undefined;
      const key = {};
      keys.set(key, Buffer.from(bytes(data)));
      return key as CryptoKey;
    },
    sign(_: unknown, key: CryptoKey, data: BufferSource) {
      const secret = keys.get(key);
      return secret && toArrayBuffer(createHmac("sha256", secret).update(bytes(data)).digest());
    },
    digest(algorithm: string, data: BufferSource) {
      return toArrayBuffer(createHash(algorithm.replace("-", "").toLowerCase()).update(bytes(data)).digest());
    },
  };
  return new Proxy(real, {
    get: (target, name) => {
      const own = (prompt as unknown as Record<string | symbol, unknown>)[name];
      const known = Reflect.get(target, name, target) as unknown;
      if (typeof known !== "function") return known;
      return (...args: unknown[]) => {
        const work = async () => (known as (...args: unknown[]) => unknown).apply(target, args);
        return runInWorld(
          async () => (own as typeof work | undefined)?.(...(args as [])) ?? inTurn(work),
          work,
        );
      };
    },
  });
}

function installTimers(): void {
  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
  const set = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown =>
    runInWorld<unknown>(
      ({ scheduler }, store) => ({
        takeBack: scheduler.after(ms, () => {
          if (store.process.isAlive) running.run(store, act, ...args);
        }),
      }),
      () => realSetTimeout(act, ms, ...args),
    );
  const clear = (timer: unknown) => {
    if (timer && typeof timer === "object" && "takeBack" in timer) (timer.takeBack as () => void)();
    else realClearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) =>
    runInWorld(
      ({ scheduler }) => {
        const controller = new AbortController();
        scheduler.after(ms, () => controller.abort(new DOMException("Timed out", "TimeoutError")));
        return controller.signal;
      },
      () => timeout(ms),
    );
  const wait = (ms: number) => new Promise<void>((resolve) => void set(() => resolve(), ms));
  Object.assign(globalThis, { scheduler: { wait } });
}

function installRandomness(): void {
  const { crypto } = globalThis;
  const subtle = syncSubtle(crypto.subtle);
  const fill = crypto.getRandomValues.bind(crypto);
  const uuid = crypto.randomUUID.bind(crypto);
  const random = Math.random;
  const simulated = new Proxy(crypto, {
    get: (target, name) => {
      if (name === "subtle") return subtle;
      if (name === "getRandomValues")
        return (view: Uint8Array<ArrayBuffer>) =>
          runInWorld(
            ({ ids }) => ids.fill(view),
            () => fill(view),
          );
      if (name === "randomUUID")
        return () =>
          runInWorld(
            ({ ids }) => ids.uuid(),
            () => uuid(),
          );
      const known = Reflect.get(target, name, target) as unknown;
      return typeof known === "function" ? known.bind(target) : known;
    },
  });
  Object.defineProperty(globalThis, "crypto", { value: simulated, configurable: true });
  Math.random = () => runInWorld(({ ids }) => ids.next(), random);
}

function installLog(): void {
  for (const level of ["log", "warn", "error"] as const) {
    // oxlint-disable-next-line no-console -- the Worker's log is part of the story
    const real = console[level];
    // oxlint-disable-next-line no-console -- as above
    console[level] = (...words: unknown[]) =>
      runInWorld(
        (world) => world.onLog(level, String(words[0])),
        () => real(...words),
      );
  }
}

let isInstalled = false;

/** Installs the world's clock, timers, randomness, fetch and sockets. Call it once per process. */
export function installPlatform(): void {
  if (isInstalled) return;
  isInstalled = true;
  const realNow = Date.now;
  const realFetch = globalThis.fetch;
  Date.now = () =>
    runInWorld(({ scheduler }, { process }) => scheduler.now + (process.clockSkewMs ?? 0), realNow);
  installTimers();
  installRandomness();
  installLog();
  Object.assign(globalThis, {
    fetch: (input: string | URL, init: RequestInit) =>
      runInWorld<Promise<unknown>>(
        (world) => world.fetch(String(input), init),
        () => realFetch(input, init),
      ),
    Response: WorkerResponse,
    WebSocketPair: class {
      readonly 0: SocketEnd;
      readonly 1: SocketEnd;
      constructor() {
        [this[0], this[1]] = SocketEnd.pair();
      }
    },
    WebSocketRequestResponsePair: class {
      readonly request: string;
      readonly response: string;
      constructor(request: string, response: string) {
        this.request = request;
        this.response = response;
      }
    },
  });
}
