import type { Route } from "./+types/robots.ts";

/** Search engines may crawl the documents. Everything else needs a session or is for one visitor only. */
export function loader({ request }: Route.LoaderArgs) {
  const lines = [
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /dashboard",
    "Disallow: /settings",
    "Disallow: /admin/",
    "",
    `Sitemap: ${new URL("/sitemap.xml", request.url).href}`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
