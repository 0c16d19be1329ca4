/** Maximum URLs in one file, by the sitemap protocol. */
export const MAX_URLS = 50_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Escapes XML. Today's slugs need no escaping, but a future suburb name might. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&apos;");
}

/** A page's address, and the day of its last change, such as "2026-11-26", if we know it. */
export type SitePage = { path: string; lastmod?: string | undefined };

function list(tag: string, item: string, origin: string, pages: readonly SitePage[]): string {
  const items = pages.map(({ path, lastmod }) => {
    const changed = lastmod ? `<lastmod>${lastmod}</lastmod>` : "";
    return `<${item}><loc>${escaped(origin + path)}</loc>${changed}</${item}>`;
  });
  return `${HEAD}\n<${tag} ${NAMESPACE}>\n${items.join("\n")}\n</${tag}>\n`;
}

/**
 * Returns `/sitemap.xml`: every page, or a list of files if one file cannot hold all pages.
 * @param origin such as `https://example.com`
 */
export function sitemap(origin: string, pages: readonly SitePage[], maxUrls = MAX_URLS): string {
  if (pages.length <= maxUrls) return sitemapPart(origin, pages, 1, maxUrls)!;
  const parts = Array.from({ length: Math.ceil(pages.length / maxUrls) }, (_, index) => index + 1);
  return list(
    "sitemapindex",
    "sitemap",
    origin,
    parts.map((part) => ({ path: `/sitemap/${part}.xml` })),
  );
}

/**
 * Returns `/sitemap/{part}.xml`.
 * @param part from 1
 * @returns null when there is no such part
 */
export function sitemapPart(
  origin: string,
  pages: readonly SitePage[],
  part: number,
  maxUrls = MAX_URLS,
): string | null {
  const own = pages.slice((part - 1) * maxUrls, part * maxUrls);
  if (own.length === 0) return null;
  return list("urlset", "url", origin, own);
}
