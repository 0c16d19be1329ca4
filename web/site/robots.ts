import type { Route } from "./+types/robots.ts";

/** Lets search engines crawl the documents. All other pages need a session or belong to one visitor. */
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
