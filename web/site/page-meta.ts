import { sharePicture } from "./share-cards.ts";

/** Search engines cut off longer titles and descriptions. */
export const TITLE_MAX = 60;
export const DESCRIPTION_MAX = 155;

/** Returns a text on one line, cut after a word if it is longer than `max` characters. */
export function cutText(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  const part = line.slice(0, max - 1).replace(/[^\p{L}\p{N}]+[\p{L}\p{N}]*$/u, "");
  return `${part}…`;
}

/** Returns a page's title, followed by our name if there is room. */
export function pageTitle(title: string): string {
  const named = `${title} | Naturestrip`;
  return named.length <= TITLE_MAX ? named : title;
}

/**
 * Returns a document's head tags.
 * @param canonical the page's canonical URL; omitted for pages that search engines must not index
 * @param picture path and description of the preview image for shared links
 */
export function pageMeta({
  title,
  description,
  canonical,
  picture = sharePicture("home"),
}: {
  title: string;
  description: string;
  canonical?: string | undefined;
  picture?: { path: string; alt: string };
}) {
  return [
    { title: pageTitle(title) },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Naturestrip" },
    { property: "og:locale", content: "en_AU" },
    ...(canonical
      ? [
          { tagName: "link", rel: "canonical", href: canonical },
          { property: "og:url", content: canonical },
          { property: "og:image", content: new URL(picture.path, canonical).href },
          { property: "og:image:width", content: "1200" },
          { property: "og:image:height", content: "630" },
          { property: "og:image:alt", content: picture.alt },
          { name: "twitter:card", content: "summary_large_image" },
        ]
      : [{ name: "robots", content: "noindex" }]),
  ];
}

/** Returns a request's URL without the query. */
export function getCanonicalUrl(request: Request): string {
  const { origin, pathname } = new URL(request.url);
  return origin + pathname;
}

/**
 * Returns a page's breadcrumbs as structured data.
 * @param trail name and path of each page below the home page, including this page
 */
export function breadcrumbs(canonical: string, trail: readonly (readonly [name: string, path: string])[]) {
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@type": "BreadcrumbList",
      itemListElement: [["Home", "/"] as const, ...trail].map(([name, path], index) => ({
        "@type": "ListItem",
        position: index + 1,
        name,
        item: new URL(path, canonical).href,
      })),
    },
  };
}
