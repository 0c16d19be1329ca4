/** Computes the holidays by the rules of the Public Holidays Act 2010 (NSW), and compares them with the list. */
import { expect, test } from "vitest";

import { isPublicHoliday } from "./public-holidays.ts";
import { addDays } from "./sydney-time.ts";

const SATURDAY = 6;
const SUNDAY = 0;
const MONDAY = 1;
const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();
const isWeekend = (day: string) => [SATURDAY, SUNDAY].includes(weekday(day));
const nextMonday = (day: string) => addDays(day, (8 - weekday(day)) % 7);
const nthMonday = (month: string, n: number) => {
  const days = Array.from({ length: 31 }, (_, i) => `${month}-${String(i + 1).padStart(2, "0")}`);
  return days.filter((day) => weekday(day) === MONDAY)[n - 1]!;
};

/** Easter Sunday (the Gregorian computus of Meeus, Jones and Butcher). */
function easterSunday(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return new Date(Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1)).toISOString().slice(0, 10);
}

function holidaysOf(year: number): string[] {
  const newYear = `${year}-01-01`;
  const australiaDay = `${year}-01-26`;
  const anzacDay = `${year}-04-25`;
  const christmas = `${year}-12-25`;
  const boxingDay = `${year}-12-26`;
  const easter = easterSunday(year);
  return [
    newYear,
    isWeekend(newYear) ? nextMonday(newYear) : newYear,
    // Moves to the Monday. The other days stay and get an additional day.
    isWeekend(australiaDay) ? nextMonday(australiaDay) : australiaDay,
    addDays(easter, -2),
    addDays(easter, -1),
    easter,
    addDays(easter, 1),
    anzacDay,
    // The Public Holidays Amendment (Anzac Day) Order 2026 adds the Monday in 2026 and 2027 only.
    year <= 2027 && isWeekend(anzacDay) ? nextMonday(anzacDay) : anzacDay,
    nthMonday(`${year}-06`, 2),
    nthMonday(`${year}-10`, 1),
    christmas,
    boxingDay,
    ...[christmas, boxingDay].flatMap((day) => (isWeekend(day) ? [addDays(day, 2)] : [])),
  ];
}

test.each([2026, 2027, 2028])("the public holidays of %i are those of the law, and no others", (year) => {
  const listed = Array.from({ length: 366 }, (_, i) => addDays(`${year}-01-01`, i)).filter(
    (day) => day.startsWith(String(year)) && isPublicHoliday(day),
  );
  expect(listed).toEqual([...new Set(holidaysOf(year))].toSorted());
});
