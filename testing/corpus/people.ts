/** Building blocks of the corpus: names, houses, numbers and networks. They are the same in every run. */
import type { BookingRequestInput } from "../../contract/bookings.ts";
import { PAGE_SERVICES, QUOTE_FORM_SERVICES, type ServiceId } from "../../contract/catalogue.ts";
import { type LeadRequestInput, QUOTE_DEFAULTS } from "../../contract/leads.ts";
import { toLeadRequest } from "../../contract/simple-quotes.ts";
import { addDays, sydneyDay } from "../../contract/sydney-time.ts";

/** A request as the Worker receives it, and how it was sent. */
export type CorpusRequest = {
  /** The group of senders. */
  group: string;
  isForged: boolean;
  /** Not shown to the author of the rules. */
  isHeldBack: boolean;
  /** Milliseconds after the start of the corpus. */
  atMs: number;
  quote?: LeadRequestInput;
  booking?: BookingRequestInput;
  network: { address: string; country: string; owner: string };
  userAgent: string | null;
  /** The browser's Accept-Language. */
  language: string | null;
  /** Posted by the browser itself, without script. */
  viaPage: boolean;
  /** Time from opening the form to submitting it; null if the form did not request a start token. */
  tookMs: number | null;
  /** Requests with the same value send the same start token. */
  sharedStart?: string;
};

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Pseudo-random numbers, the same in every run (Lehmer). */
export function createRandom(seed: number) {
  let state = seed;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    between: (from: number, to: number) => from + below(to - from + 1),
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    digits: (n: number) => Array.from({ length: n }, () => below(10)).join(""),
  };
}
export type Random = ReturnType<typeof createRandom>;

const FIRST_NAMES =
  "Amelia Noah Charlotte Oliver Isla Jack Mia Leo Ava Henry Grace Thomas Matilda Lucas Ruby Ethan Priya Arjun Mei Wei Linh Minh Fatima Omar Giulia Marco Elena Dimitri Sofia Mateo Hannah Samuel Freya Angus Kirra Jarrah Aroha Tane Siobhan Declan Ingrid Lars Zoe Harvey Nadia Tariq Yuki Kenji Rosa Pedro Beth Graham Colleen Trevor Sharon Wayne Judith Barry Maureen Keith".split(
    " ",
  );
const SURNAMES =
  "Nguyen Smith Patel O'Brien Rossi Papadopoulos Wilson Taylor Kaur Singh Chen Wang Haddad Khoury Martin Anderson Thompson Walker Harris Kelly Ryan Murphy Campbell Stewart McDonald Fraser Robinson Hughes Edwards Lewis Ferrari Costa Silva Petrov Kowalski Novak Andersson Yilmaz Hassan Ali Ahmed Sharma Gupta Tanaka Sato Kim Park Tran Pham Le Hall Clarke Baker Turner Cooper Ward Gray Bennett Foster Marsh".split(
    " ",
  );
const STREETS =
  "Banksia Wattle Waratah Acacia Grevillea Victoria George Albert Church Station High Park Railway Bridge Mill Chapel Garden Beach Ocean Hill Valley River Forest Lake Myrtle Cedar Elm Oak Ash Rose Lily Fern Palm Bay Cove Cliff Bligh Cook Phillip Macquarie King Queen William Elizabeth Edward Charles Alfred Arthur".split(
    " ",
  );
const KINDS = ["Street", "Road", "Avenue", "Crescent", "Place", "Parade", "Close", "Lane", "St", "Rd", "Ave"];
const CARRIERS = ["Telstra", "Optus", "TPG", "Aussie Broadband", "Superloop", "Vocus", "iiNet"];
const BROWSERS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
];

export type Suburb = { id: string; name: string; postcode: string };

/** A customer with a name, a number and a house. */
export type CorpusPerson = { name: string; phone: string; email: string; house: string };

export function newName(random: Random): string {
  return `${random.pick(FIRST_NAMES)} ${random.pick(SURNAMES)}`;
}

export function newMobile(random: Random): string {
  return `04${random.pick(["0", "1", "2", "3"])}${random.digits(1)} ${random.digits(3)} ${random.digits(3)}`;
}

export function newHouse(random: Random, { name, postcode }: Suburb): string {
  const street = `${random.pick(STREETS)} ${random.pick(KINDS)}`;
  return `${random.between(1, 180)} ${street}, ${name} NSW ${postcode}`;
}

export function newPerson(random: Random, suburb: Suburb): CorpusPerson {
  const name = newName(random);
  const host = random.pick(["gmail.com", "outlook.com", "icloud.com", "bigpond.com", "hotmail.com"]);
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, ".")}${random.below(90)}@${host}`;
  return { name, phone: newMobile(random), email, house: newHouse(random, suburb) };
}

/** Returns a household's connection in Australia, by IPv4 or IPv6. */
export function newHome(random: Random): CorpusRequest["network"] {
  const isNew = random.below(3) === 0;
  const address = isNew
    ? `2001:4479:${random.between(4096, 65535).toString(16)}:${random.between(4096, 65535).toString(16)}::${random.between(1, 9)}`
    : `${random.between(1, 3)}.${random.between(120, 160)}.${random.below(256)}.${random.below(256)}`;
  return { address, country: "AU", owner: random.pick(CARRIERS) };
}

/** Languages of devices bought in Australia, and of devices brought from abroad. */
export const newLanguage = (random: Random) =>
  random.pick([
    "en-AU,en;q=0.9",
    "en-AU,en;q=0.9",
    "en-AU",
    "en-GB,en;q=0.8",
    "en-US,en;q=0.9",
    "zh-CN,zh;q=0.9",
    "vi-VN,vi;q=0.9,en-AU;q=0.7",
  ]);

export const newBrowser = (random: Random) => random.pick(BROWSERS);

/** The body of the three-step form. */
export function longQuote(
  random: Random,
  { name, phone, email, house }: CorpusPerson,
  text: string | null,
): LeadRequestInput {
  return {
    ...QUOTE_DEFAULTS,
    customerName: name,
    customerPhone: phone,
    customerEmail: random.below(3) > 0 ? email : "",
    customerAddress: house,
    serviceType: [random.pick(QUOTE_FORM_SERVICES)],
    propertySize: random.pick(["small", "medium", "medium", "large"] as const),
    frequency: random.pick(["one_off", "fortnightly", "fortnightly", "monthly"] as const),
    urgency: random.pick(["urgent", "within_week", "within_week", "flexible"] as const),
    additionalServices: random.below(4) === 0 ? ["edging"] : [],
    specificRequests: text,
  };
}

/** The body of a short form. */
export function shortQuote(
  random: Random,
  { name, phone, house }: CorpusPerson,
  text: string | null,
): LeadRequestInput {
  const services: ServiceId[] = [random.pick(PAGE_SERVICES)];
  const contact = { customerName: name, customerPhone: phone, customerAddress: house };
  return toLeadRequest({ ...contact, serviceNeed: text }, services);
}

/** The body of a suburb page's form. */
export function bookingOf(
  random: Random,
  { name, phone, email }: CorpusPerson,
  suburb: Suburb,
  message: string | null,
): BookingRequestInput {
  return {
    name,
    phone,
    email,
    vehicle: "",
    serviceType: random.pick(PAGE_SERVICES),
    propertySize: random.pick(["small", "medium", "large"] as const),
    preferredDate: random.below(2) === 0 ? addDays(sydneyDay(Date.now()), 14) : "",
    message,
    suburbId: suburb.id,
  };
}
