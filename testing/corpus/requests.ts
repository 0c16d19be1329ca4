/** Requests as the Worker receives them: 40 honest ones, of which none may have to wait for an admin, and 20 forged. */
import type { BookingRequestInput } from "../../contract/bookings.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { type LeadRequestInput, QUOTE_DEFAULTS } from "../../contract/leads.ts";

/** A request, and how it was sent. */
export type CorpusRequest = {
  /** The group of senders. */
  group: string;
  isForged: boolean;
  /** Milliseconds after the start of the corpus. */
  atMs: number;
  quote: LeadRequestInput;
  /** Sent by the form on a suburb's page instead. */
  booking?: BookingRequestInput;
  network: { address: string; country: string; owner: string };
  userAgent: string | null;
  /** The browser's Accept-Language. */
  language: string | null;
  /** Time from opening the form to submitting it; null if the form did not request a start token. */
  tookMs: number | null;
  /** Requests with the same value send the same start token. */
  sharedStart?: string;
};

type CorpusSuburb = { id: string; name: string; postcode: string };

const NAMES =
  "Amelia Nguyen,Noah O'Brien,Priya Patel,Marco Rossi,Mei Chen,Omar Haddad,Siobhan Ryan,Tane Walker,Zoe Kowalski,Kenji Sato,Rosa Silva,Graham Smith,Fatima Ali,Linh Tran,Angus Fraser,Ingrid Andersson,Jarrah Kelly,Wayne Martin,Yuki Tanaka,Dimitri Petrov".split(
    ",",
  );
const NOTES = [
  null,
  "Mowing the front and back lawn please. The side gate sticks a little, lift it and push.",
  "Grass is knee high because we have been away since September.",
  "Rental inspection is on the 9th so it needs to look respectable by then.",
  "We have two kelpies, please make sure the gate is shut behind you.",
  "Strata wants three quotes, so in writing please.",
];
const BROWSERS = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
];
const LANGUAGES = ["en-AU,en;q=0.9", "en-GB,en;q=0.8", "zh-CN,zh;q=0.9", "vi-VN,vi;q=0.9,en-AU;q=0.7"];

const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const pick = <T>(list: readonly T[], i: number): T => list[i % list.length]!;

/** Returns all requests of the corpus, in order of time. */
export function corpusRequests(suburbs: readonly CorpusSuburb[]): CorpusRequest[] {
  const requests: CorpusRequest[] = [];

  /** Adds a stranger's request from a browser at home, with its own house, number and network. */
  function add(
    group: string,
    isForged: boolean,
    { quote, ...sent }: Partial<Omit<CorpusRequest, "quote">> & { quote?: Partial<LeadRequestInput> } = {},
  ): CorpusRequest {
    const n = requests.length;
    const { name, postcode } = pick(suburbs, n);
    const isNew = n % 3 === 0;
    const request: CorpusRequest = {
      group,
      isForged,
      atMs: n * 5 * HOUR_MS,
      network: {
        address: isNew ? `2001:4479:${(4096 + n * 7).toString(16)}:1::1` : `1.${120 + (n % 40)}.7.${n}`,
        country: "AU",
        owner: pick(["Telstra", "Optus", "TPG"], n),
      },
      userAgent: pick(BROWSERS, n),
      language: pick(LANGUAGES, n),
      tookMs: (45 + n * 4) * 1000,
      ...sent,
      quote: {
        ...QUOTE_DEFAULTS,
        customerName: pick(NAMES, n),
        customerPhone: `04${10_000_000 + n * 370_003}`,
        customerEmail: `customer${n}@example.com`,
        customerAddress: `${n + 1} Banksia Street, ${name} NSW ${postcode}`,
        serviceType: [pick(["lawn_mowing", "hedge_trimming", "garden_cleanup"] as const, n)],
        specificRequests: pick(NOTES, n),
        ...quote,
      },
    };
    requests.push(request);
    return request;
  }
  const honest = (group: string, sent?: Parameters<typeof add>[2]) => add(group, false, sent);
  const forged = (group: string, sent?: Parameters<typeof add>[2]) => add(group, true, sent);

  times(6, () => honest("three steps"));
  times(3, (i) => honest("quick, with autofill", { tookMs: 4_500 + i * 900 }));
  times(3, () => honest("without script", { tookMs: null }));
  times(3, (i) => {
    const { id: suburbId } = pick(suburbs, i);
    honest("a suburb's page", {
      booking: {
        name: pick(NAMES, i),
        phone: `0298${100_000 + i}`,
        email: `booker${i}@example.com`,
        vehicle: "",
        serviceType: "lawn_mowing",
        propertySize: "medium",
        preferredDate: "",
        message: pick(NOTES, i),
        suburbId,
      },
    });
  });
  times(2, () =>
    honest("sloppy", { quote: { customerName: "priya", specificRequests: "lawns plz, its a jungle lol" } }),
  );
  // A family: a partner at the same house asks for another service, and the grandmother lives elsewhere.
  const parent = honest("a family");
  const { network, quote: home, atMs: evening } = parent;
  honest("a family", {
    network,
    atMs: evening + 20 * MINUTE_MS,
    quote: { customerAddress: home.customerAddress, serviceType: ["pressure_washing"] },
  });
  honest("a family", { network, atMs: evening + 60 * MINUTE_MS });
  // An agent sends the same text for house after house.
  const agent = honest("an agent", { quote: { specificRequests: "Vendor is overseas. Please mow it." } });
  times(4, (i) =>
    honest("an agent", {
      network: agent.network,
      atMs: agent.atMs + (i + 1) * 7 * MINUTE_MS,
      quote: { ...agent.quote, customerAddress: `${i + 40} High Street, Leichhardt NSW 2040` },
    }),
  );
  const regular = honest("a repeat customer");
  honest("a repeat customer", {
    ...regular,
    atMs: regular.atMs + 6 * DAY_MS,
    quote: { ...regular.quote, serviceType: ["landscaping"] },
  });
  honest("a repeat customer", { ...regular, atMs: regular.atMs + 16 * DAY_MS });
  const storm = { atMs: 4 * DAY_MS, suburb: pick(suburbs, 17) };
  times(3, (i) =>
    honest("neighbours after a storm", {
      atMs: storm.atMs + i * 9 * MINUTE_MS,
      quote: { customerAddress: `${i + 2} Storm Road, ${storm.suburb.name} NSW ${storm.suburb.postcode}` },
    }),
  );
  times(4, (i) =>
    honest("strangers behind a carrier's address", {
      network: { address: "49.180.3.3", country: "AU", owner: "Optus" },
      atMs: 5 * DAY_MS + i * HOUR_MS,
    }),
  );
  times(3, (i) =>
    honest("away from home", {
      network: { address: `185.60.1.${i}`, country: ["GB", "US", "NZ"][i]!, owner: "Local Telecom" },
    }),
  );
  honest("behind a VPN", { network: { address: "146.70.9.9", country: "AU", owner: "M247 Europe SRL" } });
  honest("with a link to photos", { quote: { specificRequests: "Photos: https://photos.example/yard" } });

  times(3, (i) =>
    forged("a loop on a rented server", {
      network: { address: `164.90.2.${i}`, country: "US", owner: "DigitalOcean, LLC" },
      userAgent: "python-requests/2.32.4",
      language: null,
      tookMs: null,
    }),
  );
  times(4, (i) =>
    forged("pasted advertisements", {
      network: {
        address: `103.4.${i}.9`,
        country: pick(["IN", "PK", "BD", "RU"], i),
        owner: "Local Telecom",
      },
      tookMs: null,
      quote: { specificRequests: "We can rank your website in 30 days, visit https://rank-fast.example" },
    }),
  );
  times(2, () => forged("a filled honeypot", { quote: { homepage: "https://spam.example" } }));
  times(2, () => forged("sent at once", { tookMs: 900 }));
  times(3, () => forged("one signed start for all", { sharedStart: "stolen" }));
  times(2, (i) => forged("an impossible number", { quote: { customerPhone: `+999 1234 567${i}` } }));
  times(2, (i) =>
    forged("throwaway addresses from abroad", {
      network: { address: `27.5.5.${i}`, country: "PH", owner: "Local Telecom" },
      quote: { customerEmail: `x${i}@mailinator.com` },
    }),
  );
  // Careful forgers: Turnstile and bad-lead reports limit the damage.
  times(2, () => forged("careful forgers"));
  return requests.toSorted((a, b) => a.atMs - b.atMs);
}
