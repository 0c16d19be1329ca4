import { Hono } from "hono";
import { etag } from "hono/etag";
import * as z from "zod/mini";

import { DomainError } from "../../platform/errors.ts";
import { access } from "../../identity/access.ts";
import { params, query } from "../../platform/http/body.ts";
import type { AppEnv } from "../../platform/app.ts";
import { extractSuburbQuery } from "../../../contract/address.ts";
import {
  findSuburb,
  listActiveSuburbs,
  listCouncil,
  listListed,
  listNearby,
  placeOfAddress,
  readRecords,
  suggestSuburbs,
} from "./queries.ts";
import { councilTag, SUBURBS_TAG, suburbTag } from "./cache-tags.ts";

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

const addressQuery = z.object({ address: z._default(z.string().check(z.maxLength(200)), "") });

const byName = z.object({ name: z.string().check(z.minLength(1), z.maxLength(60)) });
async function requireSuburb(c: { env: AppEnv["Bindings"] }, name: string) {
  const suburb = await findSuburb(c.env.db, name);
  if (!suburb) throw new DomainError("not_found", "We don't know a suburb by that name");
  return suburb;
}

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
    return c.json(await placeOfAddress(c.env.db, c.req.valid("query").address));
  })

  .get("/:name", access.anyone, etag(), params(byName), async (c) => {
    const suburb = await requireSuburb(c, c.req.valid("param").name);
    c.header("Cache-Tag", suburbTag(suburb.slug));
    return c.json(suburb);
  })

  .get("/:name/nearby", access.anyone, etag(), params(byName), async (c) => {
    const db = c.env.db;
    const { name } = c.req.valid("param");
    const found = (await listNearby(db, name)) ?? (await listNearby(db, (await requireSuburb(c, name)).slug));
    if (found) c.header("Cache-Tag", councilTag(found.council));
    return c.json(found?.nearby ?? []);
  })

  // Cached for as long as the page, so counts may be an hour old.
  .get("/:name/records", access.anyone, etag(), params(byName), async (c) => {
    const { name } = c.req.valid("param");
    // The name is not validated, so encode it. Encoding does not change a slug.
    c.header("Cache-Tag", suburbTag(encodeURIComponent(name)));
    return c.json(await readRecords(c.env.db, name, Date.now()));
  });
