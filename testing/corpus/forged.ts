/** Two hundred fake requests. Each would cost a provider $50 for nothing. */
import type { LeadRequestInput } from "../../contract/leads.ts";
import {
  bookingOf,
  type CorpusRequest,
  DAY,
  dice,
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

const roll = dice(104729);

type Asked = Pick<CorpusRequest, "quote"> | Pick<CorpusRequest, "booking">;

/** Returns a fake request. By default it comes from a browser with script. */
function forged(group: string, atMs: number, asked: Asked, how: Partial<CorpusRequest> = {}): CorpusRequest {
  return {
    group,
    isForged: true,
    isHeldBack: false,
    atMs: Math.round(atMs),
    network: newHome(roll),
    userAgent: newBrowser(roll),
    language: newLanguage(roll),
    viaPage: false,
    tookMs: roll.between(20, 150) * 1000,
    ...asked,
    ...how,
  };
}

const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

const personIn = (suburbs: readonly Suburb[]) => newPerson(roll, roll.pick(suburbs));

/** The penetration test's method: a loop that calls the API from one IP address. */
function loopFromOneAddress(suburbs: readonly Suburb[]): CorpusRequest[] {
  const network = newHome(roll);
  return times(25, (i) =>
    forged(
      "a loop from one address",
      2 * DAY + i * 40_000,
      { quote: longQuote(roll, personIn(suburbs), null) },
      {
        network,
        tookMs: null,
        userAgent: i % 2 ? newBrowser(roll) : "python-requests/2.32.4",
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
      const address = `${103 + wording}.${roll.below(250)}.${roll.below(250)}.${roll.below(250)}`;
      const network = { address, country: roll.pick(["IN", "PK", "BD", "RU"]), owner: "Local Telecom" };
      const how = { network, viaPage: true, tookMs: null, isHeldBack: wording === 1 };
      const text = advert(somebody.name.split(" ")[0]!);
      const at = (3 + wording * 6) * DAY + i * 3 * HOUR;
      return forged("pasted advertisements", at, { quote: shortQuote(roll, somebody, text) }, how);
    }),
  );
}

const PLAIN_WISHES = [
  null,
  "Need lawns done",
  "Mow front and back",
  "please quote asap",
  "Hedges and lawn please",
  "regular mowing wanted",
];

/** A competitor who floods one suburb by hand, from their own browser at home. */
function floodByHand(suburbs: readonly Suburb[]): CorpusRequest[] {
  const suburb = suburbs[23]!;
  const network = newHome(roll);
  const userAgent = newBrowser(roll);
  return times(20, (i) =>
    forged(
      "a competitor floods a suburb by hand",
      5 * DAY + 19 * HOUR + i * 9 * MINUTE,
      { quote: shortQuote(roll, newPerson(roll, suburb), roll.pick(PLAIN_WISHES) ?? "Mowing please") },
      { network, userAgent },
    ),
  );
}

/** A flood through the suburb's own page, from a phone that changes its network each time. */
function floodOverNetworks(suburbs: readonly Suburb[]): CorpusRequest[] {
  const suburb = suburbs[31]!;
  let at = 9 * DAY + 13 * HOUR;
  return times(24, () => {
    at += roll.between(2, 11) * MINUTE;
    const booking = bookingOf(roll, newPerson(roll, suburb), suburb, roll.pick(PLAIN_WISHES));
    return forged("a competitor floods a suburb over many networks", at, { booking }, { isHeldBack: true });
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
  const school = newHome(roll);
  return [PRANKS, HELD_BACK_PRANKS].flatMap((list, part) =>
    list.map(([name, house, text], i) => {
      const suburb = roll.pick(suburbs);
      const phone = i % 3 === 0 ? newMobile(roll) : roll.pick(SILLY_PHONES);
      const person = { name, phone, email: "lol@example.com", house: `${house}, ${suburb.name}` };
      return forged(
        "bored teenagers",
        (4 + (i % 9)) * DAY + 15 * HOUR + (i + 10 * part) * 5 * MINUTE,
        { quote: i % 2 ? shortQuote(roll, person, text) : longQuote(roll, person, text) },
        {
          isHeldBack: part === 1,
          tookMs: roll.between(8, 60) * 1000,
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
    const address = `${roll.pick([27, 36, 112, 180])}.${roll.below(250)}.${roll.below(250)}.${roll.below(250)}`;
    const network = { address, country: roll.pick(["PH", "IN", "BD", "VN", "NG"]), owner: "Local Telecom" };
    const person = personIn(suburbs);
    const quote = longQuote(roll, person, roll.pick(PAID_WORDS)(person.name));
    return forged(
      "a click farm over many networks",
      6 * DAY + i * 37 * MINUTE,
      { quote },
      {
        network,
        isHeldBack: true,
        tookMs: roll.between(30, 200) * 1000,
        // Some imitate the language of a customer's browser.
        language: roll.pick(["en-AU,en;q=0.9", "en-US,en;q=0.9", "en-IN", "bn-BD,bn;q=0.9", "vi-VN"]),
      },
    );
  });
}

/** A headless browser on residential proxies. It waits as long as a person would. */
function patientRobots(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(20, (i) => {
    const person = personIn(suburbs);
    const first = person.name.split(" ")[0]!;
    const text = `Hi, ${first} here. I would like a quote for my lawn and garden in the next ${roll.between(2, 9)} days, please call me on my mobile to organise a time that suits.`;
    return forged(
      "robots behind home connections",
      7 * DAY + i * 65 * MINUTE,
      { quote: longQuote(roll, person, text) },
      { tookMs: 31_000 + roll.below(2_000) },
    );
  });
}

/** Sends the same signed start token with every request. */
function oneStartForAll(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(15, (i) =>
    forged(
      "one signed start for all",
      10 * DAY + i * 12 * MINUTE,
      { quote: shortQuote(roll, personIn(suburbs), roll.pick(PLAIN_WISHES) ?? "Mowing please") },
      { sharedStart: "stolen", tookMs: 60_000 + i * 12 * MINUTE },
    ),
  );
}

/** Consecutive phone numbers, so that each is valid and unused. */
function numbersInARow(suburbs: readonly Suburb[]): CorpusRequest[] {
  const head = `0438 ${roll.digits(3)} `;
  let last = 200;
  return times(15, (i) => {
    last += roll.between(1, 9);
    const person = { ...personIn(suburbs), phone: `${head}${last}` };
    return forged(
      "numbers in a row",
      12 * DAY + i * 2 * HOUR,
      { quote: longQuote(roll, person, null) },
      { isHeldBack: true },
    );
  });
}

/** Random answers that the API accepts, chosen without using the forms. */
function drawnAnswers(suburbs: readonly Suburb[]): CorpusRequest[] {
  return times(10, (i) => {
    const drawn: Partial<LeadRequestInput> = {
      serviceType: roll.pick([["lawn_care", "green_waste_removal"], ["pressure_washing"], ["yard_cleanup"]]),
      propertyType: roll.pick(["commercial", "strata"]),
      frequency: roll.pick(["weekly", "seasonal"]),
      grassType: roll.pick(["zoysia", null]),
    };
    return forged(
      "answers drawn from the API's lists",
      13 * DAY + i * 95 * MINUTE,
      { quote: { ...longQuote(roll, personIn(suburbs), null), ...drawn } },
      { isHeldBack: i % 2 === 0, tookMs: roll.between(4, 20) * 1000 },
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
function carefulForgers(suburbs: readonly Suburb[]): CorpusRequest[] {
  return HUMAN_WORDS.map((text, i) => {
    const suburb = roll.pick(suburbs);
    const person = { ...newPerson(roll, suburb), house: newHouse(roll, suburb) };
    return forged(
      "careful forgers",
      (1 + i * 3.1) * DAY + 18 * HOUR,
      { quote: longQuote(roll, person, text) },
      { isHeldBack: i % 2 === 0, tookMs: roll.between(90, 300) * 1000 },
    );
  });
}

/** Returns two hundred fake requests, in eleven campaigns. */
export function forgedRequests(suburbs: readonly Suburb[]): CorpusRequest[] {
  return [
    ...loopFromOneAddress(suburbs),
    ...pastedAdverts(suburbs),
    ...floodByHand(suburbs),
    ...floodOverNetworks(suburbs),
    ...pranks(suburbs),
    ...clickFarm(suburbs),
    ...patientRobots(suburbs),
    ...oneStartForAll(suburbs),
    ...numbersInARow(suburbs),
    ...drawnAnswers(suburbs),
    ...carefulForgers(suburbs),
  ];
}
