/**
 * Requests that differ by network: IPv6 customers who change subnets, common names, carriers, and suburbs
 * with a lot of junk. Each family has three parts. The third part was held back while the rules were written.
 */
import {
  bookingOf,
  type CorpusRequest,
  DAY,
  createRandom,
  HOUR,
  longQuote,
  MINUTE,
  newBrowser,
  newHome,
  newHouse,
  newLanguage,
  newName,
  newPerson,
  shortQuote,
  type Suburb,
} from "./people.ts";

const PARTS = 3;

type Family = (part: number, suburbs: readonly Suburb[]) => Partial<CorpusRequest>[];

const random = createRandom(15485863);
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const hex = (from: number, to: number) => random.between(from, to).toString(16);
const person = (suburbs: readonly Suburb[]) => newPerson(random, random.pick(suburbs));
const quote = (suburbs: readonly Suburb[], text: string | null = null) => ({
  quote: longQuote(random, person(suburbs), text),
});
const from = (address: string, owner = "Telstra") => ({ network: { address, country: "AU", owner } });

/** Words that make each request's text unique. */
const JOBS = ["mow", "trim", "clear", "edge", "tidy", "weed"];
const PLACES = ["front yard", "back lawn", "side path", "hedge by the gate", "nature strip", "rose beds"];
const plainText = () => `please ${random.pick(JOBS)} the ${random.pick(PLACES)}`;
/** Returns a sentence with two words replaced. */
const template = () =>
  `Good day, I am looking for someone reliable to ${random.pick(JOBS)} our ${random.pick(PLACES)} and to come back every month after that`;

/** When junk arrives for a suburb. Honest requests follow minutes later. */
const junkTime = (part: number) => (part * 8 + 7) * DAY + 13 * HOUR;

const FORGED: Readonly<Record<string, Family>> = {
  "many houses from one /64": (part, suburbs) => {
    const site = `2001:44b8:${hex(4096, 65535)}:${hex(4096, 65535)}`;
    return times(10 + part, (i) => ({ ...quote(suburbs, plainText()), ...from(`${site}::${i + 1}`) }));
  },
  "one surname from one /64": (part, suburbs) => {
    const site = `2403:5800:${hex(4096, 65535)}:${hex(4096, 65535)}`;
    const surname = ["Nguyen", "Singh", "Smith"][part]!;
    return times(12, (i) => {
      const one = person(suburbs);
      const named = { ...one, name: `${one.name.split(" ")[0]} ${surname}` };
      return { quote: longQuote(random, named, plainText()), ...from(`${site}::${i + 1}`) };
    });
  },
  "a new /64 of one /56 each time": (part, suburbs) => {
    const site = `2001:4479:${hex(4096, 65535)}:${hex(16, 255)}`;
    return times(12 + part, (i) => ({
      ...quote(suburbs, plainText()),
      ...from(`${site}${(i * 7).toString(16).padStart(2, "0")}::1`),
    }));
  },
  "a new /56 of one /48 each time": (part, suburbs) => {
    const site = `2400:a844:${hex(4096, 65535)}`;
    return times(16 + part, (i) => ({
      ...quote(suburbs, plainText()),
      ...from(`${site}:${(i * 9 + 1).toString(16)}${hex(16, 255)}::1`),
    }));
  },
  "one text with words exchanged, one IPv4 address": (part, suburbs) => {
    const address = `1.${120 + part}.7.${random.below(250)}`;
    return times(8, () => ({ ...quote(suburbs, template()), ...from(address) }));
  },
  "one suburb from one IPv4 address": (part, suburbs) => {
    const address = `1.${130 + part}.8.${random.below(250)}`;
    const suburb = suburbs[40 + part]!;
    return times(8, () => ({
      quote: shortQuote(random, newPerson(random, suburb), plainText()),
      ...from(address),
    }));
  },
  "one mailbox under many names": (part, suburbs) => {
    const box = ["mow.leads", "grassjobs", "lawnquote"][part]!;
    return times(6, (i) => ({
      quote: {
        ...longQuote(random, person(suburbs), plainText()),
        customerEmail: `${box}${part === 1 ? `+${i}` : ""}@gmail.com`,
      },
      ...from(`1.${140 + part}.9.9`),
    }));
  },
  "junk for one suburb": (part, suburbs) =>
    times(4, (i) => {
      const suburb = suburbs[45 + part]!;
      const joker = { ...newPerson(random, suburb), name: "Homer Simpson" };
      return {
        booking: bookingOf(random, joker, suburb, "asdf asdf asdf"),
        ...from(`2001:44b8:7777:${part}::1`),
        atMs: junkTime(part) + i * MINUTE,
      };
    }),
};

const HONEST: Readonly<Record<string, Family>> = {
  "strangers behind a carrier's IPv4 address, all day": (part, suburbs) =>
    times(9, () => ({
      quote: longQuote(random, person(suburbs), plainText()),
      ...from(`49.18${part}.4.4`, "Optus"),
    })),
  "phones with a /64 each in a carrier's /48": (part, suburbs) => {
    const site = `2001:8004:${hex(4096, 65535)}`;
    return times(5, () => ({ ...quote(suburbs, plainText()), ...from(`${site}:${hex(4096, 65535)}::1`) }));
  },
  "a family that shares a /64, grandmother elsewhere": (_, suburbs) => {
    const suburb = random.pick(suburbs);
    const parent = newPerson(random, suburb);
    const partner = { ...newPerson(random, suburb), house: parent.house };
    const surname = parent.name.split(" ").at(-1)!;
    const grandmother = { ...person(suburbs), name: `Joan ${surname}` };
    const site = `2403:5800:${hex(4096, 65535)}:${hex(4096, 65535)}`;
    return [parent, partner, grandmother].map((one, i) => ({
      quote: longQuote(random, one, plainText()),
      ...from(`${site}::${i + 1}`),
    }));
  },
  "three colleagues behind one /64": (_, suburbs) => {
    const site = `2001:44b8:${hex(4096, 65535)}:${hex(4096, 65535)}`;
    return times(3, (i) => ({ ...quote(suburbs), ...from(`${site}::${i + 1}`) }));
  },
  "an agent's seven houses from one /56": (_, suburbs) => {
    const agent = person(suburbs);
    const site = `2001:4479:${hex(4096, 65535)}:${hex(16, 255)}`;
    return times(7, (i) => ({
      quote: longQuote(random, { ...agent, house: newHouse(random, random.pick(suburbs)) }, null),
      ...from(`${site}0${i}::1`),
    }));
  },
  "an honest request after junk for its suburb": (part, suburbs) => {
    const suburb = suburbs[45 + part]!;
    return times(2, (i) => ({
      booking: bookingOf(random, newPerson(random, suburb), suburb, null),
      atMs: junkTime(part) + (10 + i) * MINUTE,
    }));
  },
  "two families of one name, a town apart": (_, suburbs) =>
    times(3, () => {
      const one = person(suburbs);
      return {
        quote: longQuote(random, { ...one, name: `${newName(random).split(" ")[0]} Nguyen` }, plainText()),
      };
    }),
};

function requestsOf(
  families: Readonly<Record<string, Family>>,
  isForged: boolean,
  suburbs: readonly Suburb[],
) {
  return Object.entries(families).flatMap(([group, family], f) =>
    times(PARTS, (part) =>
      family(part, suburbs).map((request, i): CorpusRequest => ({
        group,
        isForged,
        isHeldBack: part === PARTS - 1,
        // One week per part and one day per family. Honest requests come after junk.
        atMs: (part * 8 + (f % 8)) * DAY + (isForged ? 8 : 9) * HOUR + i * random.between(3, 40) * MINUTE,
        network: newHome(random),
        userAgent: newBrowser(random),
        language: newLanguage(random),
        viaPage: false,
        tookMs: random.between(25, 240) * 1000,
        ...request,
      })),
    ).flat(),
  );
}

/** Returns the requests of all families, forged and honest. */
export function networkRequests(suburbs: readonly Suburb[]): CorpusRequest[] {
  return [...requestsOf(FORGED, true, suburbs), ...requestsOf(HONEST, false, suburbs)];
}
