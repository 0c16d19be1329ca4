/** A bought lead is bad, so a rule gives its buyer a free claim. A good one ends with a review. */
import { NO_ANSWER, NO_ANSWER_MS } from "../../contract/guarantee.ts";
import type { SalesStage } from "../../contract/stages.ts";
import type { Actors, SimulatedLead } from "./actors.ts";
import { claimWithFreeClaim } from "./admin-acts.ts";
import type { Person } from "./population.ts";
import type { Random } from "./random.ts";
import { answerCall, callByLink, sell, withdrawByLink } from "./rescues.ts";

type Bought = { id: string; lead: SimulatedLead; buyer: Person };

/** Returns the purchase of a lead. Sells the lead first if no business has it. */
async function findBought(cast: Actors, lead: SimulatedLead, random: Random): Promise<Bought | null> {
  const find = () =>
    cast.world.d1.statements.rows(
      "SELECT id, buyer_id AS buyerId FROM lead_purchases WHERE lead_id = ? AND removed_at IS NULL",
      [lead.id],
    ) as { id: string; buyerId: string }[];
  if (find().length === 0) await sell(cast, lead, random);
  const [row] = find();
  const buyer = cast.businesses.find(({ businessId }) => businessId === row?.buyerId);
  return row && buyer ? { id: row.id, lead, buyer } : null;
}

async function setStage(cast: Actors, { id, buyer }: Bought, salesStage: SalesStage): Promise<void> {
  await cast.call(buyer, "PATCH", `/api/lead-purchases/${id}/sales-stage`, { body: { salesStage } });
}

/** Lets days pass for a purchase, so that the sweep decides its case and asks for its review. */
async function letDaysPass({ world }: Actors, { id }: Bought): Promise<void> {
  const { now } = world.scheduler;
  world.story.logStep(() => `days pass for ${id}`);
  for (const [table, key, column] of [
    ["guarantee_cases", "purchase_id", "due_at"],
    ["lead_purchases", "id", "review_due_at"],
  ])
    world.d1.statements.rows(`UPDATE ${table} SET ${column} = min(${column}, ?) WHERE ${key} = ?`, [now, id]);
  await world.sweep();
}

/** The buyer logs calls without an answer. All but the last were two days ago. */
async function callInVain(cast: Actors, { id, buyer }: Bought): Promise<void> {
  for (let n = 1; n <= NO_ANSWER.calls; n++) {
    if (n === NO_ANSWER.calls)
      cast.world.d1.statements.rows(
        "UPDATE contact_log SET logged_at = logged_at - ? WHERE purchase_id = ?",
        [NO_ANSWER_MS, id],
      );
    const body = { outcome: "no_answer", entryKey: `call-${n}-${id}`.replaceAll("_", "-") };
    await cast.call(buyer, "POST", `/api/lead-purchases/${id}/contacts`, { body });
  }
}

/** A lead is bad by one of the rules. Its buyer quotes the job all the same, or claims another lead for free. */
export async function haveBadLead(cast: Actors, lead: SimulatedLead, random: Random): Promise<void> {
  const { world } = cast;
  const bought = await findBought(cast, lead, random);
  if (!bought) return;
  const say = (answer: string) => callByLink(cast, lead, "requests/guarantee", { answer });
  const maybe = async (chance: number, act: () => Promise<unknown>) => {
    if (!random.chance(chance)) return;
    await world.wait(random.between(0, 400));
    await act();
  };
  await random.pick([
    () => say("wrong_number"),
    () => answerCall(cast, lead, "never_asked"),
    () => withdrawByLink(cast, lead),
    () => callInVain(cast, bought),
  ])();
  const quote = () => setStage(cast, bought, "quote_sent");
  await Promise.all([
    letDaysPass(cast, bought),
    maybe(0.2, () => say(random.pick(["missed", "not_missed"]))),
    maybe(0.2, quote),
  ]);
  await letDaysPass(cast, bought);
  const [found] = world.d1.statements.rows(
    "SELECT 1 FROM guarantee_cases WHERE purchase_id = ? AND state = 'granted'",
    [bought.id],
  );
  cast.recordFeature("guarantee", found !== undefined);
  await Promise.all([
    maybe(0.7, () => claimWithFreeClaim(cast, random.pick(cast.leads), bought.buyer)),
    maybe(0.4, quote),
    maybe(0.2, () => answerCall(cast, lead, "called")),
    maybe(0.5, () => letDaysPass(cast, bought)),
  ]);
}

/** The job is complete, so the customer is asked for a review and sends it twice. */
export async function finishJob(cast: Actors, lead: SimulatedLead, random: Random): Promise<void> {
  const bought = await findBought(cast, lead, random);
  if (!bought) return;
  if (random.chance(0.7)) await setStage(cast, bought, "job_complete");
  await letDaysPass(cast, bought);
  const write = () => callByLink(cast, lead, "reviews", { stars: random.int(1, 5), words: "Neat edges." });
  for (const reply of await Promise.all([write(), write()]))
    cast.recordFeature("reviews", reply?.body.includes('"written"') ?? false);
}
