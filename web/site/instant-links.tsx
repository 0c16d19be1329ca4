/** Pages of the application, and addresses that do something: never fetched ahead. */
const NEVER_AHEAD = ["/dashboard*", "/settings*", "/admin/*", "/api/*", "/logout*", "/success*"];

const RULES = JSON.stringify({
  prerender: [
    {
      where: {
        and: [
          { href_matches: "/*" },
          { not: { href_matches: NEVER_AHEAD } },
          { not: { selector_matches: "[rel~=nofollow]" } },
        ],
      },
      eagerness: "moderate",
    },
  ],
});

/** Speculation rules: the page behind a link is ready by the time a thumb or pointer has settled on it. */
export function InstantLinks() {
  return <script type="speculationrules" dangerouslySetInnerHTML={{ __html: RULES }} />;
}
