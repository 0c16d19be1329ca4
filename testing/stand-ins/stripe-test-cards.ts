/** Test cards. Where Stripe's own test mode has a number for the case, we use it. */
export type CardBehaviour = "good" | "declined" | "asks" | "slow";

type TestCard = {
  brand: string;
  behaviour: CardBehaviour;
  /** The bank's reason and message when it declines. */
  decline?: { code: string; message: string };
};

const DECLINED = { code: "card_declined", message: "Your card was declined." };

const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  "4242424242424242": { brand: "visa", behaviour: "good" },
  "5555555555554444": { brand: "mastercard", behaviour: "good" },
  "4000000000000002": { brand: "visa", behaviour: "declined", decline: DECLINED },
  "4000000000009995": {
    brand: "visa",
    behaviour: "declined",
    decline: { code: "card_declined", message: "Your card has insufficient funds." },
  },
  // Requires 3-D Secure for every payment, whether or not the card is saved.
  "4000002760003184": { brand: "visa", behaviour: "asks" },
  "4000000000003220": { brand: "visa", behaviour: "asks" },
  // Stays in `processing`. Stripe has no card for it.
  "4000000000000259": { brand: "visa", behaviour: "slow" },
};

/** Returns a card by its number. An unlisted number is declined as unknown. */
export function testCard(number: string): TestCard {
  return (
    TEST_CARDS[number.replaceAll(/\s/g, "")] ?? {
      brand: "visa",
      behaviour: "declined",
      decline: { code: "incorrect_number", message: "Your card number is incorrect." },
    }
  );
}

export const DEFAULT_DECLINE = DECLINED;
