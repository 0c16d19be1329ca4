/** The users' acts in a schedule with their times, derived from the seed before anything runs. */
import { MINUTE_MS } from "../../contract/durations.ts";
import {
  claimWithFreeClaim,
  deactivate,
  erase,
  assignLead,
  changeStripePayments,
  move,
  optOut,
  pause,
  removePurchase,
  withdrawLead,
} from "./admin-acts.ts";
import { BrowserWindow } from "./browsers.ts";
import { buy, buyDirect, payUnattached } from "./buying.ts";
import { finishJob, haveBadLead } from "./guarantee.ts";
import { buyWithSavedCard, exceedHoldLimit, reuseKey } from "./many-holds.ts";
import type { Actors, SimulatedLead } from "./actors.ts";
import type { Feature } from "./features.ts";
import { type Person, REGIONS, requestOf } from "./population.ts";
import { Random } from "./random.ts";
import { missCall } from "./rescues.ts";
import { loseStorage } from "./storage-loss.ts";

const SECOND_MS = 1_000;

/** One act by a user. */
type Action = { at: number; name: string; run: () => Promise<void> };

/** A kind of act: its relative frequency and its feature. */
type ActionKind = {
  feature: Feature | null;
  weight: number;
  make: (of: ActionInput) => { name: string; run: () => Promise<void> };
};

type ActionInput = {
  cast: Actors;
  windows: BrowserWindow[];
  random: Random;
  lead: SimulatedLead;
  person: Person;
  key: string | null;
  at: number;
};

const KINDS: readonly ActionKind[] = [
  {
    feature: null,
    weight: 10,
    make: ({ cast, person, lead, key, random }) => ({
      name: `${person.name} buys ${lead.id}`,
      run: () =>
        cast.has("direct_sales") ? buyDirect(cast, person, lead) : buy(cast, person, lead, key, random),
    }),
  },
  {
    feature: "giving",
    weight: 1.5,
    make: ({ cast, lead, person, random }) => ({
      name: `an admin gives ${lead.id}`,
      run: () => assignLead(cast, lead, random.chance(0.5) ? cast.admin : person),
    }),
  },
  {
    feature: "free_claims",
    weight: 2,
    make: ({ cast, lead }) => ({
      name: `a free claim is spent on ${lead.id}`,
      run: () => claimWithFreeClaim(cast, lead, cast.businesses[0]!),
    }),
  },
  {
    feature: "withdrawals",
    weight: 1,
    make: ({ cast, lead }) => ({
      name: `an admin withdraws ${lead.id}`,
      run: () => withdrawLead(cast, lead),
    }),
  },
  {
    feature: "moves",
    weight: 2,
    make: ({ cast, lead, random }) => ({
      name: `an admin moves ${lead.id}`,
      run: () => move(cast, lead, random),
    }),
  },
  {
    feature: "deactivations",
    weight: 1.5,
    make: ({ cast, person, random }) => ({
      name: `${person.name} is deactivated`,
      run: () => deactivate(cast, person, random),
    }),
  },
  {
    feature: "removals",
    weight: 2,
    make: ({ cast, lead }) => ({
      name: `the purchase of ${lead.id} is taken away`,
      run: () => removePurchase(cast, lead),
    }),
  },
  {
    feature: "rescues",
    weight: 6,
    make: ({ cast, lead, random }) => ({
      name: `the buyer of ${lead.id} does not call`,
      run: () => missCall(cast, lead, random),
    }),
  },
  {
    feature: "guarantee",
    weight: 8,
    make: ({ cast, lead, random }) => ({
      name: `${lead.id} is bad`,
      run: () => haveBadLead(cast, lead, random),
    }),
  },
  {
    feature: "reviews",
    weight: 6,
    make: ({ cast, lead, random }) => ({
      name: `the job of ${lead.id} is done`,
      run: () => finishJob(cast, lead, random),
    }),
  },
  {
    feature: "pauses",
    weight: 1,
    make: ({ cast, random }) => ({ name: "a region is paused", run: () => pause(cast, random) }),
  },
  {
    feature: "erasures",
    weight: 1.5,
    make: ({ cast, lead, random }) => ({
      name: `the customer of ${lead.id} is erased`,
      run: async () => {
        const moving = cast.has("moves") && random.chance(0.6) ? move(cast, lead, random) : null;
        if (moving) await cast.world.wait(random.between(0, 300));
        await Promise.all([moving, erase(cast, lead)]);
      },
    }),
  },
  {
    feature: "opt_outs",
    weight: 3,
    make: ({ cast, lead }) => ({
      name: `the customer of ${lead.id} opts out`,
      run: () => optOut(cast, lead),
    }),
  },
  {
    feature: "refunds_by_hand",
    weight: 2,
    make: ({ cast, random }) => ({
      name: "an operator pays back",
      run: () => changeStripePayments(cast, random),
    }),
  },
  {
    feature: "disputes",
    weight: 2,
    make: ({ cast, random }) => ({ name: "a buyer disputes", run: () => changeStripePayments(cast, random) }),
  },
  {
    feature: "kept_cards",
    weight: 4,
    make: ({ cast, person, random }) => ({
      name: `${person.name} buys and keeps the card`,
      run: () =>
        buyWithSavedCard(cast, person, random.chance(0.5) ? cast.leads : cast.leads.toReversed(), random),
    }),
  },
  {
    feature: "kept_cards",
    weight: 2,
    make: ({ cast, person, random }) => ({
      name: `${person.name} pays from another tab`,
      run: () => payUnattached(cast, person, random),
    }),
  },
  {
    feature: "many_holds",
    weight: 5,
    make: ({ cast, person, random }) => ({
      name: `${person.name} wants several leads`,
      run: () => random.pick([exceedHoldLimit, reuseKey])(cast, person, random),
    }),
  },
  {
    feature: "missing_payments",
    weight: 0.7,
    make: ({ cast }) => ({
      name: "the keys are switched",
      run: async () => cast.recordFeature("missing_payments", cast.world.stripe.deletePayments() > 0),
    }),
  },
  {
    feature: "d1_away",
    weight: 1,
    make: ({ cast, random }) => ({
      name: "D1 is away",
      run: async () => cast.world.faults.makeD1Unavailable(random.between(5, 240) * SECOND_MS),
    }),
  },
  {
    feature: "crashes",
    weight: 2,
    make: ({ cast, random }) => ({
      name: "an exchange is evicted",
      run: async () => cast.recordFeature("crashes", cast.world.exchanges.host(random.pick(REGIONS)).evict()),
    }),
  },
  {
    feature: "lost_storage",
    weight: 2,
    make: ({ cast, random }) => ({
      name: "an exchange loses its storage",
      run: () => loseStorage(cast, random.chance(0.7) ? REGIONS[0] : REGIONS[1]),
    }),
  },
  {
    feature: "windows",
    weight: 2,
    make: ({ cast, windows, person, random }) => ({
      name: `${person.name} opens a window`,
      run: () => openWindow(cast, windows, person, random),
    }),
  },
  {
    feature: "windows",
    weight: 3,
    make: ({ windows, random }) => ({
      name: "a network is cut",
      run: async () => void (windows.length && random.pick(windows).dropNetwork()),
    }),
  },
  {
    feature: "sign_outs",
    weight: 1,
    make: ({ cast, random }) => ({ name: "a user leaves", run: () => leaveTeam(cast, random) }),
  },
];

async function openWindow(
  cast: Actors,
  windows: BrowserWindow[],
  person: Person,
  random: Random,
): Promise<void> {
  const window = new BrowserWindow(cast, person, random.pick(REGIONS), random);
  windows.push(window);
  await window.connect();
}

/** Signs the team member out, or removes them from the team. */
async function leaveTeam(cast: Actors, random: Random): Promise<void> {
  const { teamMember, businesses } = cast;
  const reply = random.chance(0.5)
    ? await cast.call(teamMember, "POST", "/api/auth/logout", { body: {} })
    : await cast.call(businesses[0]!, "DELETE", `/api/team-members/${teamMember.userId}`);
  cast.recordFeature("sign_outs", reply !== null && reply.status < 300);
}

/** Returns the time of an act: many are simultaneous, and some are close to the end of a hold. */
function pickTime(random: Random): number {
  if (random.chance(0.35)) return random.between(0, 3) * SECOND_MS;
  if (random.chance(0.4)) return random.between(0, 2) * MINUTE_MS;
  if (random.chance(0.5)) return 5 * MINUTE_MS + random.between(-5, 60) * SECOND_MS;
  return random.between(0, 16) * MINUTE_MS;
}

function pickClaimKey(cast: Actors, person: Person, lead: SimulatedLead, random: Random): string | null {
  if (random.chance(0.4)) return null;
  if (cast.has("many_holds") && random.chance(0.3)) return `key-${person.name}`;
  return `key-${person.name}-${lead.n}-${random.int(1, 2)}`;
}

/** Sends the quote form as a visitor. */
function sendQuote(cast: Actors, random: Random): Action {
  return {
    at: pickTime(random),
    name: "a visitor asks for a quote",
    run: async () => {
      const body = {
        ...QUOTE,
        ...requestOf(5),
        customerAddress: "7 Possum Street, Harris Park NSW 2150",
        suburbId: "sub_harris-park",
      };
      await cast.world.call("a visitor", "POST", "/api/leads", { body });
    },
  };
}

const QUOTE = {
  serviceType: ["lawn_mowing"],
  propertyType: "residential",
  propertySize: "medium",
  urgency: "flexible",
  frequency: "weekly",
  budgetConcern: "not_important",
  previousExperience: "first_time",
  preferredTime: "anytime",
  hasSlopes: false,
  hasPets: false,
  additionalServices: [],
};

/**
 * Returns the acts of a schedule, earliest first.
 *
 * @param only the numbers of the acts to include; all by default
 */
export function makePlan(
  seed: number,
  cast: Actors,
  windows: BrowserWindow[],
  only?: ReadonlySet<number>,
): Action[] {
  const random = new Random(seed, "plan");
  const kinds = KINDS.map((kind, n) => ({ ...kind, n })).filter(
    ({ feature }) => feature === null || cast.has(feature),
  );
  const acts: Action[] = [];
  const add = (number: number, action: Action) => {
    if (!only || only.has(number)) acts.push(action);
  };
  const count = random.int(3, 8);
  let number = 0;
  const favourite = random.pick(cast.leads);
  for (let i = 0; i < count; i++) {
    // Each kind has its own random number, so that omitting one does not change the acts of the others.
    const ranks = kinds.map(({ n, weight }) => new Random(seed, `kind ${n} ${i}`).next() ** (1 / weight));
    const kind = kinds[ranks.indexOf(Math.max(...ranks))]!;
    const at = pickTime(random);
    const lead = random.chance(0.6) ? favourite : random.pick(cast.leads);
    const person = random.pick(cast.businesses);
    const input = {
      cast,
      windows,
      random: new Random(seed, `act ${i}`),
      lead,
      person,
      key: pickClaimKey(cast, person, lead, random),
      at,
    };
    add(number++, { at, ...kind.make(input) });
    if (kind.feature !== null || cast.has("direct_sales")) continue;
    // The same press again, or another tab.
    if (cast.has("double_clicks") && input.key && random.chance(0.25))
      add(number++, {
        at: at + random.between(0, 400),
        ...kind.make({ ...input, random: new Random(seed, `twice ${i}`) }),
      });
    if (cast.has("double_clicks") && random.chance(0.25))
      add(number++, {
        at: at + random.between(0, 20_000),
        ...kind.make({ ...input, key: null, random: new Random(seed, `tab ${i}`) }),
      });
  }
  if (random.chance(0.15)) add(number++, sendQuote(cast, random));
  return acts.toSorted((a, b) => a.at - b.at);
}
