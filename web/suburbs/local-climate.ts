/**
 * What a place's climate means for its lawns. data/ATTRIBUTION.md quotes the source of each figure and rule, and
 * decision 0046 explains the rules.
 */
import table from "../../data/postcode-climate.json" with { type: "json" };

/** Sources of the facts on a suburb's page, by the name that data/ATTRIBUTION.md gives them. */
export const SOURCES = {
  census: "Australian Bureau of Statistics, census of 2021",
  weather: "Bureau of Meteorology",
  zones: "Australian Building Codes Board",
  growth: "PACE Turf",
  mowing: "Backyard Hubs, Bunnings",
  water: "Paul Munns",
  grasses: "The Precedent",
} as const;
export type SourceId = keyof typeof SOURCES;

/** One fact of a suburb's page with its sources. */
export type LocalFact = { term: string; text: string; sources: readonly SourceId[] };

/** The long-term averages of a place. */
export type Climate = {
  /** The National Construction Code's zone, 1 to 8. */
  zone: number;
  /** Nights a year with 2 °C or less. */
  frosts: number;
  rainMm: number;
  /** Mean daily maximum from December to February and minimum from June to August, in °C; null if unknown. */
  temperatures: { summerMax: number; winterMin: number } | null;
};
type Temperatures = NonNullable<Climate["temperatures"]>;

const CLIMATES: Partial<Record<string, number[]>> = table;

type Place = { slug: string; postcode: string };

/** Returns a place's climate: its own or its postcode's; null for a postcode that an operator added. */
export function findClimate({ slug, postcode }: Place): Climate | null {
  const [zone, frosts, summerMax, winterMin, rainMm] = CLIMATES[slug] ?? CLIMATES[postcode] ?? [];
  if (zone === undefined) return null;
  const temperatures = summerMax ? { summerMax, winterMin: winterMin! } : null;
  return { zone, frosts: frosts!, rainMm: rainMm!, temperatures };
}

/** The Australian Building Codes Board's names of the zones in New South Wales. */
const ZONE_NAMES: Partial<Record<number, string>> = {
  2: "Warm humid summers and mild winters",
  4: "Hot dry summers and cool winters",
  5: "Warm temperate",
  6: "Mild temperate",
  7: "Cool temperate",
  8: "Alpine",
};

/** Growth potential: 1 at the best mean temperature, less with each degree away from it. Temperatures in °C. */
const GRASSES = {
  warm: { best: 31, spread: 7 },
  cool: { best: 20, spread: 5.5 },
} as const;
type Grass = keyof typeof GRASSES;

/** Growth potential above which a lawn grows fast, and above which it grows at all. */
const FAST_GROWTH = 0.25;
const SLOW_GROWTH = 0.05;

/** Where warm-season grass grows fast for fewer days a year, cool-season grass suits a place better. */
const MIN_WARM_DAYS = 90;
/** A shorter season is not worth a sentence. */
const MIN_SEASON_DAYS = 45;
/** With fewer frosts a year, couch may stay green. */
const MIN_BROWNING_FROSTS = 20;

/** Days between cuts, least and most. */
const FAST_INTERVAL_DAYS = [7, 14] as const;
const SLOW_INTERVAL_DAYS = [21, 42] as const;

/** Water that a warm-season lawn needs in summer, in mm a week: the lower end of the source's range. */
const NEEDED_WATER_MM = 15;
/** Below this share of the needed water, a page also says how often an unwatered lawn needs a cut. */
const ENOUGH_WATER = 0.8;

const DAYS = 365;
const WEEKS = DAYS / 7;
/** The warmest day of the year, 15 January, in days after New Year. */
const WARMEST_DAY = 14;
/** A season's mean temperature is this share of the year's swing away from the year's mean: the mean of a cosine. */
const SEASON_SHARE = 0.9;

/**
 * Returns the mean temperature of each day of the year: a cosine through the means of summer and winter. The
 * coefficients fit 164 stations in and around New South Wales; the mean error of a month is 1.2 °C.
 */
export function dailyMeans({ summerMax, winterMin }: Temperatures): number[] {
  const summer = -0.9 + 0.76 * summerMax + 0.37 * winterMin;
  const winter = -1.4 + 0.26 * summerMax + 0.9 * winterMin;
  const swing = (summer - winter) / 2 / SEASON_SHARE;
  return Array.from(
    { length: DAYS },
    (_, day) => (summer + winter) / 2 + swing * Math.cos((2 * Math.PI * (day - WARMEST_DAY)) / DAYS),
  );
}

function growth(grass: Grass, temperature: number): number {
  const { best, spread } = GRASSES[grass];
  // Warm-season grass does not slow down in the heat of New South Wales.
  const distance = grass === "warm" ? Math.min(temperature - best, 0) : temperature - best;
  return Math.exp(-0.5 * (distance / spread) ** 2);
}

/** A part of the year around midsummer, as days after New Year. It may cross New Year. */
type Season = { from: number; to: number; days: number };

/** Returns the days on which a grass grows at least this much; null for none. */
function growingSeason(grass: Grass, climate: Temperatures, least: number): Season | null {
  // From July to June, so that the season does not cross the ends of the list.
  const july = 181;
  const means = dailyMeans(climate);
  const year = means.map((_, i) => growth(grass, means[(i + july) % DAYS]!) >= least);
  const first = year.indexOf(true);
  if (first < 0) return null;
  const last = year.lastIndexOf(true);
  return {
    from: (first + july) % DAYS,
    to: (last + july) % DAYS,
    days: year.filter(Boolean).length,
  };
}

/** Formats a day as a third of its month, such as "mid-March": the rule knows no more. */
function formatDay(day: number): string {
  const date = new Date(Date.UTC(2025, 0, 1 + day));
  const month = date.toLocaleDateString("en-AU", { month: "long", timeZone: "UTC" });
  const third = Math.min(2, Math.floor((date.getUTCDate() - 1) / 10));
  return ["early ", "mid-", "late "][third] + month;
}

const formatSeason = ({ from, to }: Season) => `from ${formatDay(from)} to ${formatDay(to)}`;

/** The seasons of the calendar, as months from 0. */
const SEASONS = { spring: [8, 9, 10], summer: [11, 0, 1], autumn: [2, 3, 4], winter: [5, 6, 7] } as const;

const monthOf = (day: number) => new Date(Date.UTC(2025, 0, 1 + day)).getUTCMonth();

/**
 * Returns the fewest and most cuts of a watered lawn.
 * @param months the months to count, from 0; all without it
 */
export function countCuts(
  climate: Temperatures,
  months?: readonly number[],
): { least: number; most: number } {
  const grass = mainGrass(climate);
  const days = dailyMeans(climate)
    .filter((_, day) => months?.includes(monthOf(day)) ?? true)
    .map((mean) => growth(grass, mean));
  const fast = days.filter((potential) => potential >= FAST_GROWTH).length;
  const slow = days.filter((potential) => potential >= SLOW_GROWTH).length - fast;
  const cuts = (at: 0 | 1) => Math.round(fast / FAST_INTERVAL_DAYS[at] + slow / SLOW_INTERVAL_DAYS[at]);
  return { least: cuts(1), most: cuts(0) };
}

export function mainGrass(climate: Temperatures): Grass {
  return (growingSeason("warm", climate, FAST_GROWTH)?.days ?? 0) >= MIN_WARM_DAYS ? "warm" : "cool";
}

/** Says which grasses suit a place, and when they grow. */
function describeGrass(climate: Temperatures, frosts: number): string {
  const grass = mainGrass(climate);
  const fast = growingSeason(grass, climate, FAST_GROWTH);
  if (!fast) return "";
  if (grass === "warm") {
    const slow = growingSeason("warm", climate, SLOW_GROWTH)!;
    const rest =
      slow.days < DAYS ? `rest from ${formatDay(slow.to)} to ${formatDay(slow.from)}` : "never quite stop";
    return `Buffalo, couch and kikuyu. They grow fast ${formatSeason(fast)} and ${rest}.`;
  }
  const warm = growingSeason("warm", climate, FAST_GROWTH);
  const couch =
    warm && warm.days >= MIN_SEASON_DAYS
      ? `grows fast only ${formatSeason(warm)}`
      : "grows slowly even in summer";
  const browning = frosts >= MIN_BROWNING_FROSTS ? " and turns brown with the frosts" : "";
  return `Tall fescue and Kentucky bluegrass. They grow fast ${formatSeason(fast)}. Couch ${couch}${browning}.`;
}

/** Returns how often a lawn needs a cut, such as "14 to 28 times a year". */
function describeCuts(climate: Temperatures, rainMm: number): string {
  const { least, most } = countCuts(climate);
  const share = rainMm / WEEKS / NEEDED_WATER_MM;
  if (share >= ENOUGH_WATER) return `${least} to ${most} times a year`;
  const dry = (cuts: number) => Math.max(1, Math.round(cuts * share));
  return `${least} to ${most} times a year if you water it, about ${dry(least)} to ${dry(most)} on rain alone`;
}

/** Frosts a year and what they mean, the most frosts first. */
const FROST_WORDS = [
  { from: 100, words: (nights: number) => `Months of it: ${nights} nights a year fall to 2 °C or less.` },
  { from: 50, words: (nights: number) => `All winter: about ${nights} nights a year reach 2 °C or less.` },
  {
    from: 15,
    words: (nights: number) => `In cold spells, on about ${nights} nights a year at 2 °C or less.`,
  },
  { from: 2, words: (nights: number) => `Seldom. About ${nights} nights a year get down to 2 °C.` },
  { from: 1, words: () => "Hardly ever: one night a year gets down to 2 °C." },
  { from: 0, words: () => "Rare. Most years have none." },
] as const;

/** Says how much mowing a place needs compared with others, by the most cuts a year. */
function describePace(climate: Temperatures): string {
  const { most } = countCuts(climate);
  if (most >= 34) return "More than most places:";
  if (most >= 28) return "Often:";
  return most >= 22 ? "Steadily:" : "Less than elsewhere:";
}

function describeFrost({ frosts }: Climate): string {
  return FROST_WORDS.find(({ from }) => frosts >= from)!.words(frosts);
}

/** Rain a year in mm and what it means, the most rain first. */
const RAIN_WORDS = [
  {
    from: 1300,
    words: (year: string, week: number) => `Plenty: ${year} mm a year, ${week} mm in an average week.`,
  },
  { from: 1000, words: (year: string, week: number) => `A good ${year} mm a year, or ${week} mm a week.` },
  {
    from: 750,
    words: (year: string, week: number) => `About ${year} mm in a year, so ${week} mm a week.`,
  },
  {
    from: 450,
    words: (year: string, week: number) => `On the dry side, with ${year} mm a year or ${week} mm a week.`,
  },
  { from: 0, words: (year: string, week: number) => `Scarce. ${year} mm fall in a year, ${week} mm a week.` },
] as const;

function describeRain({ rainMm }: Climate): string {
  const { words } = RAIN_WORDS.find(({ from }) => rainMm >= from)!;
  return words(rainMm.toLocaleString("en-AU"), Math.round(rainMm / WEEKS));
}

/** The fact about grass. The questions repeat it. */
export const GRASS_TERM = "What grows well";

/** Formats a temperature with a true minus sign. */
const formatDegrees = (value: number) => `${Math.round(value) || 0} °C`.replace("-", "−");

/** Returns how often a lawn in a place needs a cut; null if its temperatures are unknown. */
export function mowingRange(place: Place): string | null {
  const climate = findClimate(place);
  return climate?.temperatures ? describeCuts(climate.temperatures, climate.rainMm) : null;
}

/** Returns each season's mean temperature and cuts of a watered lawn; null if the place's temperatures are unknown. */
export function mowingBySeason(place: Place): string | null {
  const temperatures = findClimate(place)?.temperatures;
  if (!temperatures) return null;
  const means = dailyMeans(temperatures);
  const seasons = Object.entries(SEASONS).map(([season, months]) => {
    const { least, most } = countCuts(temperatures, months);
    const days = means.filter((_, day) => (months as readonly number[]).includes(monthOf(day)));
    const mean = days.reduce((sum, value) => sum + value, 0) / days.length;
    return `${most === 0 ? "none" : `${least} to ${most}`} in ${season} at ${formatDegrees(mean)}`;
  });
  return new Intl.ListFormat("en-AU").format(seasons);
}

/** Returns what is special about lawns in a place. */
export function lawnFacts(place: Place): LocalFact[] {
  const climate = findClimate(place);
  if (!climate) return [];
  const { zone, frosts, rainMm, temperatures } = climate;
  const zoneText = `${ZONE_NAMES[zone]} (zone ${zone} of the National Construction Code)`;
  const always: LocalFact[] = [
    {
      term: "Climate",
      text: temperatures
        ? `${zoneText}, with ${formatDegrees(temperatures.summerMax)} on an average summer day and ${formatDegrees(temperatures.winterMin)} on a winter night.`
        : `${zoneText}.`,
      sources: temperatures ? ["zones", "weather"] : ["zones"],
    },
    { term: "Frost", text: describeFrost(climate), sources: ["weather"] },
    {
      term: "Rain",
      text: describeRain(climate),
      sources: ["weather"],
    },
  ];
  if (!temperatures) return always;
  return [
    ...always,
    {
      term: GRASS_TERM,
      text: describeGrass(temperatures, frosts),
      sources: ["grasses", "weather", "growth"],
    },
    {
      term: "Mowing",
      text: `${describePace(temperatures)} ${describeCuts(temperatures, rainMm)}.`,
      sources: ["weather", "growth", "mowing", "water"],
    },
  ];
}
