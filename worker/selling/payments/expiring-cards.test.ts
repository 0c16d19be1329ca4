/**
 * Tests the monthly check of expiring cards and its email. The product drops an email that is out of date before it is
 * sent.
 */
import { beforeEach, expect, test } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { stripe } from "../../../testing/cards.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { setUser, userRow } from "../../../testing/facts.ts";
import { deliverMessages, erase, runSweep } from "../../../testing/drivers.ts";
import { mailbox } from "../../../testing/stand-ins/mailbox.ts";
import { insertUser } from "../../../testing/world.ts";
import { messages, users } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";

const VISA = "4242424242424242";
const MASTERCARD = "5555555555554444";
/** 13 hours into November in Sydney. */
const NOW = Date.parse("2026-11-01T02:00:00Z");
const NEXT_MONTH = Date.parse("2026-11-30T13:00:00Z");

let box: ReturnType<typeof mailbox>;
let env: Bindings;

beforeEach(async () => {
  stripe.clearFaults();
  await db.delete(messages);
  // Users from earlier tests have no cards to check.
  await db.update(users).set({ stripeCustomerId: null });
  box = mailbox();
  env = { ...testEnv, ...box.changed };
});

function saveCard(customer: string, number: string, expiry: string) {
  const [month, year] = expiry.split("/");
  const method = stripe.book.vault.addMethod(
    number,
    new URLSearchParams({
      "payment_method_data[card][exp_month]": month!,
      "payment_method_data[card][exp_year]": year!,
    }),
  );
  method.customer = customer;
  return method;
}

async function ownerWithCards(
  cards: [number: string, expiry: string][],
  overrides: Parameters<typeof insertUser>[1] = {},
) {
  const stripeCustomerId = stripe.book.vault.addCustomer({ business: "b" }).id;
  const methods = cards.map(([number, expiry]) => saveCard(stripeCustomerId, number, expiry));
  const email = `${crypto.randomUUID()}@example.com`;
  const user = await insertUser(db, { email, stripeCustomerId, firstName: "Kim", ...overrides });
  return { user, methods, customer: stripeCustomerId };
}

const sweep = (now = NOW) => runSweep("card_sweep", now, env);
const send = (now = NOW) => deliverMessages(now, env);
const stripeCalls = () => stripe.calls.filter(({ call }) => call === "list_cards").length;
const checkedAt = async (id: string) => {
  const row = await userRow(id);
  return row.cardsCheckedAt;
};

test("a saved card that expires this month causes one email, from its current state", async () => {
  const { user } = await ownerWithCards([[VISA, "11/2026"]]);
  expect(await sweep()).toEqual({ told: 1, failed: 0 });
  expect(await db.select().from(messages)).toMatchObject([
    { template: "card_expiring", userId: user.id, expiresAt: NEXT_MONTH, state: "waiting" },
  ]);
  expect(JSON.stringify(await db.select().from(messages)), "ids alone").not.toContain("4242");
  await send();
  expect(box.sent).toMatchObject([
    { to: user.email, subject: "Your Visa ending in 4242 expires this month" },
  ]);
  const { text } = box.sent[0]!;
  expect(text).toContain("Hello Kim,");
  expect(text).toContain("expires on 30 November");
  expect(text).toContain("From 1 December you'll need to enter a card");
  expect(text).toContain("Nothing else changes");
  const before = stripeCalls();
  expect(await sweep(NOW + DAY_MS)).toEqual({ told: 0, failed: 0 });
  expect(stripeCalls(), "once a month").toBe(before);
});

test("one email covers two cards, and names one that stays valid", async () => {
  await ownerWithCards([
    [VISA, "11/2026"],
    [MASTERCARD, "11/2026"],
    ["4000002760003184", "12/2026"],
  ]);
  await sweep();
  await send();
  expect(box.sent).toMatchObject([
    { subject: "Your Mastercard ending in 4444 and Visa ending in 4242 expire this month" },
  ]);
  expect(box.sent[0]!.text).toContain("You can still buy leads with one tap, using your Visa ending in 3184");
});

test("a card that stays valid, or has already expired, causes no email", async () => {
  const { user } = await ownerWithCards([
    [VISA, "12/2026"],
    [MASTERCARD, "10/2026"],
  ]);
  expect(await sweep()).toEqual({ told: 0, failed: 0 });
  expect(await checkedAt(user.id)).toBe(NOW);
  // The cards are checked again next month.
  expect(await sweep(NEXT_MONTH)).toEqual({ told: 1, failed: 0 });
});

test("Stripe is not called for closed businesses or unconfirmed addresses", async () => {
  const closed = await ownerWithCards([[VISA, "11/2026"]], { isActive: false });
  const nameless = await ownerWithCards([[VISA, "11/2026"]], {
    email: null,
    pendingEmail: "waits@example.com",
  });
  const before = stripeCalls();
  expect(await sweep()).toEqual({ told: 0, failed: 0 });
  expect(stripeCalls()).toBe(before);
  for (const { user } of [closed, nameless]) expect(await checkedAt(user.id)).toBe(NOW);
});

test("an email that is out of date when it is due is not sent", async () => {
  const renewed = await ownerWithCards([[VISA, "11/2026"]]);
  const removed = await ownerWithCards([[VISA, "11/2026"]]);
  const replaced = await ownerWithCards([[VISA, "11/2026"]]);
  const closed = await ownerWithCards([[VISA, "11/2026"]]);
  const moved = await ownerWithCards([[VISA, "11/2026"]]);
  expect(await sweep()).toEqual({ told: 5, failed: 0 });
  // The bank updates the new card's details at Stripe automatically.
  renewed.methods[0]!.card.exp_year = 2030;
  removed.methods[0]!.customer = null;
  saveCard(replaced.customer, VISA, "11/2031");
  await setUser(closed.user.id, { isActive: false });
  await setUser(moved.user.id, { email: "elsewhere@example.com" });
  expect(await send()).toMatchObject({ dropped: 5 });
  expect(box.sent).toEqual([]);
});

test("after the month has ended no email is sent", async () => {
  await ownerWithCards([[VISA, "11/2026"]]);
  await sweep(NEXT_MONTH - HOUR_MS);
  expect(await send(NEXT_MONTH)).toMatchObject({ expired: 1 });
  expect(box.sent).toEqual([]);
});

test("row 49: Stripe fails for one business: its check is retried an hour later, and delays no other", async () => {
  const unlucky = await ownerWithCards([[VISA, "11/2026"]]);
  stripe.fail("list_cards", "lost");
  expect(await sweep()).toEqual({ told: 0, failed: 1 });
  await ownerWithCards([[VISA, "11/2026"]]);
  expect(await sweep(NOW + MINUTE_MS)).toEqual({ told: 1, failed: 0 });
  const before = stripeCalls();
  expect(await sweep(NOW + 59 * MINUTE_MS)).toEqual({ told: 0, failed: 0 });
  expect(stripeCalls()).toBe(before);
  expect(await sweep(NOW + 61 * MINUTE_MS)).toEqual({ told: 1, failed: 0 });
  expect(await checkedAt(unlucky.user.id)).toBe(NOW + 61 * MINUTE_MS);
});

test("row 49: a failed check is also retried on a month's last day", async () => {
  await ownerWithCards([[VISA, "11/2026"]]);
  const late = NEXT_MONTH - 3 * HOUR_MS;
  stripe.fail("list_cards", "broken");
  expect(await sweep(late)).toEqual({ told: 0, failed: 1 });
  expect(await sweep(late + 2 * HOUR_MS)).toEqual({ told: 1, failed: 0 });
});

test("row 49: Stripe is down when the email is due: the email waits until Stripe is up", async () => {
  await ownerWithCards([[VISA, "11/2026"]]);
  await sweep();
  stripe.fail("list_cards", "busy");
  expect(await send()).toMatchObject({ waiting: 1 });
  expect(await send(NOW + MINUTE_MS), "Stripe is left alone").not.toHaveProperty("waiting");
  expect(await send(NOW + 16 * MINUTE_MS)).toMatchObject({ sent: 1 });
});

test("a run checks at most ten businesses, and two concurrent runs send one email", async () => {
  for (let i = 0; i < 12; i++) await ownerWithCards([[VISA, "11/2026"]]);
  const before = stripeCalls();
  await sweep();
  expect(stripeCalls()).toBe(before + 10);
  await Promise.all([sweep(NOW + MINUTE_MS), sweep(NOW + MINUTE_MS)]);
  expect(await db.$count(messages)).toBe(12);
});

test("without email or cards Stripe is not called, and no business counts as checked", async () => {
  const { user } = await ownerWithCards([[VISA, "11/2026"]]);
  const before = stripeCalls();
  await runSweep("card_sweep", NOW);
  await runSweep("card_sweep", NOW, { ...env, STRIPE_SECRET_KEY: "" });
  expect(stripeCalls()).toBe(before);
  expect(await checkedAt(user.id)).toBeNull();
});

test("erasing an account also deletes its emails", async () => {
  const { user } = await ownerWithCards([[VISA, "11/2026"]]);
  await sweep();
  await erase({ username: user.username }, NOW, env);
  expect(await db.$count(messages)).toBe(0);
  expect(await checkedAt(user.id)).toBeNull();
  expect(await sweep(NOW + MINUTE_MS)).toEqual({ told: 0, failed: 0 });
});
