import type { Figures } from "../../../contract/figures.ts";
import { centsToText } from "../../../contract/money.ts";
import { addMonths, startOfSydneyDay, sydneyMonth } from "../../../contract/sydney-time.ts";

export type Sums = {
  bought: number;
  spendCents: number;
  won: number;
  /** Number of bought leads that are old enough for the win rate. `ripeWon` is how many of these were won. */
  ripe: number;
  ripeWon: number;
  earnedCents: number;
};

const NOTHING: Sums = { bought: 0, spendCents: 0, won: 0, ripe: 0, ripeWon: 0, earnedCents: 0 };

/** Returns the last `count` months, oldest first, each with its start in Sydney time. */
export function monthsUntil(now: number, count: number): { month: string; start: number }[] {
  const current = sydneyMonth(now);
  return Array.from({ length: count }, (_, i) => {
    const month = addMonths(current, i + 1 - count);
    return { month, start: startOfSydneyDay(`${month}-01`)! };
  });
}

export function addUp(sums: readonly Sums[]): Sums {
  return sums.reduce(
    (total, sum) => ({
      bought: total.bought + sum.bought,
      spendCents: total.spendCents + sum.spendCents,
      won: total.won + sum.won,
      ripe: total.ripe + sum.ripe,
      ripeWon: total.ripeWon + sum.ripeWon,
      earnedCents: total.earnedCents + sum.earnedCents,
    }),
    NOTHING,
  );
}

/** Converts the sums to the API's format. */
export function toFigures(sums: Sums | undefined): Figures {
  const { bought, spendCents, won, ripe, ripeWon, earnedCents } = sums ?? NOTHING;
  return {
    bought,
    spend: centsToText(spendCents),
    won,
    winRate: ripe === 0 ? null : ripeWon / ripe,
    earned: centsToText(earnedCents),
    costPerWon: won === 0 ? null : centsToText(Math.round(spendCents / won)),
  };
}
