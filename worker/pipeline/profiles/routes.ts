import { Hono } from "hono";
import * as z from "zod/mini";

import { SERVICE_IDS } from "../../../contract/catalogue.ts";
import { pageReportSchema, profileSchema } from "../../../contract/profiles.ts";
import { access, notImpersonating } from "../../identity/access.ts";
import {
  expirePages,
  providerTag,
  SHOWN_JOBS_TAG,
  tagsLinking,
} from "../../platform/edge-cache/public-pages.ts";
import type { AppEnv } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { jsonBody, params, query } from "../../platform/http/body.ts";
import { countNetworkAttempt, countTry } from "../../platform/http/rate-limit.ts";
import { reportProfile, saveProfile } from "./commands.ts";
import { findProfile, listLocalProviders, listProfiles, listServiceJobs, readOwnProfile } from "./queries.ts";

const bySlug = z.object({ slug: z.string().check(z.minLength(1), z.maxLength(60)) });
const byService = z.object({ service: z.enum(SERVICE_IDS, "Unknown service") });
const reviewPage = z.object({
  page: z._default(z.coerce.number("A page from 1 to 1000").check(z.int(), z.minimum(1), z.maximum(1000)), 1),
});

/**
 * Routes for businesses' public pages. The shared cache does not store a page, so that a hidden page or an ended check
 * disappears at once.
 */
export const profileRoutes = new Hono<AppEnv>()
  .get("/", access.anyone, async (c) => c.json(await listProfiles(c.env.db)))

  .get("/near/:slug", access.anyone, params(bySlug), async (c) =>
    c.json(await listLocalProviders(c.env.db, c.req.valid("param").slug, Date.now())),
  )

  .get("/jobs/:service", access.anyone, params(byService), async (c) => {
    c.header("Cache-Tag", SHOWN_JOBS_TAG);
    return c.json(await listServiceJobs(c.env.db, c.req.valid("param").service));
  })

  .get("/:slug", access.anyone, params(bySlug), query(reviewPage), async (c) => {
    const { slug } = c.req.valid("param");
    const profile = await findProfile(c.env.db, slug, c.req.valid("query").page, Date.now());
    if (!profile) throw new DomainError("not_found", "There is no such business");
    // For the page's share picture, which is cached.
    c.header("Cache-Tag", providerTag(slug));
    return c.json(profile);
  })

  .post("/:slug/report", access.anyone, params(bySlug), jsonBody(pageReportSchema), async (c) => {
    await countNetworkAttempt(c.env.FORM_PER_ADDRESS, c.env.CALLER.prefixes);
    await reportProfile(c.env.db, c.req.valid("param").slug, c.req.valid("json").reason, Date.now());
    return c.json({ ok: true });
  });

/** Routes for a business to read and change its own page. */
export const ownProfileRoutes = new Hono<AppEnv>()
  .get("/profile", access.owner, async (c) =>
    c.json(await readOwnProfile(c.env.db, c.get("session").user, Date.now())),
  )

  .put("/profile", access.owner, notImpersonating, jsonBody(profileSchema), async (c) => {
    const { user } = c.get("session");
    await countTry(c.env.PHOTO_PER_ADDRESS, `page ${user.id}`);
    const councils = await saveProfile(c.env.db, user, c.req.valid("json"), c.get("act"));
    const own = await readOwnProfile(c.env.db, user, Date.now());
    await expirePages(c.req.url, [...tagsLinking(councils), providerTag(own.page.slug)]);
    return c.json(own);
  });
