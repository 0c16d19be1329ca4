/** Stands in for `cloudflare:workers` where the Worker's code runs in Node. */

/** What every object and entrypoint is given. */
class Given<Env> {
  protected readonly ctx: unknown;
  protected readonly env: Env;

  constructor(ctx: unknown, env: Env) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class DurableObject<Env> extends Given<Env> {}
export class WorkerEntrypoint<Env> extends Given<Env> {}
