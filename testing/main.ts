/** The Worker without its pages, for tests inside workerd: the same fetch handler, without a build. */
import { runSweeps } from "../worker/cron.ts";
import { CachedPages, type Expiry } from "../worker/platform/edge-cache/public-pages.ts";
import { contextOf } from "../worker/platform/context.ts";
import type { Bindings } from "../worker/platform/env.ts";
import type { Caller } from "../worker/platform/caller.ts";
import { consume } from "../worker/messages/dispatch-commands.ts";
import { handleRequest, type Pages, serve } from "../worker/server.ts";
import { recordWork } from "./background-work.ts";

export { BusinessRoom } from "../worker/durable-objects/business-room.ts";
export { LeadExchange } from "../worker/durable-objects/lead-exchange.ts";

const PAGES: Pages = { render: async () => new Response("page"), routeOf: async () => "/page" };

/** The page cache's entrypoint. It records the tags of each purge and invalidation, and which of the two it was. */
export class PublicPages extends CachedPages {
  static readonly expired: string[][] = [];
  static readonly expiries: Expiry[] = [];

  protected override handle(request: Request, caller: Caller): Promise<Response> {
    return handleRequest(request, this.env, this.ctx, caller, PAGES);
  }

  override async expire(how: Expiry, tags: string[]): Promise<void> {
    PublicPages.expired.push(tags);
    PublicPages.expiries.push(how);
  }
}

export default {
  fetch: (request, env, ctx) => serve(request, env, recordWork(ctx), PAGES),
  scheduled: (controller, env) => runSweeps(env, controller.scheduledTime),
  queue: (batch, env) => consume(batch, contextOf(env)),
} satisfies ExportedHandler<Bindings>;
