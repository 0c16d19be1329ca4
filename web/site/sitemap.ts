import type { RouterContextProvider } from "react-router";

import { sydneyDay } from "../../contract/sydney-time.ts";
import { PAGE_LIST } from "../../contract/visitor-pages.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/sitemap.ts";
import { SERVICE_LIST } from "../services/services.ts";
import { isDated, PAGE_DATES } from "./page-dates.ts";
import { type SitePage, sitemap, sitemapPart } from "./sitemap-files.ts";

/** Pages of one address. Those without a day have figures or lists that change by themselves. */
const PAGES: readonly SitePage[] = PAGE_LIST.filter(
  ({ pattern, isIndexed }) => isIndexed && !pattern.includes(":"),
).map(({ pattern: path }) => ({ path, lastmod: isDated(path) ? PAGE_DATES[path].day : undefined }));

/** Returns every page that search engines may index. */
async function listPages(context: Readonly<RouterContextProvider>): Promise<SitePage[]> {
  const { api } = context.get(apiContext);
  const [suburbs, profiles] = await Promise.all([
    unwrap(api.suburbs.listed.$get()),
    unwrap(api.profiles.$get()).catch(() => []),
  ]);
  const others = [
    ...SERVICE_LIST.map(({ href }) => href),
    ...[...new Set(suburbs.map(({ council }) => council))].map(
      (council) => `/locations?${new URLSearchParams({ council })}`,
    ),
    ...suburbs.map(({ slug }) => `/location/${slug}`),
  ];
  const businesses = profiles.map(({ slug, changedAt }) => ({
    path: `/provider/${slug}`,
    lastmod: sydneyDay(changedAt),
  }));
  return [...PAGES, ...others.map((path) => ({ path })), ...businesses];
}

/** Serves `/sitemap.xml`. If one file cannot hold all pages, it also serves `/sitemap/{part}.xml`. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const pages = await listPages(context);
  const part = /^(\d{1,3})\.xml$/.exec(params.file ?? "")?.[1];
  if (params.file !== undefined && !part) throw new Response("Not found", { status: 404 });
  const xml = part ? sitemapPart(origin, pages, Number(part)) : sitemap(origin, pages);
  if (xml === null) throw new Response("Not found", { status: 404 });
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
