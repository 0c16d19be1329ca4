/** Replaces `cloudflare:workers` when the Worker's code runs in Node. */

/** The Worker's entrypoints. The simulation has no cache to purge. */
export const exports = {};

/** Stores the constructor arguments of every object and entrypoint. */
class WithContext<Env> {
  protected readonly ctx: unknown;
  protected readonly env: Env;

  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class DurableObject<Env> extends WithContext<Env> {}
export class WorkerEntrypoint<Env> extends WithContext<Env> {}
