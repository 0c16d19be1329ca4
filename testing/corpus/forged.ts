/** Two hundred fake requests. Each would cost a provider $50 for nothing. */
import type { LeadRequestInput } from "../../contract/leads.ts";
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
  newMobile,
  newPerson,
  shortQuote,
  type Suburb,
} from "./people.ts";

const random = createRandom(104729);

type QuoteOrBooking = Pick<CorpusRequest, "quote"> | Pick<CorpusRequest, "booking">;

/** Returns a fake request. By default it comes from a browser with script. */
function fakeRequest(
  group: string,
  atMs: number,
  form: QuoteOrBooking,
  overrides: Partial<CorpusRequest> = {},
): CorpusRequest {
  return {
    group,
    isForged: true,
    isHeldBack: false,
    atMs: Math.round(atMs),
    network: newHome(random),
    userAgent: newBrowser(random),
    language: newLanguage(random),
    viaPage: false,
    tookMs: random.between(20, 150) * 1000,
    ...form,
    ...overrides,
  };
}

const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

const personIn = (suburbs: readonly Suburb[]) => newPerson(random, random.pick(suburbs));

/** The penetration test's method: a loop that calls the API from one IP address. */
function scriptFromOneAddress(suburbs: readonly Suburb[]): CorpusRequest[] {
  const network = newHome(random);
  return times(25, (i) =>
    fakeRequest(
      "a loop from one address",
      2 * DAY + i * 40_000,
      { quote: longQuote(random, personIn(suburbs), null) },
      {
        network,
        tookMs: null,
        userAgent: i % 2 ? newBrowser(random) : "python-requests/2.32.4",
        language: null,
      },
    ),
  );
}

const ADVERTS = [
  (name: string) =>
    `Hello ${name} team, I noticed your website is not on the first page of Google for lawn care. We can rank your website in 30 days, guaranteed results, visit https://rank-fast.example for a free audit.`,
  (name: string) =>
    `Dear owner ${name}, we provide business loans for Australian companies with no paperwork and approval in one day. Apply now at www.quick-capital.example and our manager will contact you shortly.`,
];

/** Advertisements pasted into every form on the web, posted without script. */
function pastedAdverts(suburbs: readonly Suburb[]): CorpusRequest[] {
  return ADVERTS.flatMap((advert, wording) =>
    times(10, (i) => {
      const somebody = personIn(suburbs);
      const address = `${103 + wording}.${random.below(250)}.${random.below(250)}.${random.below(250)}`;
      const network = { address, country: random.pick(["IN", "PK", "BD", "RU"]), owner: "Local Telecom" };
      const overrides = { network, viaPage: true, tookMs: null, isHeldBack: wording === 1 };
      const text = advert(somebody.name.split(" ")[0]!);
      const at = (3 + wording * 6) * DAY + i * 3 * HOUR;
      return fakeRequest(
        "pasted advertisements",
        at,
        { quote: shortQuote(random, somebody, text) },
        overrides,
      );
    }),
  );
}

const PLAIN_REQUEST_TEXTS = [
  null,
  "Need lawns done",
  "Mow front and back",
  "please quote asap",
  "Hedges and lawn please",
  "regular mowing wanted",
];

/** A competitor who floods one suburb by hand, from their own browser at home. */
function manualFlood(suburbs: readonly Suburb[]): CorpusRequest[] {
  const suburb = suburbs[23]!;
  const network = newHome(random);
  const userAgent = newBrowser(random);
  return times(20, (i) =>
    fakeRequest(
      "a competitor floods a suburb by hand",
      5 * DAY + 19 * HOUR + i * 9 * MINUTE,
      {
        quote: shortQuote(
          random,
          newPerson(random, suburb),
          random.pick(PLAIN_REQUEST_TEXTS) ?? "Mowing please",
        ),
      },
      { network, userAgent },
    ),
  );
}

/** A flood through the suburb's own page, from a phone that changes its network each time. */
function floodOverNetworks(suburbs: readonly Suburb[]): CorpusRequest[] {
  const suburb = suburbs[31]!;
  let at = 9 * DAY + 13 * HOUR;
  return times(24, () => {
    at += random.between(2, 11) * MINUTE;
    const booking = bookingOf(random, newPerson(random, suburb), suburb, random.pick(PLAIN_REQUEST_TEXTS));
    return fakeRequest(
      "a competitor floods a suburb over many networks",
      at,
      { booking },
      { isHeldBack: true },
    );
  });
}

const PRANKS: readonly [string, string, string][] = [
  ["Homer Simpson", "742 Evergreen Terrace", "doh my lawn is full of donuts"],
  ["Mickey Mouse", "1 Disneyland Ave", "aaaaaaaaaa"],
  ["asdf asdf", "asdfgh street", "asdfasdfasdf asdf"],
  ["Your Mum", "ur mums house", "your mum needs her bush trimmed"],
  ["Hugh Jass", "69 Fake Street", "cut my grass into the shape of a penis"],
  ["Shrek", "The Swamp 1", "GET OUT OF MY SWAMP"],
  ["test test", "test street 1", "test test test test"],
  ["Batman", "Wayne Manor 1", "hjkl hjkl hjkl zxcv"],
  ["qwerty uiop", "12 qwerty road", "lawn"],
  ["Seymour Butts", "12 Nowhere Street", "mow my lawn with scissors please lol"],
];
const HELD_BACK_PRANKS: readonly [string, string, string][] = [
  ["Optimus Prime", "1 Cybertron Way", "autobots roll out and mow"],
  ["gggggggggg", "gggg 4", "gggggg gggg ggg"],
  ["Wheres Wally", "9 Hidden Lane", "you cannot find my lawn"],
  ["lkjhlkjh", "lkjh 33", "lkj lkjh lkj"],
  ["Lord Voldemort", "4 Hogwarts Lane", "avada kedavra all the weeds"],
  ["Mrs Smelly", "school office 1", "she smells like old grass"],
  ["dfsgfdgs fdsg", "fdgsdfg 2", "dfgsdfg sdfgdsf"],
  ["Bluey Heeler", "1 Bluey House", "for real life"],
  ["Ima Loser", "12 Loser Lane", "cut my hair instead lol"],
  ["Not A Robot", "01 Binary Street", "beep boop beep boop"],
];
const SILLY_PHONES = ["0400 000 000", "0412 345 678", "0411 111 111", "0499 999 999"];

/** Bored teenagers at home and at school. Some invent a phone number, some use a stranger's. */
function pranks(suburbs: readonly Suburb[]): CorpusRequest[] {
  const school = newHome(random);
  return [PRANKS, HELD_BACK_PRANKS].flatMap((list, part) =>
    list.map(([name, house, text], i) => {
      const suburb = random.pick(suburbs);
      const phone = i % 3 === 0 ? newMobile(random) : random.pick(SILLY_PHONES);
      const person = { name, phone, email: "lol@example.com", house: `${house}, ${suburb.name}` };
      return fakeRequest(
        "bored teenagers",
        (4 + (i % 9)) * DAY + 15 * HOUR + (i + 10 * part) * 5 * MINUTE,
        { quote: i % 2 ? shortQuote(random, person, text) : longQuote(random, person, text) },
        {
          isHeldBack: part === 1,
          tookMs: random.between(8, 60) * 1000,
          ...(i % 5 === 0 && { network: school }),
        },
      );
    }),
  );
}

const PAID_WORDS = [
  (name: string) =>
    `Hello sir, my house is having big garden and i need good worker for make it clean and cut all grass before my family visit. Regards ${name}`,
  (name: string) =>
    `I want professional lawn mowing service with low price and good quality for long term contract please contact me soon. ${name}`,
  (name: string) =>
    `We are new in this area and searching gardener who can come two times in month for trimming and cleaning. Thank you, ${name}`,
  () => null,
];

/** Workers abroad who are paid per request: real browsers, invented Australians. */
function clickFarm(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(25, (i) => {
    const address = `${random.pick([27, 36, 112, 180])}.${random.below(250)}.${random.below(250)}.${random.below(250)}`;
    const network = { address, country: random.pick(["PH", "IN", "BD", "VN", "NG"]), owner: "Local Telecom" };
    const person = personIn(suburbs);
    const quote = longQuote(random, person, random.pick(PAID_WORDS)(person.name));
    return fakeRequest(
      "a click farm over many networks",
      6 * DAY + i * 37 * MINUTE,
      { quote },
      {
        network,
        isHeldBack: true,
        tookMs: random.between(30, 200) * 1000,
        // Some imitate the language of a customer's browser.
        language: random.pick(["en-AU,en;q=0.9", "en-US,en;q=0.9", "en-IN", "bn-BD,bn;q=0.9", "vi-VN"]),
      },
    );
  });
}

/** A headless browser on residential proxies. It waits as long as a person would. */
function patientRobots(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(20, (i) => {
    const person = personIn(suburbs);
    const first = person.name.split(" ")[0]!;
    const text = `Hi, ${first} here. I would like a quote for my lawn and garden in the next ${random.between(2, 9)} days, please call me on my mobile to organise a time that suits.`;
    return fakeRequest(
      "robots behind home connections",
      7 * DAY + i * 65 * MINUTE,
      { quote: longQuote(random, person, text) },
      { tookMs: 31_000 + random.below(2_000) },
    );
  });
}

/** Sends the same signed start token with every request. */
function sharedStartToken(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(15, (i) =>
    fakeRequest(
      "one signed start for all",
      10 * DAY + i * 12 * MINUTE,
      { quote: shortQuote(random, personIn(suburbs), random.pick(PLAIN_REQUEST_TEXTS) ?? "Mowing please") },
      { sharedStart: "stolen", tookMs: 60_000 + i * 12 * MINUTE },
    ),
  );
}

/** Consecutive phone numbers, so that each is valid and unused. */
function numbersInARow(suburbs: readonly Suburb[]): CorpusRequest[] {
  const head = `0438 ${random.digits(3)} `;
  let last = 200;
  return times(15, (i) => {
    last += random.between(1, 9);
    const person = { ...personIn(suburbs), phone: `${head}${last}` };
    return fakeRequest(
      "numbers in a row",
      12 * DAY + i * 2 * HOUR,
      { quote: longQuote(random, person, null) },
      { isHeldBack: true },
    );
  });
}

/** Random answers that the API accepts, chosen without using the forms. */
function randomAnswers(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(10, (i) => {
    const drawn: Partial<LeadRequestInput> = {
      serviceType: random.pick([
        ["lawn_care", "green_waste_removal"],
        ["pressure_washing"],
        ["yard_cleanup"],
      ]),
      propertyType: random.pick(["commercial", "strata"]),
      frequency: random.pick(["weekly", "seasonal"]),
      grassType: random.pick(["zoysia", null]),
    };
    return fakeRequest(
      "answers drawn from the API's lists",
      13 * DAY + i * 95 * MINUTE,
      { quote: { ...longQuote(random, personIn(suburbs), null), ...drawn } },
      { isHeldBack: i % 2 === 0, tookMs: random.between(4, 20) * 1000 },
    );
  });
}

const HUMAN_WORDS = [
  "The back lawn has not been cut since we moved in, can someone look at it this week?",
  "Could you include the verge? The council has stopped doing ours.",
  "Two small patches and one hedge, should not take long.",
  "We would like the same person each time if that is possible.",
  "The mower we borrowed has died halfway through the back yard.",
  "There is a trampoline in the middle, it can be tipped on its side.",
];

/** Careful fraudsters with time, a phone that changes networks, and experience of what customers write. */
function carefulFraudsters(suburbs: readonly Suburb[]): CorpusRequest[] {
  return HUMAN_WORDS.map((text, i) => {
    const suburb = random.pick(suburbs);
    const person = { ...newPerson(random, suburb), house: newHouse(random, suburb) };
    return fakeRequest(
      "careful forgers",
      (1 + i * 3.1) * DAY + 18 * HOUR,
      { quote: longQuote(random, person, text) },
      { isHeldBack: i % 2 === 0, tookMs: random.between(90, 300) * 1000 },
    );
  });
}

/** Returns two hundred fake requests, in eleven campaigns. */
export function fakeRequests(suburbs: readonly Suburb[]): CorpusRequest[] {
  return [
    ...scriptFromOneAddress(suburbs),
    ...pastedAdverts(suburbs),
    ...manualFlood(suburbs),
    ...floodOverNetworks(suburbs),
    ...pranks(suburbs),
    ...clickFarm(suburbs),
    ...patientRobots(suburbs),
    ...sharedStartToken(suburbs),
    ...numbersInARow(suburbs),
    ...randomAnswers(suburbs),
    ...carefulFraudsters(suburbs),
  ];
}
