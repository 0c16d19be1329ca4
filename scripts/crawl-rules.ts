/** Extracts what a search engine reads from a page, and finds SEO problems across the site. */

/** Search engines truncate longer titles. */
export const MAX_TITLE_LENGTH = 60;

/** Search engines rarely find a page with fewer inbound links. */
export const MIN_INLINKS = 3;

/** Pages at least this similar count as duplicates. */
export const TWIN_MIN_LIKENESS = 0.9;

/** One crawled page. `address` is the path and query, as in the sitemap. */
export type CrawledPage = {
  address: string;
  status: number;
  title: string;
  /** Path and query of the page's canonical link; null if it has none. */
  canonical: string | null;
  /** Links to other pages on the site, without duplicates. */
  links: ReadonlySet<string>;
};

/** A problem with a page, described for display. */
export type Finding = { address: string; problem: string };

function unescape(text: string): string {
  return text
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Returns the path and query of a URL on this site; null for other sites. */
export function addressOf(href: string, base: URL): string | null {
  const url = URL.canParse(href, base) ? new URL(href, base) : null;
  return url?.origin === base.origin ? url.pathname + url.search : null;
}

/** Parses a page's metadata and links. @param url the page's full URL */
export function readPage(url: string, status: number, html: string): CrawledPage {
  const base = new URL(url);
  const address = base.pathname + base.search;
  const canonical = /<link[^>]*rel="canonical"[^>]*href="([^"]*)"/.exec(html)?.[1];
  const hrefs = [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href]) =>
    addressOf(unescape(href!), base),
  );
  const links = new Set(hrefs.filter((href) => href !== null && href !== address) as string[]);
  return {
    address,
    status,
    title: unescape(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ""),
    canonical: canonical === undefined ? null : addressOf(unescape(canonical), base),
    links,
  };
}

/** Counts each page's inbound links from the other pages. */
export function countInlinks(pages: readonly CrawledPage[]): Map<string, number> {
  const counts = new Map(pages.map(({ address }) => [address, 0]));
  for (const { links } of pages)
    for (const link of links) if (counts.has(link)) counts.set(link, counts.get(link)! + 1);
  return counts;
}

/** Lists every problem, page by page. */
export function findingsOf(pages: readonly CrawledPage[]): Finding[] {
  const inlinks = countInlinks(pages);
  const titles = new Map<string, string>();
  return pages.flatMap(({ address, status, title, canonical }) => {
    const twin = titles.get(title);
    titles.set(title, address);
    const problems = [
      status !== 200 && `answers ${status}`,
      title === "" && "has no title",
      title.length > MAX_TITLE_LENGTH && `its title has ${title.length} characters: ${title}`,
      twin !== undefined && title !== "" && `has the same title as ${twin}`,
      canonical !== address && `its canonical URL is ${canonical ?? "missing"}`,
      inlinks.get(address)! < MIN_INLINKS && `only ${inlinks.get(address)} pages link to it`,
    ];
    return problems.filter((problem) => problem !== false).map((problem) => ({ address, problem }));
  });
}
