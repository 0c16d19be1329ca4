/**
 * Public holidays of the whole of New South Wales, as Sydney days. The call clock does not count on them.
 * data/ATTRIBUTION.md names the source. Add a year when the government publishes it.
 */
const PUBLIC_HOLIDAYS: ReadonlySet<string> = new Set(
  [
    "2026-01-01 2026-01-26 2026-04-03 2026-04-04 2026-04-05 2026-04-06 2026-04-25 2026-04-27 2026-06-08",
    "2026-10-05 2026-12-25 2026-12-26 2026-12-28",
    "2027-01-01 2027-01-26 2027-03-26 2027-03-27 2027-03-28 2027-03-29 2027-04-25 2027-04-26 2027-06-14",
    "2027-10-04 2027-12-25 2027-12-26 2027-12-27 2027-12-28",
    "2028-01-01 2028-01-03 2028-01-26 2028-04-14 2028-04-15 2028-04-16 2028-04-17 2028-04-25 2028-06-12",
    "2028-10-02 2028-12-25 2028-12-26",
  ].flatMap((days) => days.split(" ")),
);

/** @param day a Sydney day, such as "2026-12-25" */
export const isPublicHoliday = (day: string): boolean => PUBLIC_HOLIDAYS.has(day);
