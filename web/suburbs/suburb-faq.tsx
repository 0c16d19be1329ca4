import type { NearbySuburb, SuburbDetail } from "../../contract/suburbs.ts";
import { type Claims, isAsSpecified } from "../site/claims.ts";
import { Faq, type Question } from "../site/faq.tsx";
import { formatFromPrice } from "../lib/format-money.ts";
import {
  countCutsInYear,
  formatSunDay,
  MOWING_INTERVALS,
  getMowingInterval,
  findPeriod,
  sunYear,
} from "./daylight.ts";

type Known = {
  suburb: SuburbDetail;
  nearby: readonly NearbySuburb[];
  year: number;
  claims: Claims;
};

/** Returns how often to mow here, by the same rule of thumb as the page's calendar. */
function buildMowingAnswer({ suburb, year }: Known): string {
  const days = sunYear(suburb, year);
  const [weekly, , monthly] = MOWING_INTERVALS;
  const fast = findPeriod(days, (day) => getMowingInterval(day) === weekly);
  const slow = findPeriod(days, (day) => getMowingInterval(day) === monthly);
  if (!fast || !slow) return "Every fortnight, as a rule.";
  return `As a rule of thumb, weekly from ${formatSunDay(fast.from)} to ${formatSunDay(fast.to)}, monthly from ${formatSunDay(slow.from)} to ${formatSunDay(slow.to)} and fortnightly in between: about ${countCutsInYear(days)} cuts a year.`;
}

export function questions(known: Known): Question[] {
  const { suburb, nearby, claims } = known;
  const places = new Intl.ListFormat("en-AU").format(
    nearby.map(({ name, postcode }) => `${name} ${postcode}`),
  );
  return [
    {
      question: "How long does a mowing visit take?",
      answer: `${claims.durations ? "A mowing visit typically takes 30-60 minutes." : "It depends on the lawn."} Large blocks, slopes and long grass take longer. Your provider will let you know first.`,
    },
    {
      question: `What does lawn care cost in ${suburb.name}?`,
      answer: `Prices start from ${formatFromPrice(suburb.priceFrom)}. The final price depends on the size of the property, the state of the lawn and how often you want it done.`,
    },
    { question: `How often does a lawn in ${suburb.name} need mowing?`, answer: buildMowingAnswer(known) },
    {
      question: "How soon will someone call me?",
      answer: isAsSpecified(claims, "connected")
        ? "We connect you with a provider within 24 hours. If you need it done within two days, say so in your message."
        : `As soon as a provider in your area takes your request. ${claims.connected ? `${claims.connected}. ` : ""}If you need it done within two days, say so in your message.`,
    },
    {
      question: "Who gets my phone number?",
      answer:
        "Only the provider who takes your request. Before that, providers see your first name and the first letter of your surname, your suburb, the last three digits of your phone number and the job. Nothing else.",
    },
    ...(places
      ? [
          {
            question: `Do you cover places near ${suburb.name} too?`,
            answer: `Yes: ${places}, and everywhere else in NSW.`,
          },
        ]
      : []),
  ];
}

export function SuburbFaq(known: Known) {
  return <Faq title="Frequently asked questions" questions={questions(known)} />;
}
