/** A provider acts on several leads concurrently: exceeds the hold limit, reuses claim keys, pays with a saved card. */
import {
  saveCard,
  findSavedCard,
  open,
  payUnattached,
  payWithSavedCard,
  settle,
  typeCard,
} from "./buying.ts";
import type { Actors, SimulatedLead } from "./actors.ts";
import type { Person } from "./population.ts";
import type { Random } from "./random.ts";

/** Takes a hold on one lead after another. The exchange refuses the third. */
export async function exceedHoldLimit(cast: Actors, person: Person, random: Random): Promise<void> {
  for (const lead of cast.leads) {
    await open(cast, person, lead, null, random);
    await cast.world.wait(random.between(0, 1_000));
  }
}

/** Requests two leads under one claim key, from different regions if possible. */
export async function reuseKey(cast: Actors, person: Person, random: Random): Promise<void> {
  const key = `twice-${person.name}`;
  for (const lead of cast.leads.slice(0, 2)) {
    await open(cast, person, lead, key, random);
    await cast.world.wait(random.between(0, 30_000));
  }
}

/** Buys a lead, saves the card, and pays for the next lead with it. */
export async function buyWithSavedCard(
  cast: Actors,
  person: Person,
  [first, second]: SimulatedLead[],
  random: Random,
): Promise<void> {
  const opened = first && (await open(cast, person, first, null, random));
  if (!opened) return;
  await saveCard(cast, person, opened);
  await typeCard(cast, person, opened, "good", random);
  await settle(cast, person, opened.holdId);
  if (!second) return;
  if (random.chance(0.5)) {
    // Another tab pays while this one is still opening.
    const opening = open(cast, person, second, null, random);
    for (let i = 0; i < 4; i++) await payUnattached(cast, person, random);
    await opening;
    return;
  }
  const next = await open(cast, person, second, null, random);
  const card = next && (await findSavedCard(cast, person));
  if (card) await payWithSavedCard(cast, person, next.holdId, card);
}
