/** Every page for visitors that is not for one person, with the addresses to read. */
import { PAGE_LIST, type PagePattern, type VISITOR_PAGES } from "../../contract/visitor-pages.ts";
import { SERVICE_LIST } from "../../web/services/services.ts";

export type PublicPage = {
  [Pattern in PagePattern]: (typeof VISITOR_PAGES)[Pattern]["audience"] extends "person" ? never : Pattern;
}[PagePattern];

/** Public pages with a parameter. */
const EXAMPLES = {
  "/location/:suburb": ["/location/parramatta"],
  "/service/:service": SERVICE_LIST.map(({ href }) => href),
  "/provider/:slug": ["/provider/claims-garden"],
} satisfies Record<Extract<PublicPage, `${string}:${string}`>, readonly string[]>;

const examplesOf = (pattern: PublicPage): readonly string[] =>
  pattern in EXAMPLES ? EXAMPLES[pattern as keyof typeof EXAMPLES] : [pattern];

/** The public pages' facts, each with its addresses. */
export const PUBLIC_PAGE_LIST = PAGE_LIST.filter(({ audience }) => audience !== "person").map((page) => {
  const pattern = page.pattern as PublicPage;
  return { ...page, pattern, examples: examplesOf(pattern) };
});

/** The addresses that need no record. */
export const PUBLIC_ADDRESSES = PUBLIC_PAGE_LIST.filter(
  ({ pattern }) => pattern !== "/provider/:slug",
).flatMap(({ examples }) => examples);
