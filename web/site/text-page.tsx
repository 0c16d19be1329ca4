import { formatLongDay } from "../../contract/sydney-time.ts";
import { type Facts, fillText } from "./fill-text.ts";
import { type DatedPath, PAGE_DATES } from "./page-dates.ts";

/** Shows a text from a Markdown file, with our facts, and when it last changed. */
export function TextPage({
  title,
  path,
  html,
  facts,
}: {
  title: string;
  path: DatedPath;
  html: string;
  facts: Facts;
}) {
  const { day } = PAGE_DATES[path];
  return (
    <article className="wrap prose">
      <h1>{title}</h1>
      <p className="note">
        Last updated <time dateTime={day}>{formatLongDay(day)}</time>.
      </p>
      <div dangerouslySetInnerHTML={{ __html: fillText(html, facts) }} />
    </article>
  );
}
