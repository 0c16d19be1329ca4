import type { SuburbDetail } from "../../contract/suburbs.ts";
import { Section } from "../site/section.tsx";
import {
  countCutsInYear,
  formatClock,
  formatSunDay,
  formatDayLength,
  MOWING_INTERVALS,
  getMowingInterval,
  findPeriod,
  type SunDay,
  sunYear,
} from "./daylight.ts";

/** If the sun sets before this time, weekdays are too dark to mow after work. In minutes after midnight. */
const AFTER_WORK = 18 * 60;
/** Height of a paling fence, in metres. */
const FENCE_METRES = 1.8;
/** Hours in which the state allows mowing on weekdays, in minutes after midnight. */
const MOWER_FROM = 7 * 60;
const MOWER_UNTIL = 20 * 60;

function metresOfShade({ height }: SunDay): string {
  return (FENCE_METRES / Math.tan((height * Math.PI) / 180)).toFixed(2);
}

/** Returns a weekday's mowing hours, both legal and in daylight. */
function mowingTime({ rise, set }: SunDay) {
  const from = Math.max(rise, MOWER_FROM);
  const until = Math.min(set, MOWER_UNTIL);
  return { from, until, length: until - from };
}

function MowingIntervals({ name, year }: { name: string; year: readonly SunDay[] }) {
  const [weekly, , monthly] = MOWING_INTERVALS;
  const fast = findPeriod(year, (day) => getMowingInterval(day) === weekly);
  const slow = findPeriod(year, (day) => getMowingInterval(day) === monthly);
  return (
    <p>
      {fast &&
        `Warm-season grass in ${name} grows fastest from ${formatSunDay(fast.from)} to ${formatSunDay(fast.to)}: ${fast.days} days with more than 13 hours of daylight. Mow weekly during that time. `}
      {slow &&
        `From ${formatSunDay(slow.from)} to ${formatSunDay(slow.to)} (${slow.days} days) there’s less than 11 hours of daylight, so once a month will do. `}
      In between, mow every fortnight. That’s about {countCutsInYear(year)} cuts a year. It’s a rule of thumb
      based on day length alone. Rain and shade make a difference too.
    </p>
  );
}

function Months({ year }: { year: readonly SunDay[] }) {
  const midMonthDays = year.filter(({ date }) => date.getUTCDate() === 15);
  return (
    <div className="months-scroll">
      <table className="months">
        <caption className="visually-hidden">
          Sunrise and sunset, a fence’s midday shade and how often to mow, on the 15th of each month
        </caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Sun</th>
            <th scope="col">Day</th>
            <th scope="col">Shade</th>
            <th scope="col">Mow</th>
          </tr>
        </thead>
        <tbody>
          {midMonthDays.map((day) => (
            <tr key={day.date.getTime()}>
              <th scope="row">{day.date.toLocaleDateString("en-AU", { month: "short", timeZone: "UTC" })}</th>
              <td>
                {formatClock(day.rise)} to {formatClock(day.set)}
              </td>
              <td>{formatDayLength(day.length)}</td>
              <td>{metresOfShade(day)} m</td>
              <td>{getMowingInterval(day).word}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the legal mowing hours, and which of them are in daylight. */
function MowingHours({ suburb, year }: { suburb: SuburbDetail; year: readonly SunDay[] }) {
  const times = year.map(mowingTime);
  const most = times.reduce((a, b) => (a.length > b.length ? a : b));
  const least = times.reduce((a, b) => (a.length < b.length ? a : b));
  const dark = findPeriod(year, ({ set }) => set < AFTER_WORK);
  const asks = suburb.council.startsWith("Unincorporated") ? "the police" : suburb.council;
  return (
    <>
      <h3>When you can mow</h3>
      <p>
        Powered garden tools mustn’t be heard inside a neighbour’s home before 7 am (8 am on weekends and
        public holidays) or after 8 pm. In midwinter you can mow in {suburb.name} from{" "}
        {formatClock(least.from)} to about {formatClock(least.until)} on a weekday. In midsummer it’s{" "}
        {formatClock(most.from)} to {formatClock(most.until)}.
        {dark && ` From ${formatSunDay(dark.from)} to ${formatSunDay(dark.to)} it’s dark by knock-off.`}
      </p>
      <p className="note">
        Source:{" "}
        <a href="https://www.environment.nsw.gov.au/questions/times-residential-noise-restrictions">
          NSW Environment Protection Authority
        </a>{" "}
        on the Protection of the Environment Operations (Noise Control) Regulation 2017. A new regulation was
        in draft in 2026. If in doubt, ask {asks}.
      </p>
    </>
  );
}

/**
 * Shows a lawn's year: sunlight by month, how often to mow, and the mowing hours. It computes them from the suburb's
 * coordinates.
 * @param year the calendar year to compute
 */
export function SuburbYear({ suburb, year }: { suburb: SuburbDetail; year: number }) {
  const { name, latitude, longitude } = suburb;
  const days = sunYear(suburb, year);
  const longest = days.reduce((a, b) => (a.length > b.length ? a : b));
  const shortest = days.reduce((a, b) => (a.length < b.length ? a : b));
  return (
    <Section id="lawn-year" title={`Your lawn’s year in ${name}`}>
      <div className="lawn-year">
        <div className="lawn-year__words">
          <p>
            The longest day, {formatSunDay(longest)}, brings {formatDayLength(longest.length)} of daylight,
            from {formatClock(longest.rise)} to {formatClock(longest.set)}. The shortest,{" "}
            {formatSunDay(shortest)}, has {formatDayLength(shortest.length)}, from{" "}
            {formatClock(shortest.rise)} to {formatClock(shortest.set)}.
          </p>
          <MowingIntervals name={name} year={days} />
          <p>
            At midday in midwinter the sun is {shortest.height.toFixed(1)}° high, and a 1.8 m fence shades{" "}
            {metresOfShade(shortest)} m of the lawn on its south side. In midsummer the sun reaches{" "}
            {longest.height.toFixed(1)}° and the shade is {metresOfShade(longest)} m.
          </p>
          <MowingHours suburb={suburb} year={days} />
        </div>
        <div>
          <Months year={days} />
          <p className="note">
            Shade is measured from a 1.8 m fence at midday. Calculated for {Math.abs(latitude).toFixed(2)}°
            south, {longitude.toFixed(2)}° east in {year}, using NOAA’s solar calculator formulas. Accurate to
            a minute or two on flat ground.
          </p>
        </div>
      </div>
    </Section>
  );
}
