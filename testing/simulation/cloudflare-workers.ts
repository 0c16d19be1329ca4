/** Replaces `cloudflare:workers` when the Worker's code runs in Node. */

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
