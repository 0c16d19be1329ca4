import { formatLongDay } from "../../contract/sydney-time.ts";
import { type DatedPath, PAGE_DATES } from "./page-dates.ts";

/** Says when a page's text last changed. */
export function LastUpdated({ page }: { page: DatedPath }) {
  const { day } = PAGE_DATES[page];
  return (
    <p className="note">
      Last updated <time dateTime={day}>{formatLongDay(day)}</time>.
    </p>
  );
}
