/** What a search engine takes from a page, and what is wrong with a site's pages taken together. */

/** Search engines cut longer titles off. */
export const LONGEST_TITLE = 60;

/** A page that fewer others lead to is hardly found. */
export const FEWEST_INLINKS = 3;

/** A page that is so much like another one is no page of its own. */
export const TWIN_SHARE = 0.9;

/** One page as it was answered. `address` is path and query, as the sitemap names it. */
export type CrawledPage = {
  address: string;
  status: number;
  title: string;
  /** Path and query of the page's canonical link; null without one. */
  canonical: string | null;
  /** Where it leads within the site, each once, itself left out. */
  links: ReadonlySet<string>;
};

/** What is wrong with a page, in words. */
export type Finding = { address: string; problem: string };

function unescape(text: string): string {
  return text
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Path and query of an address within the site; null for what lies elsewhere. */
export function addressOf(href: string, base: URL): string | null {
  const url = URL.canParse(href, base) ? new URL(href, base) : null;
  return url?.origin === base.origin ? url.pathname + url.search : null;
}

/** Reads what a page says of itself and where it leads. @param url the page's whole address */
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

/** How many of the pages lead to each of them. */
export function countInlinks(pages: readonly CrawledPage[]): Map<string, number> {
  const counts = new Map(pages.map(({ address }) => [address, 0]));
  for (const { links } of pages)
    for (const link of links) if (counts.has(link)) counts.set(link, counts.get(link)! + 1);
  return counts;
}

/** Everything that is wrong, page by page; empty when all is well. */
export function findingsOf(pages: readonly CrawledPage[]): Finding[] {
  const inlinks = countInlinks(pages);
  const titles = new Map<string, string>();
  return pages.flatMap(({ address, status, title, canonical }) => {
    const twin = titles.get(title);
    titles.set(title, address);
    const problems = [
      status !== 200 && `answers ${status}`,
      title === "" && "has no title",
      title.length > LONGEST_TITLE && `its title has ${title.length} signs: ${title}`,
      twin !== undefined && title !== "" && `has the title of ${twin}`,
      canonical !== address && `its canonical address is ${canonical ?? "missing"}`,
      inlinks.get(address)! < FEWEST_INLINKS && `only ${inlinks.get(address)} pages lead to it`,
    ];
    return problems.filter((problem) => problem !== false).map((problem) => ({ address, problem }));
  });
}
