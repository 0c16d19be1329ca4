/**
 * What a place's climate means for its lawns. data/ATTRIBUTION.md quotes the source of each figure and rule, and
 * decision 0046 explains the rules.
 */
import table from "../../data/postcode-climate.json" with { type: "json" };

/** Sources of the facts on a suburb's page, by the name that data/ATTRIBUTION.md gives them. */
export const SOURCES = {
  census: "Australian Bureau of Statistics, 2021 Census",
  weather: "Bureau of Meteorology",
  zones: "Australian Building Codes Board",
  growth: "PACE Turf",
  kikuyu: "Asian Turfgrass Center, Journal of Agricultural Science",
  mowing: "Backyard Hubs",
  water: "Paul Munns",
  regions: "The Precedent",
  fescue: "Jim's Mowing",
  bluegrass: "McKay's Grass Seeds",
  browning: "Burke's Backyard",
} as const;
export type SourceId = keyof typeof SOURCES;

/** One fact of a suburb's page. Each sentence has its own sources. */
export type LocalFact = {
  term: string;
  sentences: readonly { text: string; sources: readonly SourceId[] }[];
};

/** Returns a fact's sentences as one text. */
export const textOf = ({ sentences }: LocalFact) => sentences.map(({ text }) => text).join(" ");

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
export const GRASSES = {
  kikuyu: { best: 25, spread: 7 },
  fescue: { best: 20, spread: 5.5 },
} as const;
type Grass = keyof typeof GRASSES;

/** Growth potential from which a lawn grows fast, and below which it rests. */
export const FAST_GROWTH = 0.5;
export const SLOW_GROWTH = 0.1;

/** The page gives no dates for a shorter season. */
const MIN_SEASON_DAYS = 31;

/** Days between cuts, least and most. */
export const FAST_INTERVAL_DAYS = [7, 14] as const;
export const SLOW_INTERVAL_DAYS = [21, 28] as const;

/** Water that kikuyu needs in summer, in mm a week: the lower end of the source's range. */
export const NEEDED_WATER_MM = 15;

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
export function dailyMeans(climate: Temperatures): number[] {
  const { summer, winter } = seasonMeans(climate);
  const swing = (summer - winter) / 2 / SEASON_SHARE;
  return Array.from(
    { length: DAYS },
    (_, day) => (summer + winter) / 2 + swing * Math.cos((2 * Math.PI * (day - WARMEST_DAY)) / DAYS),
  );
}

const seasonMeans = ({ summerMax, winterMin }: Temperatures) => ({
  summer: -0.9 + 0.76 * summerMax + 0.37 * winterMin,
  winter: -1.4 + 0.26 * summerMax + 0.9 * winterMin,
});

export function growth(grass: Grass, temperature: number): number {
  const { best, spread } = GRASSES[grass];
  // Kikuyu does not slow down in the heat of New South Wales.
  const distance = grass === "kikuyu" ? Math.min(temperature - best, 0) : temperature - best;
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

type Cuts = { least: number; most: number };

/** Returns each season's mean temperature in °C, and the fewest and most cuts of a watered kikuyu lawn. */
function countSeasonCuts(climate: Temperatures): (Cuts & { season: string; mean: number })[] {
  const means = dailyMeans(climate);
  return Object.entries(SEASONS).map(([season, months]) => {
    const days = means.filter((_, day) => (months as readonly number[]).includes(monthOf(day)));
    const potentials = days.map((mean) => growth("kikuyu", mean));
    const fast = potentials.filter((potential) => potential >= FAST_GROWTH).length;
    const slow = potentials.filter((potential) => potential >= SLOW_GROWTH).length - fast;
    const cuts = (at: 0 | 1) => Math.round(fast / FAST_INTERVAL_DAYS[at] + slow / SLOW_INTERVAL_DAYS[at]);
    const mean = days.reduce((sum, value) => sum + value, 0) / days.length;
    return { season, mean, least: cuts(1), most: cuts(0) };
  });
}

/** Returns the fewest and most cuts a year: the sum of the rounded seasons, so that a page's figures add up. */
export function countCuts(climate: Temperatures): Cuts {
  const seasons = countSeasonCuts(climate);
  const sum = (cuts: "least" | "most") => seasons.reduce((total, season) => total + season[cuts], 0);
  return { least: sum("least"), most: sum("most") };
}

function formatCuts({ least, most }: Cuts): string {
  if (most === 0) return "none";
  return least === most ? `${most}` : `${least} to ${most}`;
}

/** Frosts a year from which a page may name cool-season grass. No source gives a number: this one is ours. */
const MIN_COOL_FROSTS = 30;

/** Whether a place has frosts, and a summer that is no warmer than cool-season grass likes best. */
export function isForCoolGrass(climate: Temperatures, frosts: number): boolean {
  return frosts >= MIN_COOL_FROSTS && Math.round(seasonMeans(climate).summer) <= GRASSES.fescue.best;
}

/** Says which grasses suit a place, and when they grow. */
function describeGrass(climate: Temperatures, frosts: number): LocalFact["sentences"] {
  const fast = growingSeason("kikuyu", climate, FAST_GROWTH);
  const model = ["weather", "growth", "kikuyu"] as const;
  if (isForCoolGrass(climate, frosts)) {
    const season = growingSeason("fescue", climate, FAST_GROWTH);
    const when = fast && fast.days < MIN_SEASON_DAYS ? "in midsummer" : fast && formatSeason(fast);
    const kikuyu = when ? `grows fast only ${when}` : "grows slowly even in summer";
    return [
      {
        text: "Tall fescue and Kentucky bluegrass.",
        sources: ["regions", "fescue", "bluegrass"],
      },
      ...(season
        ? [
            {
              text: `They grow fast ${formatSeason(season)}.`,
              sources: ["weather", "growth"] as const,
            },
          ]
        : []),
      { text: `Kikuyu ${kikuyu}.`, sources: model },
      { text: "Couch turns brown with the frosts.", sources: ["browning"] },
    ];
  }
  const slow = growingSeason("kikuyu", climate, SLOW_GROWTH);
  const rest =
    slow && slow.days < DAYS
      ? `rests from ${formatDay(slow.to)} to ${formatDay(slow.from)}`
      : "keeps growing all year";
  return [
    { text: "Buffalo, couch and kikuyu.", sources: ["regions"] },
    ...(fast ? [{ text: `Kikuyu grows fast ${formatSeason(fast)} and ${rest}.`, sources: model }] : []),
  ];
}

function formatFastMowing(climate: Temperatures): string {
  const fast = growingSeason("kikuyu", climate, FAST_GROWTH);
  return fast && fast.days >= MIN_SEASON_DAYS ? `: every week or two ${formatSeason(fast)}` : "";
}

/** Says how often a kikuyu lawn needs a cut. Where rain is short, it says that the figure is for a watered lawn. */
function describeCuts(
  climate: Temperatures,
  { rainMm }: Climate,
  details = formatFastMowing(climate),
): LocalFact["sentences"] {
  const rain = Math.round(rainMm / WEEKS);
  const isDry = rain < NEEDED_WATER_MM;
  const lawn = isDry ? "kikuyu that you water" : "kikuyu";
  return [
    {
      text: `${formatCuts(countCuts(climate))} times a year for ${lawn}${details}.`,
      sources: ["weather", "growth", "kikuyu", "mowing"],
    },
    ...(isDry
      ? [
          {
            text: "On rain alone it needs fewer.",
            sources: ["mowing"] as const,
          },
          {
            text: `An average week brings ${rain} mm, and kikuyu likes at least ${NEEDED_WATER_MM} mm in summer.`,
            sources: ["weather", "water"] as const,
          },
        ]
      : []),
  ];
}

/** Says in which months a fescue lawn needs a cut. No source gives a number for a year. */
function describeCoolCuts(climate: Temperatures): LocalFact["sentences"] {
  const fast = growingSeason("fescue", climate, FAST_GROWTH);
  const slow = growingSeason("fescue", climate, SLOW_GROWTH);
  if (!slow) return [];
  const seldom = "every three to four weeks";
  const others =
    slow.days < DAYS
      ? `Before that, from ${formatDay(slow.from)}, and after it, until ${formatDay(slow.to)}`
      : "In the other months";
  const text = fast
    ? `Fescue needs a cut every week or two ${formatSeason(fast)}. ${others}, ${seldom} is enough.`
    : `Fescue needs a cut ${seldom} ${formatSeason(slow)}.`;
  return [{ text, sources: ["weather", "growth", "mowing"] }];
}

/** Frosts a year and what they mean, the most frosts first. */
const FROST_WORDS = [
  {
    from: 100,
    words: (nights: number) => `Very common: about ${nights} nights a year get down to 2 °C or below.`,
  },
  { from: 50, words: (nights: number) => `Common: about ${nights} nights a year get down to 2 °C or below.` },
  { from: 15, words: (nights: number) => `About ${nights} nights a year get down to 2 °C or below.` },
  { from: 2, words: (nights: number) => `Rarely. About ${nights} nights a year get down to 2 °C.` },
  { from: 1, words: () => "Hardly ever: one night a year gets down to 2 °C." },
  { from: 0, words: () => "Rare. Most years have none." },
] as const;

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
    words: (year: string, week: number) => `About ${year} mm a year, or ${week} mm a week.`,
  },
  {
    from: 450,
    words: (year: string, week: number) => `On the dry side, with ${year} mm a year or ${week} mm a week.`,
  },
  {
    from: 0,
    words: (year: string, week: number) => `Not much: ${year} mm a year, or about ${week} mm a week.`,
  },
] as const;

function describeRain({ rainMm }: Climate): string {
  const { words } = RAIN_WORDS.find(({ from }) => rainMm >= from)!;
  return words(rainMm.toLocaleString("en-AU"), Math.round(rainMm / WEEKS));
}

/** The fact about grass. The questions repeat it. */
export const GRASS_TERM = "What grows well";

/** Formats a temperature with a true minus sign. */
const formatDegrees = (value: number) => `${Math.round(value) || 0} °C`.replace("-", "−");

const list = (texts: readonly string[]) => new Intl.ListFormat("en-AU").format(texts);

/** Says how often a lawn in a place needs a cut, and in which seasons; empty or null if that is unknown. */
export function describeMowing(place: Place): string | null {
  const climate = findClimate(place);
  if (!climate?.temperatures) return null;
  const seasons = countSeasonCuts(climate.temperatures);
  if (isForCoolGrass(climate.temperatures, climate.frosts)) {
    const means = seasons.map(({ season, mean }) => `${formatDegrees(mean)} in ${season}`);
    const text = textOf({ term: "", sentences: describeCoolCuts(climate.temperatures) });
    return text && `${text} On average it’s ${list(means)}.`;
  }
  const counts = seasons.map(
    ({ season, mean, ...cuts }) => `${formatCuts(cuts)} in ${season} at ${formatDegrees(mean)}`,
  );
  const sentences = describeCuts(climate.temperatures, climate, `: ${list(counts)} on average`);
  return `About ${textOf({ term: "", sentences })}`;
}

/** Returns what is special about lawns in a place. */
export function lawnFacts(place: Place): LocalFact[] {
  const climate = findClimate(place);
  if (!climate) return [];
  const { zone, frosts, temperatures } = climate;
  const zoneText = `${ZONE_NAMES[zone]} (zone ${zone} of the National Construction Code)`;
  const always: LocalFact[] = [
    {
      term: "Climate",
      sentences: temperatures
        ? [
            {
              text: `${zoneText}, with ${formatDegrees(temperatures.summerMax)} on an average summer day and ${formatDegrees(temperatures.winterMin)} on a winter night.`,
              sources: ["zones", "weather"],
            },
          ]
        : [{ text: `${zoneText}.`, sources: ["zones"] }],
    },
    { term: "Frost", sentences: [{ text: describeFrost(climate), sources: ["weather"] }] },
    { term: "Rain", sentences: [{ text: describeRain(climate), sources: ["weather"] }] },
  ];
  if (!temperatures) return always;
  const mowing = isForCoolGrass(temperatures, frosts)
    ? describeCoolCuts(temperatures)
    : describeCuts(temperatures, climate);
  return [
    ...always,
    { term: GRASS_TERM, sentences: describeGrass(temperatures, frosts) },
    { term: "Mowing", sentences: mowing },
  ].filter(({ sentences }) => sentences.length > 0);
}
