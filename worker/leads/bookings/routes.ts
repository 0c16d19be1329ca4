import { Hono } from "hono";

import { type BookingResponse, bookingSchema } from "../../../contract/bookings.ts";
import { putOnMarketLater } from "../commands.ts";
import { createSubmissionLink } from "../request-link-store.ts";
import { access } from "../../identity/access.ts";
import { jsonBody } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/context.ts";
import { countNetworkAttempt } from "../../platform/http/rate-limit.ts";
import { screenRequest } from "../quarantine/commands.ts";
import { storeBooking } from "./store.ts";

export const bookingRoutes = new Hono<AppEnv>().post(
  "/",
  access.anyone,
  jsonBody(bookingSchema),
  async (c) => {
    const { CALLER: caller } = c.env;
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, caller.prefixes);
    const now = Date.now();
    const { submissionId } = c.req.valid("json");
    const sender = { ...caller, hostname: new URL(c.req.url).hostname, now };
    const { booking, newLead, suburbName, reference } = await storeBooking(c.env.db, c.req.valid("json"), {
      customerId: caller.session?.user.id ?? null,
      now,
      lifetimeMs: c.env.settings.leadLifetimeMs,
      screen: (request) => screenRequest(c.env, request, { ...sender, form: "booking" }),
    });
    if (newLead?.listingState === "pending")
      putOnMarketLater(c.env, c.executionCtx, newLead, caller.requestId);
    const { id, leadId, suburbId, createdAt } = booking;
    const token = leadId && (await createSubmissionLink(c.env, { leadId, submissionId }, now));
    return c.json(
      { id, leadId, reference, suburbId, suburbName, createdAt, token } satisfies BookingResponse,
      201,
    );
  },
);
