/**
 * The head of a document.
 * @param canonical the page's one address; left out for pages search engines are asked not to keep
 */
export function pageMeta({
  title,
  description,
  canonical,
}: {
  title: string;
  description: string;
  canonical?: string | undefined;
}) {
  return [
    { title: `${title} | Naturestrip` },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    ...(canonical
      ? [
          { tagName: "link", rel: "canonical", href: canonical },
          { property: "og:url", content: canonical },
        ]
      : [{ name: "robots", content: "noindex" }]),
  ];
}

/** A request's address without its query. */
export function canonicalOf(request: Request): string {
  const { origin, pathname } = new URL(request.url);
  return origin + pathname;
}
