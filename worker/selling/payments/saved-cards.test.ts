import { beforeEach, expect, test } from "vitest";

import { SAVE_CARD_CONSENT, type SavedCard } from "../../../contract/payments.ts";
import {
  buyer,
  readStatusAndCode,
  expectBackOnMarket,
  expectSold,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  runAlarm,
  stripe,
  typeCard,
} from "../../../testing/cards.ts";
import { callWith } from "../../../testing/client.ts";
import { auditEntries, setUser } from "../../../testing/facts.ts";
import { eventually } from "../../../testing/eventually.ts";
import type { SettledHold } from "./commands.ts";

const VISA = "4242424242424242";
const AUTHENTICATION_CARD = "4000002760003184";

beforeEach(() => stripe.clearFaults());

type Buyer = Awaited<ReturnType<typeof buyer>>;

async function cardsOf(pat: Buyer): Promise<SavedCard[]> {
  return (await pat.as("GET", "/api/payments/cards")).json();
}

/** Buys a lead and saves the card. */
async function keepCard(pat: Buyer, number = VISA): Promise<SavedCard> {
  const opened = await pat.opened(await listedLead());
  const { holdId } = opened;
  const kept = await pat.as("POST", "/api/payments/keep-card", { holdId, consent: SAVE_CARD_CONSENT });
  expect(kept.status).toBe(204);
  await typeCard(opened, number);
  if (number === AUTHENTICATION_CARD) stripe.book.authenticate(stripe.intents.get(opened.intentId)!, true);
  expect((await pat.settle(holdId)).status).toBe("sold");
  const [card] = await cardsOf(pat);
  return card!;
}

function pay(pat: Buyer, holdId: string, cardId: string) {
  return pat.as("POST", "/api/payments/pay-saved", { holdId, cardId });
}

test("a card is saved only with consent, whose text is stored before Stripe is called", async () => {
  const pat = await buyer();
  const opened = await pat.opened(await listedLead());
  await typeCard(opened, VISA);
  expect((await pat.settle(opened.holdId)).status).toBe("sold");
  expect(await cardsOf(pat)).toEqual([]);

  const second = await pat.opened(await listedLead());
  const { holdId } = second;
  stripe.fail("update", "lost");
  const consent = { holdId, consent: SAVE_CARD_CONSENT };
  expect(await readStatusAndCode(await pat.as("POST", "/api/payments/keep-card", consent))).toEqual([
    502,
    "payment_failed",
  ]);
  expect(await paymentOf(holdId)).toMatchObject({ saveCardConsent: SAVE_CARD_CONSENT });
  expect((await pat.as("POST", "/api/payments/keep-card", consent)).status).toBe(204);
  await typeCard(second, VISA);
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect(await cardsOf(pat)).toMatchObject([{ brand: "visa", last4: "4242", expMonth: 12 }]);
  const log = await auditEntries(pat.user.id);
  expect(log.map(({ action }) => action)).toEqual(["card.consent", "card.consent"]);
});

const madeCustomers = () => stripe.calls.filter(({ call }) => call === "create_customer").length;

test("row 2: two tabs that save their first cards at once share one Customer at Stripe", async () => {
  const pat = await buyer();
  const opened = [await pat.opened(await listedLead()), await pat.opened(await listedLead())];
  const keep = (holdId: string) =>
    pat.as("POST", "/api/payments/keep-card", { holdId, consent: SAVE_CARD_CONSENT });
  const before = madeCustomers();
  stripe.runDuringNext("create_customer", async () => {
    // Wait until Stripe has rejected the second call: its key is in use.
    await eventually(async () => expect(madeCustomers()).toBeGreaterThan(before + 1));
  });
  const first = keep(opened[0]!.holdId);
  await eventually(async () => expect(madeCustomers()).toBeGreaterThan(before));
  const second = keep(opened[1]!.holdId);
  expect([(await first).status, (await second).status]).toEqual([204, 204]);
  const customers = opened.map(({ intentId }) => stripe.intents.get(intentId)!.customer);
  expect(customers[0]).not.toBeNull();
  expect(customers[1]).toBe(customers[0]);
});

test("consent withdrawn before paying saves nothing", async () => {
  const pat = await buyer();
  const opened = await pat.opened(await listedLead());
  const { holdId } = opened;
  for (const consent of [SAVE_CARD_CONSENT, null]) {
    expect((await pat.as("POST", "/api/payments/keep-card", { holdId, consent })).status).toBe(204);
  }
  await typeCard(opened, VISA);
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect(await cardsOf(pat)).toEqual([]);
  expect(await paymentOf(holdId)).toMatchObject({
    saveCardConsent: null,
    cardBrand: "visa",
    cardLast4: "4242",
  });
});

test("a saved card buys in one call", async () => {
  const pat = await buyer();
  const card = await keepCard(pat);
  const leadId = await listedLead();
  const { holdId } = await pat.opened(leadId);
  const paid = (await (await pay(pat, holdId, card.id)).json()) as SettledHold;
  expect(paid).toMatchObject({ status: "sold", purchase: { customerPhone: "02 5550 0123" } });
  await expectSold(leadId, pat.user.id, holdId);
  // A second click returns the same sale.
  expect(await (await pay(pat, holdId, card.id)).json()).toMatchObject({ status: "sold" });
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
});

test("if the bank requires authentication, the browser shows it, then the lead is sold", async () => {
  const pat = await buyer();
  const card = await keepCard(pat, AUTHENTICATION_CARD);
  const leadId = await listedLead();
  const { holdId, intentId } = await pat.opened(leadId);
  expect(await (await pay(pat, holdId, card.id)).json()).toEqual({ status: "action_needed", purchase: null });
  stripe.book.authenticate(stripe.intents.get(intentId)!, true);
  expect((await pat.settle(holdId)).status).toBe("sold");
  await expectSold(leadId, pat.user.id, holdId);
});

test("a declined saved card shows why, and another one can pay for the same hold", async () => {
  const pat = await buyer();
  const card = await keepCard(pat);
  const leadId = await listedLead();
  const opened = await pat.opened(leadId);
  stripe.fail("confirm", "refused");
  const declined = await pay(pat, opened.holdId, card.id);
  expect(declined.status).toBe(402);
  expect(await declined.json()).toMatchObject({ code: "card_declined", detail: "Refused" });
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  await typeCard(opened, VISA);
  expect((await pat.settle(opened.holdId)).status).toBe("sold");
});

test("a confirmation whose response was lost is looked up, not repeated", async () => {
  const pat = await buyer();
  const card = await keepCard(pat);
  const leadId = await listedLead();
  const { holdId } = await pat.opened(leadId);
  stripe.fail("confirm", "unheard");
  expect(await (await pay(pat, holdId, card.id)).json()).toMatchObject({ status: "sold" });
  await expectSold(leadId, pat.user.id, holdId);
});

test("a saved card cannot pay for a hold that has ended", async () => {
  const pat = await buyer();
  const card = await keepCard(pat);
  const leadId = await listedLead();
  const { holdId } = await pat.opened(leadId);
  await endHold(leadId);
  await runAlarm(leadId);
  expect(await (await pay(pat, holdId, card.id)).json()).toEqual({ status: "cancelled", purchase: null });
  await expectBackOnMarket(leadId);
});

test("a business can never see, use or remove another one's card, or pay for its hold", async () => {
  const [pat, rival] = [await buyer(), await buyer()];
  const card = await keepCard(pat);
  const leadId = await listedLead();
  const { holdId } = await rival.opened(leadId);
  expect(await cardsOf(rival)).toEqual([]);
  expect(await readStatusAndCode(await pay(rival, holdId, card.id))).toEqual([404, "not_found"]);
  const removal = await rival.as("DELETE", `/api/payments/cards/${card.id}`);
  expect(await readStatusAndCode(removal)).toEqual([404, "not_found"]);
  expect(await readStatusAndCode(await pay(pat, holdId, card.id))).toEqual([404, "not_found"]);
  // The rival is refused even with a saved card.
  await keepCard(rival);
  expect(await readStatusAndCode(await pay(rival, holdId, card.id))).toEqual([404, "not_found"]);
  expect(await cardsOf(pat)).toHaveLength(1);
  expect(stripe.intentsOf(leadId)).toMatchObject([{ status: "requires_payment_method" }]);
});

test("a removed card is deleted with all its copies, and can no longer pay", async () => {
  const pat = await buyer();
  await keepCard(pat);
  await keepCard(pat);
  const cards = await cardsOf(pat);
  expect(cards).toHaveLength(1);
  const { id } = cards[0]!;
  expect((await pat.as("DELETE", `/api/payments/cards/${id}`)).status).toBe(204);
  expect(await cardsOf(pat)).toEqual([]);
  const { holdId } = await pat.opened(await listedLead());
  expect(await readStatusAndCode(await pay(pat, holdId, id))).toEqual([404, "not_found"]);
  expect(await readStatusAndCode(await pat.as("DELETE", `/api/payments/cards/${id}`))).toEqual([
    404,
    "not_found",
  ]);
});

test("a Customer that Stripe no longer knows has no cards, and is created again", async () => {
  const pat = await buyer();
  await setUser(pat.user.id, { stripeCustomerId: "cus_gone" });
  expect(await cardsOf(pat)).toEqual([]);
  expect(await keepCard(pat)).toMatchObject({ last4: "4242" });
});

test("without keys there are no saved cards", async () => {
  const { as } = await buyer();
  const cards = await callWith({ STRIPE_SECRET_KEY: "" }, "GET", "/api/payments/cards", {
    cookie: as.cookie,
  });
  expect(await cards.json()).toEqual([]);
});
