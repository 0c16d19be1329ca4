/** Maximum URLs in one file, by the sitemap protocol. */
export const MAX_URLS = 50_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Escapes XML. Today's slugs need no escaping, but a future suburb name might. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&apos;");
}

function list(tag: string, item: string, addresses: readonly string[]): string {
  const items = addresses.map((address) => `<${item}><loc>${escaped(address)}</loc></${item}>`);
  return `${HEAD}\n<${tag} ${NAMESPACE}>\n${items.join("\n")}\n</${tag}>\n`;
}

/**
 * Returns `/sitemap.xml`: every page, or a list of files if one file cannot hold all pages.
 * @param origin such as `https://example.com`
 */
export function sitemap(origin: string, paths: readonly string[], maxUrls = MAX_URLS): string {
  if (paths.length <= maxUrls) return sitemapPart(origin, paths, 1, maxUrls)!;
  const parts = Array.from({ length: Math.ceil(paths.length / maxUrls) }, (_, index) => index + 1);
  return list(
    "sitemapindex",
    "sitemap",
    parts.map((part) => `${origin}/sitemap/${part}.xml`),
  );
}

/**
 * Returns `/sitemap/{part}.xml`.
 * @param part from 1
 * @returns null when there is no such part
 */
export function sitemapPart(
  origin: string,
  paths: readonly string[],
  part: number,
  maxUrls = MAX_URLS,
): string | null {
  const own = paths.slice((part - 1) * maxUrls, part * maxUrls);
  if (own.length === 0) return null;
  return list(
    "urlset",
    "url",
    own.map((path) => origin + path),
  );
}
