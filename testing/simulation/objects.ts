/** Durable Objects: one instance per name, created by a call and removed by eviction. The storage stays. */
import { copyOf } from "./copy.ts";
import type { Faults } from "./faults.ts";
import type { Network } from "./network.ts";
import { ObjectState } from "./object-state.ts";
import { type AlarmClock, ObjectStorage } from "./object-storage.ts";
import { currentProcess, type Process, running, type Scheduler, type WorldClock } from "./scheduler.ts";
import type { SocketEnd, SocketOwner } from "./sockets.ts";
import type { Statements } from "./statements.ts";
import { Violation } from "./violation.ts";

type Method = (...args: unknown[]) => unknown;
/** An object as the runtime sees it: methods by name. */
type ObjectCode = Record<string, Method | undefined>;
export type ObjectClass = new (ctx: unknown, env: unknown) => unknown;

type Instance = {
  object: ObjectCode;
  process: Process;
  state: ObjectState;
  /** Rejects the calls in progress. */
  inFlight: Set<(error: Error) => void>;
};

/** The parts of a world that an object needs. */
type ObjectEnvironment = {
  world: WorldClock;
  scheduler: Scheduler;
  network: Network;
  faults: Faults;
  env: () => unknown;
  logStep: (line: () => string) => void;
  /** Records an error, which ends the schedule. */
  fail: (error: Error) => void;
  /** Returns the storage for a name. */
  storageOf: (name: string) => Statements;
};

const ALARM_RETRIES = 6;
const ALARM_RETRY_MS = 2_000;
/** Maximum delay of a late alarm. */
export const MAX_ALARM_DELAY_MS = 4 * 60_000;
/** Minimum wait before a retry. A caller that retries sooner adds load to an overloaded object. */
const OVERLOAD_MS = 1_000;
const overloadError = () =>
  Object.assign(new Error("Durable Object is overloaded. Too many requests queued."), {
    overloaded: true,
    retryable: true,
  });
const rejectOverloaded = () => Promise.reject(overloadError());
const connectionLost = () => Object.assign(new Error("Network connection lost."), { retryable: true });

class ObjectHost {
  readonly name: string;
  readonly sockets = new Set<SocketEnd>();
  readonly statements: Statements;
  readonly #code: ObjectClass;
  readonly #of: ObjectEnvironment;
  readonly #alarm: AlarmClock;
  /** The object's clock is ahead by this much, in ms. */
  readonly clockSkewMs: number;
  /** When a fault last affected its alarm or its instance (epoch ms, true time). */
  lastFaultAt = 0;
  #instance: Instance | null = null;
  #takeBackAlarm: (() => void) | null = null;
  #isRinging = false;

  constructor(name: string, code: ObjectClass, of: ObjectEnvironment) {
    this.name = name;
    this.#code = code;
    this.#of = of;
    this.statements = of.storageOf(name);
    this.#alarm = { at: null, set: (at) => this.#setAlarm(at) };
    this.clockSkewMs = of.faults.drawClockSkew();
  }

  /** When the alarm is next due (epoch ms). */
  get alarmAt(): number | null {
    return this.#alarm.at;
  }

  #wake(): Instance {
    if (this.#instance) return this.#instance;
    const { world, env } = this.#of;
    const process: Process = {
      name: this.name,
      isAlive: true,
      clockSkewMs: this.clockSkewMs,
      kill: () => this.evict(),
    };
    const storage = new ObjectStorage(this.statements, this.#alarm);
    const state = new ObjectState(this.#id, storage, this.sockets, () => this.#socketOwner());
    const object = running.run({ world, process }, () => new this.#code(state, env()) as ObjectCode);
    this.#instance = { object, process, state, inFlight: new Set() };
    return this.#instance;
  }

  /** Calls the object, starting it if necessary. Runs as the object's process. */
  async invoke<T>(run: (object: ObjectCode) => T | Promise<T>): Promise<T> {
    const instance = this.#wake();
    await instance.state.blocked;
    if (!instance.process.isAlive) throw connectionLost();
    return new Promise<T>((resolve, reject) => {
      instance.inFlight.add(reject);
      const done = running.run({ world: this.#of.world, process: instance.process }, async () =>
        run(instance.object),
      );
      done.then(resolve, reject).finally(() => instance.inFlight.delete(reject));
    });
  }

  /** Removes the instance, with the calls in progress. @returns whether there was one */
  evict(): boolean {
    const instance = this.#instance;
    if (!instance) return false;
    this.#instance = null;
    this.#noteTrouble();
    instance.process.isAlive = false;
    for (const refuse of instance.inFlight) refuse(connectionLost());
    return true;
  }

  get #id(): string {
    return this.name.split(" ")[1]!;
  }

  /** Deletes the object's storage and closes its connections. */
  loseStorage(): void {
    this.evict();
    for (const socket of this.sockets) socket.close();
    this.statements.reset();
    this.#setAlarm(null);
  }

  /** Returns a socket's connection. Frames arrive in the order in which they were sent. */
  #socketOwner(): SocketOwner {
    const { scheduler, faults } = this.#of;
    let last = 0;
    return {
      line: {
        after: (run) => {
          last = Math.max(scheduler.now + faults.delay(40), last + 0.01);
          scheduler.after(last - scheduler.now, run);
        },
      },
      onClosed: (socket, code) => {
        this.sockets.delete(socket);
        void this.invoke((object) => object.webSocketClose?.(socket, code, "", true)).catch(() => {});
      },
    };
  }

  #noteTrouble(): void {
    this.lastFaultAt = this.#of.scheduler.now;
  }

  #setAlarm(at: number | null): void {
    this.#alarm.at = at;
    this.#takeBackAlarm?.();
    this.#takeBackAlarm = null;
    // The next alarm waits until the running one ends.
    if (at !== null && !this.#isRinging) this.#armAlarm(at);
  }

  #armAlarm(at: number): void {
    const { scheduler, faults } = this.#of;
    let wait = at - this.clockSkewMs - scheduler.now + faults.delay(20);
    if (faults.maybeInject("alarms", 0.08)) wait += faults.delay(MAX_ALARM_DELAY_MS);
    this.#takeBackAlarm = scheduler.after(wait, () => void this.#ring(0));
  }

  async #ring(retries: number): Promise<void> {
    const { faults, logStep, scheduler } = this.#of;
    this.#alarm.at = null;
    const firesTwice = faults.maybeInject("alarms", 0.06);
    logStep(() => `${this.name}: its alarm rings${firesTwice ? ", twice" : ""}`);
    this.#isRinging = true;
    try {
      await this.invoke((object) => object.alarm!());
      if (firesTwice) await this.invoke((object) => object.alarm!());
    } catch {
      this.#noteTrouble();
      if (retries < ALARM_RETRIES) {
        scheduler.after(ALARM_RETRY_MS * 2 ** retries, () => void this.#ring(retries + 1));
        return;
      }
    } finally {
      this.#isRinging = false;
    }
    if (this.#alarm.at !== null) this.#armAlarm(this.#alarm.at);
  }
}

/** A binding such as LEAD_EXCHANGE. */
export class ObjectNamespace {
  readonly hosts = new Map<string, ObjectHost>();
  readonly #kind: string;
  readonly #code: ObjectClass;
  readonly #of: ObjectEnvironment;

  constructor(kind: string, code: ObjectClass, of: ObjectEnvironment) {
    this.#kind = kind;
    this.#code = code;
    this.#of = of;
  }

  idFromName(name: string) {
    return { name };
  }

  host(name: string): ObjectHost {
    let host = this.hosts.get(name);
    if (!host) this.hosts.set(name, (host = new ObjectHost(`${this.#kind} ${name}`, this.#code, this.#of)));
    return host;
  }

  /** Makes a call, or rejects it if the object is overloaded. The caller must not retry immediately. */
  async #unlessOverloaded(what: string, call: string, handle: () => Promise<unknown>): Promise<unknown> {
    const { faults, scheduler, logStep, fail, network } = this.#of;
    const caller = currentProcess();
    const refused = (caller.refusedCalls ??= new Map<string, number>());
    const at = refused.get(call);
    // Two sweeps or jobs may each read one lead or one page, and two messages of a run one person's windows. Two jobs
    // may erase one person. A sweep and an operator's job may pause one region. A customer's answer and the clock's step
    // after it each notify the room.
    const isOtherWork = / (recordsOf|sessionsHeardOf|pageRecords|forget|pause|notify)$/.test(what);
    if (!isOtherWork && at !== undefined && scheduler.now < at + OVERLOAD_MS)
      fail(new Violation(`Overload: ${caller.name} retries an overloaded object immediately: ${what}`));
    const isOverloaded = faults.maybeInject("overloaded_objects", 0.02);
    if (!isOverloaded) return network.send("object", what, handle, connectionLost);
    logStep(() => `${caller.name}: the object is overloaded: ${what}`);
    return network.send("object", what, rejectOverloaded, connectionLost).catch((error: Error) => {
      if ("overloaded" in error) refused.set(call, scheduler.now);
      throw error;
    });
  }

  /** Returns a stub. Its calls cross the network, and their data is copied. */
  get({ name }: { name: string }): ObjectCode {
    const host = this.host(name);
    return new Proxy({} as ObjectCode, {
      get: (_, method) => {
        if (typeof method !== "string" || method === "then") return undefined;
        return (...args: unknown[]) => {
          const isFetch = method === "fetch";
          const sent = isFetch ? args : copyOf(args);
          const handle = async () => {
            const result = await host.invoke((object) => {
              const own = object[method];
              if (!own) throw new TypeError(`The RPC receiver does not implement "${method}".`);
              return own.apply(object, sent);
            });
            return isFetch ? result : copyOf(result);
          };
          const what = `${host.name} ${method}`;
          return this.#unlessOverloaded(what, isFetch ? what : `${what} ${JSON.stringify(sent)}`, handle);
        };
      },
    });
  }
}
