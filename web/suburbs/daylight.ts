/** Computes sunrise and sunset from a place's coordinates, accurate to about a minute. */

type Point = { latitude: number; longitude: number };

/** The sun on one day: minutes after local midnight, and its height at midday in degrees. */
export type SunDay = { date: Date; rise: number; set: number; length: number; height: number };

const DAY_MS = 24 * 60 * 60 * 1000;
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;

/** The sun's edge is visible before its centre rises, and the air refracts its light. */
const HORIZON_DEGREES = -0.833;

/** Returns the sun's position at noon UTC, by NOAA's solar calculator. */
function sunAt(date: Date): { declination: number; equationOfTime: number } {
  const century = (date.getTime() + DAY_MS / 2 - Date.UTC(2000, 0, 1, 12)) / DAY_MS / 36525;
  const mean = 280.46646 + century * (36000.76983 + century * 0.0003032);
  const anomaly = radians(357.52911 + century * (35999.05029 - 0.0001537 * century));
  const eccentricity = 0.016708634 - century * 0.000042037;
  const centre =
    Math.sin(anomaly) * (1.914602 - century * 0.004817) +
    Math.sin(2 * anomaly) * (0.019993 - 0.000101 * century) +
    Math.sin(3 * anomaly) * 0.000289;
  const node = radians(125.04 - 1934.136 * century);
  const longitude = radians(mean + centre - 0.00569 - 0.00478 * Math.sin(node));
  const obliquity = radians(23.439291 - century * 0.0130042 + 0.00256 * Math.cos(node));
  const y = Math.tan(obliquity / 2) ** 2;
  const l = radians(mean);
  const equation =
    y * Math.sin(2 * l) -
    2 * eccentricity * Math.sin(anomaly) +
    4 * eccentricity * y * Math.sin(anomaly) * Math.cos(2 * l) -
    0.5 * y * y * Math.sin(4 * l) -
    1.25 * eccentricity * eccentricity * Math.sin(2 * anomaly);
  return {
    declination: Math.asin(Math.sin(obliquity) * Math.sin(longitude)),
    equationOfTime: 4 * degrees(equation),
  };
}

/** Returns a month's first Sunday, as the day of the month. */
function firstSunday(year: number, month: number): number {
  return 1 + ((7 - new Date(Date.UTC(year, month, 1)).getUTCDay()) % 7);
}

/**
 * Returns a place's UTC offset on a day, in minutes. Daylight saving lasts from the first Sunday of October to the
 * first Sunday of April. Broken Hill uses South Australian time, and Lord Howe Island its own.
 */
export function clockOffset({ latitude, longitude }: Point, date: Date): number {
  const year = date.getUTCFullYear();
  const day = date.getTime();
  const isSummer =
    day >= Date.UTC(year, 9, firstSunday(year, 9)) || day < Date.UTC(year, 3, firstSunday(year, 3));
  if (longitude > 158) return isSummer ? 660 : 630;
  const isYancowinna = longitude < 142 && latitude > -32.7 && latitude < -31;
  return (isYancowinna ? 570 : 600) + (isSummer ? 60 : 0);
}

export function computeSunDay(point: Point, date: Date): SunDay {
  const { declination, equationOfTime } = sunAt(date);
  const latitude = radians(point.latitude);
  const halfDayAngle = Math.acos(
    (Math.sin(radians(HORIZON_DEGREES)) - Math.sin(latitude) * Math.sin(declination)) /
      (Math.cos(latitude) * Math.cos(declination)),
  );
  const noon = 720 - 4 * point.longitude - equationOfTime + clockOffset(point, date);
  const minutes = 4 * degrees(halfDayAngle);
  return {
    date,
    rise: noon - minutes,
    set: noon + minutes,
    length: 2 * minutes,
    height: 90 - Math.abs(point.latitude - degrees(declination)),
  };
}

export function sunYear(point: Point, year: number): SunDay[] {
  const first = Date.UTC(year, 0, 1);
  const days = Math.round((Date.UTC(year + 1, 0, 1) - first) / DAY_MS);
  return Array.from({ length: days }, (_, day) => computeSunDay(point, new Date(first + day * DAY_MS)));
}

/**
 * Returns the single period of the year in which a condition is true. The period may cross New Year.
 * @returns first and last day; null when the condition is always true, never true, or true in several periods
 */
export function findPeriod(
  year: readonly SunDay[],
  matches: (day: SunDay) => boolean,
): { from: SunDay; to: SunDay; days: number } | null {
  const is = year.map(matches);
  const starts = year.filter((_, i) => is[i] && !is.at(i - 1));
  const ends = year.filter((_, i) => is[i] && !is[(i + 1) % year.length]);
  if (starts.length !== 1 || ends.length !== 1) return null;
  return { from: starts[0]!, to: ends[0]!, days: is.filter(Boolean).length };
}

/** Weeks between cuts, by day length in minutes: our rule of thumb for warm-season grass. */
export const MOWING_INTERVALS = [
  { from: 13 * 60, weeks: 1, word: "weekly" },
  { from: 11 * 60, weeks: 2, word: "fortnightly" },
  { from: 0, weeks: 4, word: "monthly" },
] as const;

export function getMowingInterval({ length }: SunDay): (typeof MOWING_INTERVALS)[number] {
  return MOWING_INTERVALS.find(({ from }) => length >= from)!;
}

/** Returns the number of cuts per year, by the rule of thumb. */
export function countCutsInYear(year: readonly SunDay[]): number {
  return Math.round(year.reduce((cuts, day) => cuts + 1 / (7 * getMowingInterval(day).weeks), 0));
}

const dayMonth = new Intl.DateTimeFormat("en-AU", { timeZone: "UTC", day: "numeric", month: "long" });

/** Formats a day without a year, such as "22 December". */
export function formatSunDay({ date }: SunDay): string {
  return dayMonth.format(date);
}

/** Formats a time of day, such as "5:41 am". */
export function formatClock(minutes: number): string {
  const whole = Math.round(minutes);
  const hour = Math.floor(whole / 60);
  return `${hour % 12 || 12}:${String(whole % 60).padStart(2, "0")} ${hour < 12 ? "am" : "pm"}`;
}

/** Formats a duration, such as "9 h 54 min" or "13 h". */
export function formatDayLength(minutes: number): string {
  const whole = Math.round(minutes);
  const minutesLeft = whole % 60;
  return `${Math.floor(whole / 60)} h${minutesLeft ? ` ${minutesLeft} min` : ""}`;
}
