/** The work that the Worker continues after its responses, so that a test file can wait for it before it ends. */

const pending = new Set<Promise<unknown>>();

/** Returns a request's context whose `waitUntil` also records the work here. */
export function recordWork(ctx: ExecutionContext): ExecutionContext {
  const waitUntil = ctx.waitUntil.bind(ctx);
  ctx.waitUntil = (work) => {
    const done = work.catch(() => {}).finally(() => pending.delete(done));
    pending.add(done);
    waitUntil(work);
  };
  return ctx;
}

/** Waits until all recorded work has ended. */
export async function finishBackgroundWork(): Promise<void> {
  while (pending.size > 0) await Promise.all(pending);
}
