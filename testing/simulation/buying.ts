/** Simulates a purchase from the Buy button to the payment, including everything buyers do in between. */
import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import { SAVE_CARD_CONSENT } from "../../contract/payments.ts";
import type { Actors, SimulatedLead } from "./actors.ts";
import type { Person } from "./population.ts";
import type { Random } from "./random.ts";
import type { Reply } from "./world.ts";

const SECOND_MS = 1_000;
const HOLD_MS = 5 * 60 * SECOND_MS;

const CARDS = {
  good: "4242424242424242",
  declined: "4000000000000002",
  asks: "4000002760003184",
  slow: "4000000000000259",
};
type CardKind = keyof typeof CARDS;

type OpenedPayment = { clientSecret: string; holdId: string; holdExpiresAt: number };

/** Sends a request. Retries after a server error or without a response, as the application does. */
async function callWithRetries(cast: Actors, sendCall: () => Promise<Reply>, maxRetries = 3): Promise<Reply> {
  for (let i = 1; ; i++) {
    const reply = await sendCall();
    if ((reply && reply.status < 500) || i >= maxRetries) return reply;
    await cast.world.wait(800 * i);
  }
}

/** Returns how long a user takes for a step: usually seconds, sometimes until the hold is about to expire. */
function pickDelayMs(random: Random): number {
  if (random.chance(0.7)) return random.between(0.2, 20) * SECOND_MS;
  if (random.chance(0.5)) return HOLD_MS + random.between(-8, 8) * SECOND_MS;
  return random.between(0.3, 7) * 60 * SECOND_MS;
}

/** The buyer's browser sends the card to Stripe, as Stripe.js does. */
export async function typeCard(
  cast: Actors,
  person: Person,
  opened: OpenedPayment,
  card: CardKind,
  random: Random,
): Promise<void> {
  const { world } = cast;
  const intentId = opened.clientSecret.split("_secret")[0]!;
  const url = `http://stripe.test/v1/payment_intents/${intentId}/confirm`;
  const body = new URLSearchParams({
    client_secret: opened.clientSecret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": CARDS[card],
  }).toString();
  world.story.logStep(() => `${person.name} pays with a card that is ${card}`);
  await world.stripe.fetch(url, { method: "POST", body }).catch(() => null);
  if (card !== "asks") return;
  await world.wait(pickDelayMs(random));
  const intent = world.stripe.book.intents.get(intentId)!;
  const isCardholder = random.chance(0.7);
  world.story.logStep(() => `${person.name} ${isCardholder ? "confirms" : "fails"} the bank's question`);
  world.stripe.book.authenticate(intent, isCardholder);
}

export async function payWithSavedCard(
  cast: Actors,
  person: Person,
  holdId: string,
  cardId: string,
): Promise<void> {
  const reply = await cast.call(person, "POST", "/api/payments/pay-saved", { body: { holdId, cardId } });
  cast.recordFeature("kept_cards", reply?.status === 200);
  recordSale(cast, person, reply);
}

/** Records a sale if the response confirms one. */
function recordSale(cast: Actors, { businessId }: Person, reply: Reply): void {
  if (!reply || reply.status >= 300) return;
  const result = JSON.parse(reply.body) as { status?: string; purchase?: { leadId: string } | null };
  if (result.status === "sold" && result.purchase)
    cast.confirmedSales.push({ leadId: result.purchase.leadId, businessId });
}

export async function settle(cast: Actors, person: Person, holdId: string): Promise<Reply> {
  const sendCall = () => cast.call(person, "POST", "/api/payments/settle", { body: { holdId } });
  const reply = await callWithRetries(cast, sendCall);
  recordSale(cast, person, reply);
  return reply;
}

type ClaimInput = { person: Person; lead: SimulatedLead; key: string | null };

/** Requests a lead. @param path the call that only takes the hold, or the one that also creates the payment */
async function claim(cast: Actors, { person, lead, key }: ClaimInput, path: string): Promise<Reply> {
  const headers: Record<string, string> = key ? { "Idempotency-Key": key } : {};
  const body = { leadId: lead.id, amount: lead.priceCents ?? LEAD_PRICE_CENTS };
  const { businessId } = person;
  const isHoldOnly = path === HOLD_PATH;
  // A first attempt without a response may have created the hold that causes the next refusal.
  const first = cast.world.scheduler.now;
  return callWithRetries(cast, async () => {
    const from = cast.world.scheduler.now;
    const reply = await cast.call(person, "POST", path, { body, headers });
    const when = { leadId: lead.id, from, to: cast.world.scheduler.now };
    if (reply?.status === 200) {
      const isSecond = cast.openedHolds.some(
        (one) => one.businessId === businessId && one.leadId === lead.id,
      );
      cast.recordFeature("double_clicks", isSecond && !isHoldOnly);
      cast.openedHolds.push({ businessId, key, ...when });
    }
    // Without a response or a payment, we do not know when the hold ends. It may last its full time.
    cast.holdAttempts.push(reply && !isHoldOnly ? when : { ...when, to: from + HOLD_MS });
    const isHoldLimit = /"too_many_holds"|"newcomer_limit"/.test(reply?.body ?? "");
    if (isHoldLimit) cast.refusedThirdHolds.push({ ...when, from: first });
    cast.recordFeature("many_holds", isHoldLimit || (reply?.body.includes('"key_reused"') ?? false));
    return reply;
  });
}

const HOLD_PATH = "/api/exchange/holds";

/** Takes a hold, and usually continues to the payment. @returns whether to continue */
async function take(cast: Actors, input: ClaimInput, random: Random): Promise<boolean> {
  const { person } = input;
  const reply = await claim(cast, input, HOLD_PATH);
  cast.recordFeature("two_calls", reply?.status === 200);
  if (reply?.status !== 200) return false;
  if (random.chance(0.5)) return true;
  const { holdId } = JSON.parse(reply.body) as { holdId: string };
  // The buyer closes the dialog immediately, while the payment is being created, or not at all.
  if (random.chance(0.4)) {
    const closing = cast.world.wait(random.between(0, 900)).then(() => close(cast, person, holdId));
    if (random.chance(0.5)) return true;
    await closing;
    return random.chance(0.3);
  }
  if (random.chance(0.3)) return false;
  await cast.world.wait(pickDelayMs(random));
  return true;
}

/** Opens a hold and its payment. @returns null if the request was refused or got no response */
export async function open(
  cast: Actors,
  person: Person,
  lead: SimulatedLead,
  key: string | null,
  random: Random,
): Promise<OpenedPayment | null> {
  const input = { person, lead, key };
  const takesHoldFirst = cast.has("two_calls") && random.chance(0.6);
  if (takesHoldFirst && !(await take(cast, input, random))) return null;
  const reply = await claim(cast, input, "/api/create-payment-intent");
  if (reply?.status !== 200) return null;
  const opened = JSON.parse(reply.body) as OpenedPayment;
  cast.world.story.name(opened.holdId, `hold ${person.name}/${"ABCDEF"[lead.n]}`);
  cast.world.story.name(
    opened.clientSecret.split("_secret")[0]!,
    `payment ${person.name}/${"ABCDEF"[lead.n]}`,
  );
  return opened;
}

async function close(cast: Actors, person: Person, holdId: string): Promise<void> {
  const reply = await callWithRetries(cast, () =>
    cast.call(person, "DELETE", `/api/exchange/holds/${holdId}`),
  );
  cast.recordFeature("closed_dialogs", reply?.status === 204);
}

/** Consents to saving the card for later purchases. */
export async function saveCard(cast: Actors, person: Person, { holdId }: OpenedPayment): Promise<void> {
  const body = { holdId, consent: SAVE_CARD_CONSENT };
  await cast.call(person, "POST", "/api/payments/keep-card", { body });
}

export async function findSavedCard(cast: Actors, person: Person): Promise<string | null> {
  const reply = await cast.call(person, "GET", "/api/payments/cards");
  if (reply?.status !== 200) return null;
  return (JSON.parse(reply.body) as { id: string }[])[0]?.id ?? null;
}

function cardOf(cast: Actors, random: Random): CardKind {
  if (!cast.has("cards") || random.chance(0.6)) return "good";
  cast.recordFeature("cards", true);
  return random.pick(["declined", "asks", "slow"]);
}

/** Presses the Buy button once and plays what follows. */
export async function buy(
  cast: Actors,
  person: Person,
  lead: SimulatedLead,
  key: string | null,
  random: Random,
): Promise<void> {
  const { world } = cast;
  const opened = await open(cast, person, lead, key, random);
  if (!opened) return;
  if (cast.has("closed_dialogs") && random.chance(0.3)) {
    await world.wait(pickDelayMs(random));
    return close(cast, person, opened.holdId);
  }
  const card = cast.has("kept_cards") && random.chance(0.5) ? await findSavedCard(cast, person) : null;
  await world.wait(pickDelayMs(random));
  // Some buyers leave without closing the dialog.
  if (random.chance(0.12)) return;
  if (card) await payWithSavedCard(cast, person, opened.holdId, card);
  else {
    if (cast.has("kept_cards") && random.chance(0.6)) await saveCard(cast, person, opened);
    await typeCard(cast, person, opened, cardOf(cast, random), random);
  }
  if (random.chance(0.8)) await settle(cast, person, opened.holdId);
  // Close the dialog from another tab during the payment.
  if (cast.has("closed_dialogs") && random.chance(0.15)) await close(cast, person, opened.holdId);
  // The buyer returns later or presses again.
  if (random.chance(0.2)) {
    await world.wait(pickDelayMs(random));
    await settle(cast, person, opened.holdId);
  }
}

/** Pays with a saved card for a hold that another tab is still opening. */
export async function payUnattached(cast: Actors, person: Person, random: Random): Promise<void> {
  const card = await findSavedCard(cast, person);
  const reply = await cast.call(person, "GET", "/api/payments/open");
  if (!card || reply?.status !== 200) return;
  const [hold] = JSON.parse(reply.body) as { holdId: string }[];
  if (!hold) return;
  if (random.chance(0.3)) await cast.world.wait(random.between(5, 300));
  await payWithSavedCard(cast, person, hold.holdId, card);
}

/** Buys without a card, where the operator allows it. */
export async function buyDirect(cast: Actors, person: Person, lead: SimulatedLead): Promise<void> {
  const body = {
    buyerName: person.name,
    buyerEmail: `${person.name}@example.com`,
    buyerPhone: "02 5550 0100",
  };
  const reply = await callWithRetries(cast, () =>
    cast.call(person, "POST", `/api/leads/${lead.id}/purchase`, { body }),
  );
  cast.recordFeature("direct_sales", reply?.status === 201);
  if (reply?.status === 201) cast.confirmedSales.push({ leadId: lead.id, businessId: person.businessId });
}
