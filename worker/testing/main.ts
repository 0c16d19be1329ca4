/** The Worker without its pages, for tests inside workerd: the same front door, no build needed. */
import { runSweeps } from "../cron.ts";
import type { Env } from "../env.ts";
import { type Pages, serve } from "../server.ts";

export { BusinessRoom } from "../durable-objects/business-room.ts";
export { LeadExchange } from "../durable-objects/lead-exchange.ts";

const PAGES: Pages = { render: async () => new Response("page"), routeOf: async () => "/page" };

export default {
  fetch: (request, env, ctx) => serve(request, env, ctx, PAGES),
  scheduled: (controller, env) => runSweeps(env, controller.scheduledTime),
} satisfies ExportedHandler<Env>;
