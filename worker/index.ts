import { runSweeps } from "./cron.ts";
import type { Env } from "./env.ts";
import { pageRoute, renderPage } from "./pages.ts";
import { serve } from "./server.ts";

export { BusinessRoom } from "./durable-objects/business-room.ts";
export { LeadExchange } from "./durable-objects/lead-exchange.ts";

export default {
  fetch: (request, env, ctx) => serve(request, env, ctx, { render: renderPage, routeOf: pageRoute }),
  scheduled: (controller, env) => runSweeps(env, controller.scheduledTime),
} satisfies ExportedHandler<Env>;
