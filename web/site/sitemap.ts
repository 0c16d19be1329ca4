import type { RouterContextProvider } from "react-router";

import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/sitemap.ts";
import { SERVICE_LINKS } from "./service-links.ts";
import { sitemap, sitemapPart } from "./sitemap-files.ts";

const PAGES = [
  "/",
  "/locations",
  "/services",
  "/get-quote",
  "/providers",
  "/reviews",
  "/privacy-policy",
  "/terms-conditions",
];

/** Returns the path of every page that search engines may index. */
async function allPaths(context: Readonly<RouterContextProvider>): Promise<string[]> {
  const { api } = context.get(apiContext);
  const [suburbs, profiles] = await Promise.all([
    unwrap(api.suburbs.listed.$get()),
    unwrap(api.profiles.$get()).catch(() => []),
  ]);
  return [
    ...PAGES,
    ...SERVICE_LINKS.map(({ href }) => href),
    ...[...new Set(suburbs.map(({ council }) => council))].map(
      (council) => `/locations?${new URLSearchParams({ council })}`,
    ),
    ...suburbs.map(({ slug }) => `/location/${slug}`),
    ...profiles.map((slug) => `/provider/${slug}`),
  ];
}

/** Serves `/sitemap.xml`. If one file cannot hold all pages, it also serves `/sitemap/{part}.xml`. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { origin } = new URL(request.url);
  const paths = await allPaths(context);
  const part = /^(\d{1,3})\.xml$/.exec(params.file ?? "")?.[1];
  if (params.file !== undefined && !part) throw new Response("Not found", { status: 404 });
  const xml = part ? sitemapPart(origin, paths, Number(part)) : sitemap(origin, paths);
  if (xml === null) throw new Response("Not found", { status: 404 });
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
