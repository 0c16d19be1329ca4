import type { SuburbDetail } from "../../contract/suburbs.ts";
import type { Claims } from "../site/claims.ts";
import { Faq, type Question } from "../site/faq.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import { GRASS_TERM, lawnFacts, mowingRange } from "./local-climate.ts";

type Known = {
  suburb: SuburbDetail;
  claims: Claims;
};

export function questions(known: Known): Question[] {
  const { suburb, claims } = known;
  const mowing = mowingRange(suburb);
  const grass = lawnFacts(suburb).find(({ term }) => term === GRASS_TERM)?.text;
  return [
    {
      question: "How long does mowing take?",
      answer: `${claims.durations ? "A mowing visit typically takes 30-60 minutes." : "It depends on the lawn."} Large blocks, slopes and long grass take longer. Your provider will let you know first.`,
    },
    {
      question: `What does lawn care cost in ${suburb.name}?`,
      answer: `Prices start from ${formatFromPrice(suburb.priceFrom)}. The final price depends on the size of the property, the state of the lawn and how often you want it done.`,
    },
    ...(mowing
      ? [
          {
            question: `How often does a lawn in ${suburb.name} need mowing?`,
            answer: `${mowing[0]!.toUpperCase()}${mowing.slice(1)}, by our rule of thumb. ${grass ?? ""}`,
          },
        ]
      : []),
  ];
}

export function SuburbFaq(known: Known) {
  return <Faq title="Frequently asked questions" questions={questions(known)} />;
}
