/** Two hundred honest requests. None of them should have to wait for an admin. */
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
  type CorpusPerson,
  type Suburb,
} from "./people.ts";

const random = createRandom(65537);

/** Texts that many customers write word for word. */
const SHORT = [
  null,
  null,
  null,
  "The side gate sticks a little, lift it and push.",
  "Please call after 4pm, I work nights.",
  "I can send photos if you message me.",
  "Ring the bell, the dog barks but is friendly.",
  "Just a quick mow, nothing else.",
  "Front and back lawn, about 300m2 in all.",
];

/** Common first sentences. */
const OPENINGS = [
  "Hi, could I please get a quote for",
  "Hello, looking for someone regular for",
  "Need a hand with",
  "Can someone come this week for",
  "We are after a fixed price for",
  "hi just after a price on",
];
/** What the customer asks for. */
const REQUEST_TEXTS = [
  "mowing the front and back lawn",
  "the lawn, edges and the nature strip",
  "a hedge along the driveway",
  "a general tidy up of the yard",
  "mowing every second week over summer",
  "pressure cleaning the pavers and the path",
];
/** Details of the property. */
const DETAILS = [
  "The hedge is about 12 metres long and over my head, it needs a metre off the top.",
  "Grass is knee high because we have been away since september.",
  "Trying to get rid of onehunga weed, the kids can't walk barefoot anymore.",
  "The whole block is steep out the back, a normal ride-on will not manage it.",
  "Kikuyu is taking over the veggie beds along the eastern fence.",
  "Photos for the sale are taken next month, so before that please.",
  "A branch came down over the back fence in the storm, bark is everywhere.",
  "There is a big fig tree that drops fruit all over, so it would need a rake first.",
  "We have two kelpies, please make sure the gate is shut behind you.",
  "Buffalo out front has lawn grub I think, brown patches are spreading from the letterbox.",
  "Please do not use the leaf blower before 8, the baby sleeps in the front room haha.",
  "Green waste can go in our bin if there's room, otherwise please take it away.",
  "Rental inspection is on the 9th so it needs to look respectable by then.",
  "There might be a blue tongue living behind the water tank, please be nice to him.",
  "NDIS participant, plan managed, will need an invoice with the ABN on it please.",
  "Husband had a hip replacement in October and cannot push the mower until February.",
  "Mum is moving into a home and none of us lives nearby.",
  "last bloke stopped answering his phone",
  "Strata wants three quotes, so in writing please.",
  "The tap out the back leaks, watch your step on the left side.",
  "We are happy to wait for a dry day, no rush at all.",
  "Street parking only, there is a loading zone outside until ten.",
  "The pool pump is under the hedge, please don't cut its cable like the last one did.",
  "I am in a wheelchair so please knock on the side door and give me a minute.",
  "Our old mower died, the extension lead did not survive it either.",
  "It backs onto the creek, mind the drop behind the shed.",
  "Chooks are loose in the afternoon, mornings are better.",
  "The neighbour at number 9 wants the same if you have time.",
  "You can park the trailer in the driveway, the red car does not move.",
  "Leave the daisies along the path, they were my grandmother's.",
  "The lawn was laid in August and I don't know how short it may go.",
  "Meter box is behind the roses, the bloke from Ausgrid hates them too.",
  "Landlord pays, I just want to see it before he gets the bill.",
  "Bindis everywhere, three bee stings this month already.",
  "There is a septic tank lid near the clothesline, please go around it.",
  "Could be done together with my sister's place in the next street.",
  "No petrol mower if you can help it, my son is sensitive to noise.",
  "Not sure how big it is, the old owner said a quarter acre less the house.",
  "I am away until the 3rd but my flatmate Bec is in most days.",
  "Magpie nests in the gum out front, wear a hat in spring.",
  "The gate code is the year of the Sydney Olympics.",
  "We had Jim's before and want someone smaller and local.",
  "Clay soil, it turns to soup, so please wait two days after rain.",
  "Both cars will be gone by nine so you can get at the verge.",
];

let detailsUsed = 0;

/**
 * Returns a customer's text: common phrases, sometimes with details of the property. Each detail is used
 * once, because two strangers never write the same details.
 */
function makeText(): string | null {
  if (random.below(3) === 0) return random.pick(SHORT);
  const phrase = `${random.pick(OPENINGS)} ${random.pick(REQUEST_TEXTS)}`;
  if (random.below(3) === 0 || detailsUsed === DETAILS.length) return phrase;
  return `${phrase}. ${DETAILS[detailsUsed++]}`;
}

const typedMs = () => random.between(45, 420) * 1000;
const daytime = () => random.between(0, 20) * DAY + random.between(7, 22) * HOUR + random.below(60) * MINUTE;

type QuoteOrBooking = Pick<CorpusRequest, "quote"> | Pick<CorpusRequest, "booking">;

/** Returns an honest request. By default it comes from a browser at home, with script. */
function honestRequest(
  group: string,
  form: QuoteOrBooking,
  overrides: Partial<CorpusRequest> = {},
): CorpusRequest {
  return {
    group,
    isForged: false,
    isHeldBack: false,
    atMs: daytime(),
    network: newHome(random),
    userAgent: newBrowser(random),
    language: newLanguage(random),
    viaPage: false,
    tookMs: typedMs(),
    ...form,
    ...overrides,
  };
}

const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

function everydayRequests(suburbs: readonly Suburb[]): CorpusRequest[] {
  const somebody = () => newPerson(random, random.pick(suburbs));
  return [
    ...times(56, () => honestRequest("three steps", { quote: longQuote(random, somebody(), makeText()) })),
    ...times(26, () =>
      honestRequest(
        "quick, with autofill",
        { quote: shortQuote(random, somebody(), makeText()) },
        { tookMs: random.between(4_500, 14_000) },
      ),
    ),
    ...times(13, () =>
      honestRequest(
        "without script",
        { quote: shortQuote(random, somebody(), makeText()) },
        { viaPage: true, tookMs: null },
      ),
    ),
    ...times(20, () => {
      const suburb = random.pick(suburbs);
      return honestRequest("a suburb's page", {
        booking: bookingOf(random, newPerson(random, suburb), suburb, makeText()),
      });
    }),
    ...times(8, () => {
      const { name, house, ...rest } = somebody();
      const sloppy = { ...rest, name: name.toLowerCase().split(" ")[0]!, house: house.toLowerCase() };
      return honestRequest("sloppy", {
        quote: shortQuote(random, sloppy, "lawns plz, its a jungle lol, cheers"),
      });
    }),
    ...times(3, () => {
      const { house, ...rest } = somebody();
      return honestRequest("address without a suburb", {
        quote: shortQuote(random, { ...rest, house: house.split(",")[0]! }, makeText()),
      });
    }),
  ];
}

/** Families and shared flats: several people on one connection. */
function households(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(5, () => {
    const suburb = random.pick(suburbs);
    const parent = newPerson(random, suburb);
    const partner: CorpusPerson = { ...newPerson(random, suburb), house: parent.house };
    const surname = parent.name.split(" ").at(-1)!;
    const grandma = {
      ...newPerson(random, suburb),
      name: `Joan ${surname}`,
      house: newHouse(random, suburb),
    };
    const network = newHome(random);
    const atMs = daytime();
    return [parent, partner, grandma].map((one, i) =>
      honestRequest(
        "a family behind one address",
        { quote: longQuote(random, one, makeText()) },
        { network, atMs: atMs + i * random.between(20, 300) * MINUTE },
      ),
    );
  }).flat();
}

const OPEN_HOMES = [
  "Vendor is overseas. Please mow front and back and tidy the garden beds before the open home on Saturday, keys are with our office reception.",
  "Owner wants the property presented for inspection, lawns edges and a blow down of all paths, invoice to the agency not to the tenant please.",
  "Vacant property, lawns need doing before the new tenants move in next Thursday. Lockbox on the meter, code on request from me.",
  "End of lease, the tenants left it a mess. Yard needs clearing, mowing and the weeds in the driveway poisoned before handover.",
];

/** Agents who send the same text for house after house. One gives the tenants' names, and two share an office. */
function agents(suburbs: readonly Suburb[]): CorpusRequest[] {
  const office = newHome(random);
  return [6, 5, 4, 3].flatMap((houses, agent) => {
    const suburb = random.pick(suburbs);
    const own = newPerson(random, suburb);
    const network = agent < 2 ? office : newHome(random);
    const atMs = agent < 2 ? 3 * DAY + 9 * HOUR + agent * 4 * HOUR : daytime();
    return times(houses, (i) => {
      const person = { ...own, house: newHouse(random, i % 2 ? random.pick(suburbs) : suburb) };
      // The tenant's name helps the provider find the right door.
      if (agent === 3 && i > 0) person.name = newName(random);
      return honestRequest(
        "an agent with several properties",
        { quote: longQuote(random, person, OPEN_HOMES[agent]!) },
        { network, atMs: atMs + i * 7 * MINUTE },
      );
    });
  });
}

function repeatCustomers(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(7, (i) => {
    const person = newPerson(random, random.pick(suburbs));
    const network = newHome(random);
    const first = random.between(0, 3) * DAY + 10 * HOUR;
    const quote = { ...longQuote(random, person, makeText()), serviceType: ["lawn_mowing" as const] };
    const other = i % 2 === 0;
    return [
      honestRequest("a repeat customer", { quote }, { network, atMs: first }),
      honestRequest(
        "a repeat customer",
        { quote: other ? { ...quote, serviceType: ["hedge_trimming"] } : quote },
        { network, atMs: first + (other ? 6 : 16) * DAY },
      ),
    ];
  }).flat();
}

/** After a hailstorm all neighbours request help on the same day. */
function storm(suburbs: readonly Suburb[]): CorpusRequest[] {
  const suburb = suburbs[17]!;
  let atMs = 11 * DAY + 8 * HOUR;
  return times(9, () => {
    atMs += random.between(4, 75) * MINUTE;
    const quote = longQuote(random, newPerson(random, suburb), makeText());
    return honestRequest("a street after a storm", { quote }, { atMs });
  });
}

function unusualNetworks(suburbs: readonly Suburb[]): CorpusRequest[] {
  const somebody = () => newPerson(random, random.pick(suburbs));
  const quote = () => ({ quote: longQuote(random, somebody(), makeText()) });
  const travellers = times(5, (i) => {
    const address = `185.${random.below(200)}.${random.below(250)}.${random.below(250)}`;
    const country = ["GB", "SG", "NZ", "US", "ID"][i]!;
    const network = { address, country, owner: "Local Telecom" };
    // All phones except one have Australian settings.
    return honestRequest("away from home", quote(), {
      network,
      language: i === 3 ? "en-US,en;q=0.9" : "en-AU",
    });
  });
  const hidden = times(4, () => {
    const address = `146.70.${random.below(250)}.${random.below(250)}`;
    return honestRequest("behind a VPN", quote(), {
      network: { address, country: "AU", owner: "M247 Europe SRL" },
    });
  });
  // A carrier puts thousands of phones behind one IP address.
  const carrier = times(3, () => {
    const network = { ...newHome(random), address: `49.180.${random.below(250)}.${random.below(250)}` };
    const atMs = daytime();
    return [0, 1].map((i) =>
      honestRequest("strangers behind a carrier's address", quote(), { network, atMs: atMs + i * 3 * HOUR }),
    );
  });
  const colleagues = times(1, () => {
    const network = newHome(random);
    return [0, 1, 2].map((i) =>
      honestRequest("colleagues in one office", quote(), { network, atMs: 8 * DAY + (9 + 3 * i) * HOUR }),
    );
  });
  return [...travellers, ...hidden, ...carrier.flat(), ...colleagues.flat()];
}

/** Returns two hundred honest requests. Every second one in each group is held back. */
export function honestRequests(suburbs: readonly Suburb[]): CorpusRequest[] {
  const all = [
    ...everydayRequests(suburbs),
    ...households(suburbs),
    ...agents(suburbs),
    ...repeatCustomers(suburbs),
    ...storm(suburbs),
    ...unusualNetworks(suburbs),
  ];
  return all.map((request, i) => ({ ...request, isHeldBack: i % 2 === 1 }));
}
