import { Hono } from "hono";

import { findBusinessAddress } from "../../identity/account/queries.ts";
import { toHome } from "../../identity/account/views.ts";
import { access } from "../../identity/access.ts";
import type { AppEnv } from "../../platform/app.ts";
import { listRegionsOf, resolvePlace } from "./queries.ts";

/** Routes for a business's home suburb and suggested regions. */
export const accountPlaceRoutes = new Hono<AppEnv>()
  .get("/suggested-regions", access.business, async (c) => {
    const areas = c.get("session").user.serviceAreas ?? "";
    return c.json({ regions: await listRegionsOf(c.env.db, areas) });
  })

  /** Returns the suburb where a business is based. Distances to leads start at its centre. */
  .get("/home", access.business, async (c) => {
    const db = c.env.db;
    const address = await findBusinessAddress(db, c.get("scope"));
    const place = address === null ? null : await resolvePlace(db, { address });
    return c.json({ home: place && toHome(place) });
  });
