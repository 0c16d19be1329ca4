import { runSweeps } from "./cron.ts";
import { CachedPages } from "./platform/edge-cache/public-pages.ts";
import { contextOf } from "./platform/context.ts";
import type { Bindings } from "./platform/env.ts";
import type { Caller } from "./platform/caller.ts";
import { consume } from "./messages/dispatch-commands.ts";
import { pageRoute, renderPage } from "./pages.ts";
import { handleRequest, type Pages, serve } from "./server.ts";

export { BusinessRoom } from "./durable-objects/business-room.ts";
export { LeadExchange } from "./durable-objects/lead-exchange.ts";

const PAGES: Pages = { render: renderPage, routeOf: pageRoute };

/** Serves shared pages and the suburb lists, from Workers Cache if possible. */
export class PublicPages extends CachedPages {
  protected override handle(request: Request, caller: Caller): Promise<Response> {
    return handleRequest(request, this.env, this.ctx, caller, PAGES);
  }
}

export default {
  fetch: (request, env, ctx) => serve(request, env, ctx, PAGES),
  scheduled: (controller, env) => runSweeps(env, controller.scheduledTime),
  queue: (batch, env) => consume(batch, contextOf(env)),
} satisfies ExportedHandler<Bindings>;
