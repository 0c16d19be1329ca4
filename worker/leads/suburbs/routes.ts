import { Hono } from "hono";
import { etag } from "hono/etag";
import * as z from "zod/mini";

import { extractSuburbQuery, placeFields } from "../../../contract/address.ts";
import { access } from "../../identity/access.ts";
import { findBusinessAddress, toHome } from "../../identity/account/queries.ts";
import type { AppEnv } from "../../platform/context.ts";
import { councilTag, SUBURBS_TAG, suburbTag } from "../../platform/edge-cache/public-pages.ts";
import { DomainError } from "../../platform/errors.ts";
import { params, query } from "../../platform/http/body.ts";
import {
  findSuburb,
  findSuburbCard,
  listActiveSuburbs,
  listCouncil,
  listListed,
  listRegionsOf,
  placeOfAddress,
  resolvePlace,
  suggestSuburbs,
} from "./queries.ts";

const ALL = 5000;
/** Maximum localities listed for a council. No council has this many. */
const MAX_IN_COUNCIL = 300;

/** Without `limit`, lists all. With a council, lists all localities of that council. */
const listQuery = z.object({
  council: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
  limit: z._default(
    z.coerce.number(`A number from 1 to ${ALL}`).check(z.int(), z.minimum(1), z.maximum(ALL)),
    ALL,
  ),
});

/** Query: the last words of an address while a visitor types it. */
const suggestQuery = z.object({ q: z._default(z.string().check(z.maxLength(100)), "") });

/** Query: an address, with the suburb and the postcode from fields of their own. */
const addressQuery = z.object({
  address: z._default(z.string().check(z.maxLength(200)), ""),
  suburb: placeFields.addressSuburb,
  postcode: placeFields.addressPostcode,
});

const byName = z.object({ name: z.string().check(z.minLength(1), z.maxLength(60)) });

export const suburbRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, etag(), query(listQuery), async (c) => {
    const { council, limit } = c.req.valid("query");
    const db = c.env.db;
    c.header("Cache-Tag", council ? councilTag(council) : SUBURBS_TAG);
    return c.json(
      council ? await listCouncil(db, council, MAX_IN_COUNCIL) : await listActiveSuburbs(db, limit),
    );
  })

  .get("/listed", access.anyone, etag(), async (c) => {
    c.header("Cache-Tag", SUBURBS_TAG);
    return c.json(await listListed(c.env.db));
  })

  .get("/suggest", access.anyone, query(suggestQuery), async (c) => {
    const part = extractSuburbQuery(c.req.valid("query").q);
    // Suburbs' locations do not change from day to day.
    c.header("Cache-Control", "public, max-age=86400");
    return c.json(await suggestSuburbs(c.env.db, part));
  })

  .get("/by/address", access.anyone, query(addressQuery), async (c) => {
    c.header("Cache-Control", "private, no-store");
    return c.json(await placeOfAddress(c.env.db, c.req.valid("query")));
  })

  // Cached for as long as the page, so the records' counts may be an hour old, or 25 hours without visitors.
  .get("/:name", access.anyone, etag(), params(byName), async (c) => {
    const suburb = await findSuburb(c.env.db, c.req.valid("param").name, Date.now());
    if (!suburb) throw new DomainError("not_found", "We don't know a suburb by that name");
    // The council's tag, because the page lists neighbours and local providers.
    c.header("Cache-Tag", `${suburbTag(suburb.slug)},${councilTag(suburb.council)}`);
    return c.json(suburb);
  })

  .get("/:name/card", access.anyone, etag(), params(byName), async (c) => {
    const card = await findSuburbCard(c.env.db, c.req.valid("param").name);
    if (!card) throw new DomainError("not_found", "We don't know a suburb by that name");
    c.header("Cache-Tag", suburbTag(card.slug));
    return c.json(card);
  });

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
