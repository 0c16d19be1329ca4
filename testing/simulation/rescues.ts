/** The buyer of a lead does not call, so the request goes to those who lost it, and then to everyone else. */
import { RESCUE_PRICE_CENTS } from "../../contract/money.ts";
import { hashToken } from "../../worker/identity/auth/tokens.ts";
import type { Actors, SimulatedLead } from "./actors.ts";
import { erase, move, withdrawLead } from "./admin-acts.ts";
import { buy, buyDirect, open, settle, typeCard } from "./buying.ts";
import type { Person } from "./population.ts";
import { Random } from "./random.ts";

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
async function sell(cast: Actors, lead: SimulatedLead, random: Random): Promise<void> {
  const [first, ...others] = random.chance(0.5) ? cast.businesses : cast.businesses.toReversed();
  if (cast.has("direct_sales")) return buyDirect(cast, first!, lead);
  const opened = await open(cast, first!, lead, null, random);
  if (!opened) return;
  for (const other of others) await open(cast, other, lead, null, random);
  await typeCard(cast, first!, opened, "good", random);
  await settle(cast, first!, opened.holdId);
}

/** Lets the time to call run out, as if the customer had responded and hours had passed. */
async function runOutClock(cast: Actors, { id }: SoldPurchase, isConfirmed: boolean): Promise<void> {
  const { world } = cast;
  const { now } = world.scheduler;
  if (cast.clocksRunOut.has(id)) return;
  cast.clocksRunOut.set(id, { isConfirmed });
  const clock = isConfirmed
    ? { state: "running", answer: "called", answeredAt: now }
    : { state: "last_call", answer: "not_yet", answeredAt: now, lastCallEndsAt: now };
  world.story.logStep(() => `the clock of ${id} runs out, ${isConfirmed ? "after" : "without"} a call`);
  world.d1.statements.rows(
    `UPDATE lead_purchases SET call_clock = ?, clock_due_at = ?, clock_ends_at = ?,
       last_contact_at = CASE WHEN ? THEN ? END, updated_at = updated_at + 1
     WHERE id = ? AND coalesce(call_clock ->> 'state', '') <> 'rescued'`,
    [JSON.stringify(clock), now, now, Number(isConfirmed), now, id],
  );
  await world.sweep();
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

/** The customer withdraws the request by its link. */
async function withdrawByLink(cast: Actors, { id }: SimulatedLead): Promise<void> {
  const { world } = cast;
  const token = `link-${id}`;
  world.d1.statements.rows(
    "INSERT OR IGNORE INTO request_links (token_hash, lead_id, created_at) SELECT ?, id, ? FROM leads WHERE id = ? AND erased_at IS NULL",
    [hashToken(token), world.scheduler.now, id],
  );
  const reply = await world.call("the customer", "POST", "/api/requests/withdraw", { body: { token } });
  if (reply && /"(?:withdrawn|called_off)"/.test(reply.body)) cast.withdrawnByCustomer.add(id);
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
  const isConfirmed = random.chance(0.15);
  const withdrawEarly = async () => {
    if (!random.chance(0.25)) return;
    await world.wait(random.between(0, 400));
    await withdrawByLink(cast, lead);
  };
  await Promise.all([withdrawEarly(), runOutClock(cast, purchase, isConfirmed)]);
  const rescued = await findRescue(cast, lead);
  if (!rescued) return;
  world.story.name(rescued.id, `rescue of lead ${"ABCDEF"[lead.n]}`);
  cast.recordFeature("rescues", true);
  const interfere = async () => {
    await world.wait(random.between(0, 12) * MINUTE_MS);
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
