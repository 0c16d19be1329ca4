/** The buyer of a lead does not call, so the request goes to those who lost it, and then to everyone else. */
import type { CallAnswer } from "../../contract/call-clock.ts";
import { RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { hashToken } from "../../worker/identity/auth/rules.ts";
import type { Actors, SimulatedLead } from "./actors.ts";
import { erase, move, withdrawLead } from "./admin-acts.ts";
import { buy, buyDirect, open, settle, typeCard } from "./buying.ts";
import { CHANGED_FREQUENCY, customerOf, type Person } from "./population.ts";
import { Random } from "./random.ts";
import { Violation } from "./violation.ts";
import type { Reply } from "./world.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Attempts to find the rescued lead. The sweep makes it within a minute if no fault delays it. */
const MAX_POLLS = 90;

type SoldPurchase = { id: string; buyerId: string };

function findPurchase({ world }: Actors, leadId: string): SoldPurchase | null {
  const [row] = world.d1.statements.rows(
    `SELECT id, buyer_id AS buyerId FROM lead_purchases
     WHERE lead_id = ? AND removed_at IS NULL AND clock_ends_at IS NOT NULL`,
    [leadId],
  ) as SoldPurchase[];
  return row ?? null;
}

/** Sells a lead to one business, while the others lose it. */
export async function sell(cast: Actors, lead: SimulatedLead, random: Random): Promise<void> {
  const [first, ...others] = random.chance(0.5) ? cast.businesses : cast.businesses.toReversed();
  if (cast.has("direct_sales")) return buyDirect(cast, first!, lead);
  const opened = await open(cast, first!, lead, null, random);
  if (!opened) return;
  for (const other of others) await open(cast, other, lead, null, random);
  await typeCard(cast, first!, opened, "good", random);
  await settle(cast, first!, opened.holdId);
}

/** Lets hours pass for a call clock, so that its next step is due. */
async function letTimePass({ world }: Actors, { id }: SoldPurchase): Promise<void> {
  const { now } = world.scheduler;
  world.story.logStep(() => `hours pass for the clock of ${id}`);
  world.d1.statements.rows(
    `UPDATE lead_purchases SET clock_ends_at = min(clock_ends_at, ?1), updated_at = updated_at + 1,
       clock_due_at = min(clock_due_at, ?1),
       call_clock = CASE WHEN call_clock ->> 'lastCallEndsAt' > ?1
         THEN json_set(call_clock, '$.lastCallEndsAt', ?1) ELSE call_clock END
     WHERE id = ?2 AND coalesce(call_clock ->> 'state', '') <> 'rescued'`,
    [now, id],
  );
  await world.sweep();
}

/** Makes a call with the customer's link to a request. @param path such as "requests/withdraw" */
export async function callByLink(
  { world }: Actors,
  { id }: SimulatedLead,
  path: string,
  body: object,
): Promise<Reply> {
  const token = `link-${id}`;
  world.d1.statements.rows(
    "INSERT OR IGNORE INTO request_links (token_hash, lead_id, created_at) SELECT ?, id, ? FROM leads WHERE id = ? AND erased_at IS NULL",
    [hashToken(token), world.scheduler.now, id],
  );
  const reply = await world.call("the customer", "POST", `/api/${path}`, {
    body: { token, ...body },
  });
  if (reply?.status === 400)
    world.fail(new Violation(`Rescues: the customer's call of ${path} is not valid`));
  return reply;
}

/** Records the purchases whose call both sides confirm, before any rescue. */
function recordConfirmedCalls({ world, confirmedCalls }: Actors): void {
  const rows = world.d1.statements.rows(
    `SELECT id FROM lead_purchases WHERE last_contact_at IS NOT NULL
       AND call_clock ->> 'answer' = 'called' AND call_clock ->> 'state' <> 'rescued'`,
    [],
  ) as { id: string }[];
  for (const { id } of rows) confirmedCalls.add(id);
}

/** The customer responds to "Did they call?". */
export async function answerCall(cast: Actors, lead: SimulatedLead, answer: CallAnswer): Promise<void> {
  await callByLink(cast, lead, "requests/call-answer", { answer });
  recordConfirmedCalls(cast);
}

/** The buyer logs a call to the customer. */
async function logCall(cast: Actors, { id, buyerId }: SoldPurchase): Promise<void> {
  const buyer = cast.businesses.find(({ businessId }) => businessId === buyerId);
  if (!buyer) return;
  const body = { outcome: "called", entryKey: `one-call-${id}`.replaceAll("_", "-") };
  await cast.call(buyer, "POST", `/api/lead-purchases/${id}/contacts`, { body });
  recordConfirmedCalls(cast);
}

/** A job that differs from every request of the population. */
const CHANGED_JOB = {
  serviceType: ["lawn_mowing"],
  propertyType: "residential",
  propertySize: "medium",
  urgency: "flexible",
  frequency: CHANGED_FREQUENCY,
  preferredTime: "anytime",
  additionalServices: [],
};

/** The customer changes the job, their name and their house number by the link. */
async function changeJob(cast: Actors, lead: SimulatedLead): Promise<void> {
  const { surname, street } = customerOf(lead.n);
  const reply = await callByLink(cast, lead, "requests/change", {
    ...CHANGED_JOB,
    customerName: `Ann ${surname}`,
    customerAddress: `14 ${street} Street, Leichhardt NSW 2040`,
  });
  if (reply?.body.includes('"changed"')) cast.changedByCustomer.add(lead.id);
}

/** The customer withdraws the request by its link. */
export async function withdrawByLink(cast: Actors, lead: SimulatedLead): Promise<void> {
  const reply = await callByLink(cast, lead, "requests/withdraw", {});
  if (reply && /"(?:withdrawn|called_off)"/.test(reply.body)) cast.withdrawnByCustomer.add(lead.id);
}

/**
 * The clock runs out, while the customer and the buyer say whether there was a call. Most customers end with "not yet".
 * Some change or withdraw the request at the moment of the rescue.
 */
async function runOutClock(
  cast: Actors,
  lead: SimulatedLead,
  purchase: SoldPurchase,
  random: Random,
): Promise<void> {
  const answer = (share: number) => answerCall(cast, lead, random.chance(share) ? "called" : "not_yet");
  const soon = async (chance: number, maxMs: number, act: () => Promise<void>) => {
    if (!random.chance(chance)) return;
    await cast.world.wait(random.between(0, maxMs));
    await act();
  };
  await Promise.all([
    soon(0.7, 2_000, () => answer(0.4)),
    soon(0.4, 2_000, () => logCall(cast, purchase)),
    soon(0.8, 2_000, () => letTimePass(cast, purchase)),
  ]);
  await answer(0.1);
  await soon(0.1, 400, () => logCall(cast, purchase));
  // The clock ends, the last 30 minutes end, and the customer may be asked again.
  for (let i = 0; i < 2; i++) {
    await letTimePass(cast, purchase);
    await soon(0.6, 100, () => answer(0.1));
  }
  await Promise.all([
    letTimePass(cast, purchase),
    soon(0.25, 400, () => withdrawByLink(cast, lead)),
    soon(0.5, 80, () => changeJob(cast, lead)),
  ]);
}

/** Returns the lead that was rescued from another, once its exchange has listed it. */
async function findRescue(cast: Actors, { id, n }: SimulatedLead): Promise<SimulatedLead | null> {
  const { world } = cast;
  for (let i = 0; i < MAX_POLLS && !world.faults.areFaultsStopped; i++) {
    const [row] = world.d1.statements.rows("SELECT id FROM leads WHERE rescued_from_id = ?", [id]) as {
      id: string;
    }[];
    if (row) return { id: row.id, n, priceCents: RESCUE_PRICE_CENTS };
    await world.wait(SECOND_MS);
  }
  return null;
}

/** A business wants the rescued lead: at once, as an offer ends, or whenever. */
async function wantRescue(cast: Actors, person: Person, lead: SimulatedLead, random: Random): Promise<void> {
  const delay = random.chance(0.4)
    ? random.between(0, 20) * SECOND_MS
    : random.chance(0.5)
      ? random.pick([10, 10, 20]) * MINUTE_MS + random.between(-3, 3) * SECOND_MS
      : random.between(0, 32) * MINUTE_MS;
  await cast.world.wait(delay);
  await cast.call(person, "GET", "/api/leads/offers");
  if (cast.has("direct_sales")) await buyDirect(cast, person, lead);
  else await buy(cast, person, lead, null, random);
}

/** The buyer of a lead does not call, and the request is passed on. Then its customer or an admin may interfere. */
export async function missCall(cast: Actors, lead: SimulatedLead, random: Random): Promise<void> {
  const { world } = cast;
  if (!findPurchase(cast, lead.id)) await sell(cast, lead, random);
  const purchase = findPurchase(cast, lead.id);
  if (!purchase) return;
  await runOutClock(cast, lead, purchase, random);
  const rescued = await findRescue(cast, lead);
  if (!rescued) return;
  world.story.name(rescued.id, `rescue of lead ${"ABCDEF"[lead.n]}`);
  cast.recordFeature("rescues", true);
  const interfere = async () => {
    await world.wait(random.between(0, 12) * MINUTE_MS);
    if (random.chance(0.3)) await changeJob(cast, lead);
    if (random.chance(0.25)) await withdrawByLink(cast, lead);
    else if (cast.has("erasures") && random.chance(0.4)) await erase(cast, lead);
    else if (cast.has("moves") && random.chance(0.3)) await move(cast, rescued, random);
    else if (cast.has("withdrawals") && random.chance(0.3)) await withdrawLead(cast, rescued);
  };
  const wants = cast.businesses.map((person, i) =>
    wantRescue(cast, person, rescued, new Random(world.seed, `rescue ${lead.n} ${i} ${world.scheduler.now}`)),
  );
  await Promise.all([interfere(), ...wants]);
}
