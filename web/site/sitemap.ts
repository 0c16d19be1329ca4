import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import type { Route } from "./+types/sitemap.ts";
import { SERVICE_LINKS } from "./service-links.ts";

const PAGES = [
  "/",
  "/locations",
  "/services",
  "/get-quote",
  "/providers",
  "/privacy-policy",
  "/terms-conditions",
];

/** Every page for search engines. All 4,499 suburbs fit; above 50,000 the format asks for a second file. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const suburbs = await unwrap(context.get(apiContext).api.suburbs.$get({ query: {} }));
  const paths = [
    ...PAGES,
    ...SERVICE_LINKS.map(({ href }) => href),
    ...suburbs.map(({ slug }) => `/location/${slug}`),
  ];
  const { origin } = new URL(request.url);
  const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join("\n");
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
  return new Response(xml, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
